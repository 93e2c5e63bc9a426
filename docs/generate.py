"""Write docs/reference from the code, or with --check say which page is not what the code says."""

from __future__ import annotations

import argparse
import importlib
import inspect
import itertools
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import msgspec

from treadle.core import context, contributions, errors, records
from treadle.core.config.settings import KeyInfo, describe
from treadle.core.event_kinds import KINDS
from treadle.core.events import Event
from treadle.core.hook_types import hook_types
from treadle.core.models import messages
from treadle.core.models.catalogue import Catalogue, ModelFacts, Rates
from treadle.skills import catalogue
from treadle.tui.cli import treadle_command
from treadle.tui.commands import sandbox as sandbox_command
from treadle.tui.exit_codes import MEANING, of_error

REFERENCE = Path(__file__).resolve().parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the code; change the code, then run `make docs`. -->"

# ---------------------------------------------------------------- commands


def commands() -> Iterator[str]:
    yield "# Commands"
    root = click.Context(treadle_command, info_name="treadle")
    yield paragraphs(treadle_command.help or "")
    for name in treadle_command.list_commands(root):
        command = treadle_command.get_command(root, name)
        if command is None:
            raise SystemExit(f"docs/generate.py: the command {name} is listed and can't be loaded")
        yield from one_command(command, click.Context(command, info_name=name, parent=root))


def one_command(command: click.Command, ctx: click.Context) -> Iterator[str]:
    yield f"## {ctx.command_path}"
    yield paragraphs(command.help or "")
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from one_command(inner, click.Context(inner, info_name=name, parent=ctx))
        return
    yield fenced(ctx.command_path + " " + " ".join(command.collect_usage_pieces(ctx)), "console")
    if command.epilog:
        yield from epilog(command.epilog)
    # Arguments have no text of their own in click; the paragraphs above speak of them.
    options = [option for option in command.params if isinstance(option, click.Option)]
    rows = [record for option in options if (record := option.get_help_record(ctx))]
    if rows:
        yield table(("option", "meaning"), [(code(option), meaning) for option, meaning in rows])


def epilog(text: str) -> Iterator[str]:
    """What stands below a command's help: its indented lines are what one types, all others are prose."""
    lines = inspect.cleandoc(text.replace("\b", "")).splitlines()
    for typed, group in itertools.groupby(lines, key=lambda line: line.startswith(" ")):
        block = textwrap.dedent("\n".join(group))
        yield fenced(block, "console") if typed else paragraphs(block)


# ---------------------------------------------------------------- settings

PROJECT_RULES = {
    "free": "may set it",
    "never": "may not set it",
    "lower": "may only lower it",
    "stricter": "may only move it along its options, from left to right",
    "union": "may only add to it",
    "raise": "may only raise severities",
}


def config() -> Iterator[str]:
    yield "# Settings"
    yield (
        "Read from, each winning over those before it: the defaults, the user's file (`treadle config` names it), "
        "the project's `.treadle/config.toml` or `[tool.treadle]` in its `pyproject.toml`, variables of the "
        "environment, and `--set KEY=VALUE`. `treadle config` shows each value and where it came from."
    )
    yield (
        "A project's own file came with a clone, so it can only tighten what you have set, as the last column says; "
        "`treadle trust` lifts that for exactly the content that you have seen. An unknown key is an error that names "
        "the nearest known one."
    )
    sections: dict[str, list[KeyInfo]] = {}
    for info in describe():
        sections.setdefault(info.key.rpartition(".")[0], []).append(info)
    for section, infos in sections.items():
        yield f"## [{section}]" if section else "## At the top level"
        yield table(
            ("key", "value", "default", "meaning", "variable", "a project's file"),
            [
                (
                    code(info.key.rpartition(".")[2]),
                    info.kind,
                    "not set" if info.default is None else code(json.dumps(info.default)),
                    info.description,
                    code(info.variable),
                    PROJECT_RULES[info.project],
                )
                for info in infos
            ],
        )


# ---------------------------------------------------------------- hooks


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


# ---------------------------------------------------------------- exit codes, events, skills


def exit_codes() -> Iterator[str]:
    yield "# Exit codes"
    yield table(("code", "meaning"), [(str(int(number)), meaning) for number, meaning in MEANING.items()])
    yield "## Which error leads to which"
    found = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TreadleError)]
    yield table(
        ("error", "meaning", "code"),
        [
            (code(kind.__name__), " ".join((inspect.getdoc(kind) or "").split()), str(int(of_error(kind()))))
            for kind in found
            if kind is not errors.TreadleError
        ],
    )
    yield "## treadle sandbox"
    yield paragraphs((sandbox_command.sandbox.help or "").split("\n\n")[-1])


def events() -> Iterator[str]:
    yield "# Events"
    yield (
        "What happened in a session is a list of events, and that list is the only truth: the screen, `--json`, "
        "metrics, search and resume are its readers. `treadle show --json` prints a session's events; "
        "`treadle fix --json` prints them as they come, and the result as its last line."
    )
    yield inspect.getdoc(Event) or ""
    yield fields(Event)
    yield "## Kinds"
    yield table(("kind", "meaning"), [(code(kind), meaning) for kind, meaning in KINDS.items()])
    yield "A plugin logs events of its own (`context.emit`) as `plugin.NAME.KIND`."


def skills() -> Iterator[str]:
    yield "# Skills"
    yield manual("treadle.skills")
    yield (
        "`treadle skills [WORDS]` finds them; `treadle skills WORDS --code` prints one. Each was checked: types, "
        "examples, tests, and Treadle's own scan."
    )
    for skill in catalogue():
        yield f"## {skill.name}"
        yield fenced(skill.signature, "python")
        yield manual(skill.module).rpartition("\n\nWords:")[0]


