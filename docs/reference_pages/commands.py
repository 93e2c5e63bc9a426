"""The page of the commands."""

from __future__ import annotations

import inspect
import itertools
import textwrap
from collections.abc import Iterator

import click

from reference_pages.markdown import code, fenced, paragraphs, table
from treadle.tui.cli import treadle_command


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
