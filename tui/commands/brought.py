"""What plugins bring to the command line: commands of their own, and panels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from treadle import sandbox
from treadle.core import wire
from treadle.core.contributions import Command, Panel, Said, Setting, View
from treadle.core.errors import NeedsPerson, Stopped, UsageError
from treadle.core.nearest import did_you_mean
from treadle.core.outside_context import OutsideContext, outside
from treadle.core.plugin_host.settings import taken
from treadle.core.project import Project
from treadle.core.records import Question
from treadle.tui.asking import ask
from treadle.tui.commands.options import json_option, open_project, show_notice
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line
from treadle.tui.view_text import lines_of

MOST_EXIT_CODE = 125
"""Shells give the codes above it a meaning of their own."""
_TYPES: dict[type, click.ParamType[Any]] = {int: click.INT, float: click.FLOAT}


def commands(project: Project) -> dict[str, click.Command]:
    """The commands that plugins bring to the project, to be run while it is open: so its plugins are loaded once."""
    sandbox.prepare()  # while the plugins are imported
    found = project.plugins.brought.of_kind("command")
    return {each.name: _as_click(each, project) for each in found if isinstance(each, Command)}


def say_who_takes_no_part(project: Project) -> None:
    """Name the plugins that are on and can't be used: what is not there may be theirs."""
    for told in project.plugins.left_out():
        show_notice(project.redactor.text(told))


def _as_click(command: Command, project: Project) -> click.Command:
    """The command as the command line takes it."""
    options: list[click.Parameter] = [_option(setting) for setting in command.options]
    if command.words:
        options.append(click.Argument(["words"], nargs=-1, metavar=f"[{clean_line(command.words).upper()}]..."))

    def run(**values: Any) -> int:
        with context_of(project) as context:
            given = _checked(command, values)
            said: Said | None = context.run("command", command.name, given)
            if said is None:
                return _at_fault(command.name)
            return _show_said(said, command.name, project.plugins.brought.owner("command", command.name))

    return click.Command(command.name, callback=run, params=options, help=clean_line(command.summary))


@click.command()
@click.argument("name", required=False)
@json_option
def panel(name: str | None, as_json: bool) -> int:
    """Show the panel NAME, which a plugin brings; without a name, list them all."""
    with open_project() as project, context_of(project) as context:
        panels = [each for each in context.contributions("panel") if isinstance(each, Panel)]
        if name not in [each.name for each in panels]:
            say_who_takes_no_part(project)
        if name is None:
            rows = tuple((each.name, each.summary) for each in panels)
            view = View(rows=rows) if rows else View(text="no enabled plugin brings a panel")
        elif name not in [each.name for each in panels]:
            near = did_you_mean(name, [each.name for each in panels])
            raise UsageError(f"there is no panel {name!r}; {near}`treadle panel` lists them")
        else:
            answer: View | None = context.run("panel", name, {})
            if answer is None:
                return _at_fault(name)
            view = answer
        click.echo(wire.to_json(view).decode() if as_json else "\n".join(lines_of(view)))
    return 0


def _option(setting: Setting) -> click.Option:
    """The setting as an option; what may be said for it is looked at in `_checked`."""
    flag, name = f"--{setting.name.replace('_', '-')}", setting.name.replace("-", "_")
    told = clean_line(setting.summary)
    default = setting.default
    if isinstance(default, bool):
        switch = f"{flag}/--no-{flag.removeprefix('--')}" if default else flag
        return click.Option([switch, name], is_flag=True, default=default, help=told)
    is_list = isinstance(default, list | tuple)
    first = next(iter(default), "") if isinstance(default, list | tuple) else default
    allowed = f"one of {', '.join(map(str, setting.choices))}" if setting.choices else ""
    shown = "" if default in (None, "", [], ()) else f"default: {default}"
    extra = "; ".join(filter(None, (allowed, shown)))
    return click.Option(
        [flag, name],
        multiple=is_list,
        type=_TYPES.get(type(first), click.STRING),
        default=None,
        help=f"{told}  [{clean_line(extra)}]" if extra else told,
    )


def _checked(command: Command, values: dict[str, Any]) -> dict[str, object]:
    """What was said, by the names of the settings. Raises `UsageError` for what one of them does not take."""
    given: dict[str, object] = {"words": list(values["words"])} if command.words else {}
    for setting in command.options:
        value = values[setting.name.replace("-", "_")]
        if value is None or value == ():
            given[setting.name] = setting.default
            continue
        if setting.choices:
            value = next((each for each in setting.choices if str(each) == str(value)), value)
        value = list(value) if isinstance(value, tuple) else value
        given[setting.name] = value if setting.default is None else taken(setting, value, f"--{setting.name}")
    return given


def _show_said(said: Said, name: str, plugin: str) -> int:
    """Show what the command of that name said; the code with which the program exits."""
    text = "\n".join(lines_of(said.view))
    if text:
        click.echo(text)
    if 0 <= said.exit_code <= MOST_EXIT_CODE:
        return said.exit_code
    told = (
        f"the plugin {plugin} ended it with {said.exit_code}, which is no exit code (0 to {MOST_EXIT_CODE}): "
        f"{ExitCode.NOT_SOLVED} instead"
    )
    click.echo(f"treadle: {clean_line(name)}: {told}", err=True)
    return ExitCode.NOT_SOLVED


def _at_fault(name: str) -> int:
    click.echo(f"treadle: {clean_line(name)}: nothing came of it, for its plugin is at fault", err=True)
    return ExitCode.NOT_SOLVED


@contextmanager
def context_of(project: Project) -> Iterator[OutsideContext]:
    """What plugins are given that a command runs; their notes and questions come to the terminal."""

    def tell(text: str) -> None:
        show_notice(project.redactor.text(text))

    sandbox.prepare()
    with outside(
        project.plugins, project.places, project.model_rules, project.logger, project.redactor, tell, _ask
    ) as context:
        try:
            yield context
        except Stopped:
            raise click.Abort from None


def _ask(question: Question) -> str:
    """Put a plugin's question to whoever sits at the terminal. Raises `NeedsPerson` where nobody does."""
    if not sys.stdin.isatty():
        raise NeedsPerson(f"{question.text} ({', '.join(question.options)}): run it in a terminal to answer")
    try:
        return ask(question)[0]
    except click.Abort:
        raise Stopped("interrupted") from None  # the plugin is not to blame, and may put in order what it has begun