# ---------------------------------------------------------------- models


def models() -> Iterator[str]:
    known = Catalogue.load()
    yield "# Models and prices"
    yield (
        f"What Treadle knew of language models on {known.dated}, from `core/models/catalogue.toml`. Prices are US "
        "dollars for a million tokens, at the ordinary rate of the service. **Prices change: what counts is the bill "
        "of your provider.** A model that is not here can be used all the same; what it costs is then unknown, and it "
        "shows as unknown, never as 0."
    )
    yield (
        "A preset chooses among the models that can be reached by their size: how much is to be expected of one in "
        "comparison with all others here. Models without a size are used when you name them, or when there is no other."
    )
    providers = itertools.groupby(known.models.values(), key=lambda facts: facts.name.partition("/")[0])
    for provider, found in providers:
        rows = list(found)
        yield f"## {provider}"
        yield f"Pages of this provider were seen up to {rows[0].checked}."
        yield table(
            ("model", "size", "context", "reply", "input", "cache read", "cache write", "output", "tools", "notes"),
            [row for facts in rows for row in model_rows(facts)],
        )
    yield "## Your own prices"
    yield (
        "Your own file of the same form, `models.toml` beside your `config.toml` (`treadle config` says where that "
        "is), overrides this one field by field: a price that you have agreed on, a model that is not here, or one "
        "that runs on your own machine and costs nothing."
    )
    yield fenced(OWN_PRICES, "toml")
    yield table(
        ("field", "meaning"),
        [
            ("`context`, `output`", "tokens: of prompt and reply together, and the most of a reply"),
            ("`size`", '`"small"`, `"medium"` or `"large"`'),
            ("`usd_input`, `usd_output`", "US dollars for a million tokens read and written"),
            ("`usd_cache_read`, `usd_cache_write`", "US dollars for a million tokens of the prompt cache"),
            (
                "`above`",
                "the four prices of a prompt that is longer than `tokens` as a whole; `{}`: they are the same",
            ),
            ("`local`", "`true`: it runs on your own machine, no money is asked"),
            ("`tools`", "whether it takes tools; without them it is asked for text alone"),
            ("`effort_with_tools`", "the reasoning effort that its service demands with tools"),
            ("`sampling`", "`false`: its service refuses temperature and top_p, so they are not sent"),
            ("`thinking`", '`"always"`, `"optional"` or `"none"`'),
            ("`source`", "the page that the numbers are from"),
        ],
    )
    yield (
        "Above that stand `dated`, a date, and for each provider `checked`, a date, in `[providers.NAME]`. A snapshot "
        "whose name ends in a date (`claude-haiku-4-5-20251001`) is what its model is without it."
    )


OWN_PRICES = """\
[models.anthropic.claude-sonnet-5-5]
usd_input = 1.80

[models.openai."house-model"]
context = 128_000
size = "medium"
usd_input = 1.00
usd_output = 4.00
above = { tokens = 64_000, usd_input = 2.00, usd_output = 8.00 }

[models.ollama."our-coder:14b"]
local = true"""


def model_rows(facts: ModelFacts) -> Iterator[tuple[str, ...]]:
    """The model's row, and another one where the prices of long prompts differ."""
    tools = {True: "yes", False: "no", None: "unknown"}[facts.tools]
    notes = [
        f"tools with effort `{facts.effort_with_tools}`" if facts.effort_with_tools else "",
        "" if facts.sampling else "no temperature, no top_p",
        "always thinks" if facts.thinking == "always" else "",
        f"[source]({facts.source})",
    ]
    yield (
        code(facts.name),
        facts.size or "",
        count(facts.context),
        count(facts.output),
        *(["local"] * 4 if facts.local else dollars(facts.price)),
        tools,
        ", ".join(filter(None, notes)),
    )
    if facts.price.above is not None:
        yield (f"prompt above {count(facts.price.above.tokens)}", "", "", "", *dollars(facts.price.above), "", "")


def count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def dollars(rates: Rates) -> list[str]:
    """Input, cache read, cache write, output."""
    prices = (rates.usd_input, rates.usd_cache_read, rates.usd_cache_write, rates.usd_output)
    return ["unknown" if usd is None else f"{usd:.4f}".rstrip("0").rstrip(".") for usd in prices]


# ---------------------------------------------------------------- Markdown


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    cells = [head, tuple("---" for _ in head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in cells
    )


def fields(record: type[msgspec.Struct]) -> str:
    rows = [
        (
            code(field.name),
            code(str(annotations_of(record)[field.name])),
            "" if field.required else code(repr(default_of(field))),
        )
        for field in msgspec.structs.fields(record)
    ]
    return table(("field", "type", "default"), rows) if rows else ""


def default_of(field: msgspec.structs.FieldInfo) -> object:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else None


def annotations_of(record: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields' types as they are written, those of the roots first."""
    found: dict[str, Any] = {}
    for each in reversed(record.__mro__):
        found |= vars(each).get("__annotations__", {})
    return found


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"


def paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


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


def manual(module: str) -> str:
    return inspect.getdoc(importlib.import_module(module)) or ""


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "commands.md": commands,
    "config.md": config,
    "events.md": events,
    "exit-codes.md": exit_codes,
    "hooks.md": hooks,
    "models.md": models,
    "skills.md": skills,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a page is out of date")
    only_check = parser.parse_args().check
    stale = []
    for name, page in PAGES.items():
        text = NOTE + "\n\n" + "\n\n".join(filter(None, page())) + "\n"
        place = REFERENCE / name
        if place.is_file() and place.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not only_check:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    verb = "out of date, run `make docs`" if only_check else "written"
    for name in stale:
        print(f"docs/reference/{name}: {verb}")
    return 1 if stale and only_check else 0


if __name__ == "__main__":
    sys.exit(main())
