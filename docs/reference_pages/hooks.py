"""The page of the hooks: their arguments and answers, and all records in these."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec

from reference_pages.from_code import fields, manual
from reference_pages.markdown import code, fenced, table
from treadle.core import context, contributions, records
from treadle.core.hook_types import hook_types
from treadle.core.models import messages


def hooks() -> Iterator[str]:
    yield "# Hooks"
    yield manual("treadle.core.hooks")
    yield table(
        ("hook", "kind", "answer"),
        [
            (f"[{code(hook.name)}](#{hook.name})", "first" if hook.first else "all", code(annotation(hook.answer)))
            for hook in hook_types().values()
        ],
    )
    for hook in hook_types().values():
        yield f"## {hook.name}"
        arguments = ", ".join(f"{name}: {annotation(kind)}" for name, kind in hook.arguments.items())
        yield fenced(f"def {hook.name}({arguments}) -> {annotation(hook.answer)}", "python")
        yield hook.manual
    yield "# The context"
    yield manual("treadle.core.context")
    for name, method in inspect.getmembers(context.Context, inspect.isfunction):
        if not name.startswith("_"):
            yield f"## context.{name}"
            signature = str(inspect.signature(method)).replace("(self, ", "(").replace("(self)", "()").replace("'", "")
            yield fenced(f"{name}{signature}", "python")
            yield inspect.getdoc(method) or ""
    yield "# What a plugin can bring"
    yield manual("treadle.core.contributions")
    yield from described(contributions)
    yield "# What models are asked and answer"
    yield manual("treadle.core.models.messages")
    yield from described(messages)
    yield "# The records"
    yield manual("treadle.core.records")
    yield from described(records)


def described(module: ModuleType) -> Iterator[str]:
    """The records that the module defines."""
    for name, record in vars(module).items():
        if isinstance(record, type) and issubclass(record, msgspec.Struct) and record.__module__ == module.__name__:
            yield f"## {name}"
            yield inspect.getdoc(record) or ""
            yield fields(record)


def annotation(kind: Any) -> str:
    plain = inspect.formatannotation(kind) if kind is not type(None) else "None"
    if kind == tuple[contributions.Contribution, ...] | None:
        return "tuple[Contribution, ...] | None"
    for module in (
        "treadle.core.records.",
        "treadle.core.contributions.",
        "treadle.core.models.messages.",
        "treadle.core.context.",
        "treadle.core.events.",
    ):
        plain = plain.replace(module, "")
    return plain
