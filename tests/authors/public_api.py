"""What authors write against, a line for each thing that they can rely on.

The lines of a version of the hooks are frozen in `docs/reference/api-VERSION.txt`; `python -m tests.authors.public_api`
prints those of this checkout.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import msgspec

import treadle
import treadle.testing
from treadle.core import hooks
from treadle.core.context import Context


def lines() -> list[str]:
    """All of them, sorted."""
    found = {*_names(treadle), *_names(treadle.testing), *_hooks(), *_methods("context", Context)}
    # Whether types are quoted differs between versions of Python.
    return sorted(line.replace("'", "").replace('"', "") for line in found)


def _names(module: object) -> Iterator[str]:
    for name in module.__all__:  # type: ignore[attr-defined]
        found = getattr(module, name)
        where = f"{module.__name__}.{name}"  # type: ignore[attr-defined]
        yield where
        if inspect.isfunction(found):
            yield f"{where}{inspect.signature(found)}"
        elif isinstance(found, type) and issubclass(found, msgspec.Struct):
            yield from _record(where, found)
        elif isinstance(found, type) and issubclass(found, Exception):
            yield f"{where} is a {found.__mro__[1].__name__}"
        elif isinstance(found, type) and found is not Context:
            yield from _methods(where, found)


def _record(where: str, record: type[msgspec.Struct]) -> Iterator[str]:
    types: dict[str, str] = {}
    for each in reversed(record.__mro__):
        types |= vars(each).get("__annotations__", {})
    yield from (f"{where}.{field}: {types[field]}" for field in record.__struct_fields__)
    required = [field.name for field in msgspec.structs.fields(record) if field.required]
    yield f"{where} requires {', '.join(sorted(required)) or 'nothing'}"


def _hooks() -> Iterator[str]:
    for name, function in vars(hooks).items():
        if hasattr(function, f"{hooks.PROJECT_NAME}_spec"):
            signature = inspect.signature(function)
            yield f"hook {name} -> {signature.return_annotation}"
            yield from (f"hook {name} has {argument}" for argument in signature.parameters.values())


def _methods(where: str, kind: type) -> Iterator[str]:
    for name, function in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_"):
            yield f"{where}.{name}{str(inspect.signature(function)).replace('(self, ', '(').replace('(self)', '()')}"


if __name__ == "__main__":
    print("\n".join(lines()))
