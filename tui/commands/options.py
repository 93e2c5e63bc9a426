"""Options that several commands take in the same way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import click

from treadle.core.config.settings import plugin_name
from treadle.core.errors import UsageError
from treadle.core.home import home_folder
from treadle.core.nearest import did_you_mean
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.project import Project
from treadle.core.project_root import find_root
from treadle.core.records import RunChoices
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line

AUTHOR_RUN: ContextVar[AuthorRun] = ContextVar("author_run")
"""What `treadle plugin trace` and `treadle plugin dev` add to the command that they run."""


def with_run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for how a session runs: settings, plugins on or off for this run."""
    for option in (
        click.option("--off", multiple=True, metavar="PLUGIN", help="Switch a plugin off for this run."),
        click.option("--on", multiple=True, metavar="PLUGIN", help="Switch a plugin on for this run."),
        click.option("--set", "sets", multiple=True, metavar="KEY=VALUE", help="A setting for this run."),
    ):
        command = option(command)
    return command


def python_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--python`, for commands that start a session."""
    return click.option("--python", metavar="PATH", help="The interpreter or environment to use.")(command)


def test_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--test`, for commands that start a session which runs the project's tests."""
    said = "How to test, when it is not plain pytest."
    return click.option("--test", "test", metavar="COMMAND", callback=_not_blank, help=said)(command)


def _not_blank(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise click.UsageError("--test: the command is empty; without --test the tests are found by themselves")
    return value


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def open_project(
    path: str | os.PathLike[str] = ".",
    *,
    python: str | None = None,
    sets: tuple[str, ...] = (),
    on: tuple[str, ...] = (),
    off: tuple[str, ...] = (),
    earlier: RunChoices | None = None,
    **overrides: object,
) -> Project:
    """The project that holds `path`, with what the command line says about it, after what was chosen `earlier`."""
    given: dict[str, object] = {key: value for key, value in overrides.items() if value is not None}
    for item in sets:
        key, equals, value = item.partition("=")
        if not equals:
            raise click.UsageError(f"--set {item}: write KEY=VALUE, for example --set budget.wall_s=60")
        given[key.strip()] = value
    if python:
        given["python"] = python
    root = find_root(Path(path), home_folder())
    plugins = dict.fromkeys(on, True) | dict.fromkeys(off, False)
    choices = (earlier or RunChoices()).then(RunChoices(settings=given, plugins=plugins))
    project = Project(root, choices=choices, on_notice=show_notice, author=AUTHOR_RUN.get(AuthorRun()))
    check_plugin_names(project, on)
    check_known_names(project, off)
    set_for = [name for name in project.settings.plugins if any(_sets(key, name) for key in given)]
    if set_for:
        check_plugin_names(project, set_for)
    return project


def _sets(key: str, plugin: str) -> bool:
    """Whether this key of the command line is one of the plugin's settings, whose name is in its one spelling."""
    table, _, rest = key.partition(".")
    return table == "plugins" and plugin_name(rest.partition(".")[0]) == plugin


def show_notice(text: str) -> None:
    """Say on standard error what the person must know."""
    tell(f"note: {clean_line(text)}", err=True)


def check_plugin_names(project: Project, names: Iterable[str]) -> None:
    """Raise `UsageError` for a name that is no plugin's."""
    _check_names(names, project.plugins_unloaded.names)


def check_known_names(project: Project, names: Iterable[str]) -> None:
    """Raise `UsageError` for a name of which nobody has said anything either: what is gone can be switched off."""
    _check_names(names, lambda: project.plugins_unloaded.names() | project.plugin_states.names())


def _check_names(names: Iterable[str], those: Callable[[], frozenset[str]]) -> None:
    names = tuple(names)
    known = sorted(those()) if names else ()
    for name in names:
        if plugin_name(name) not in known:
            raise UsageError(f"there is no plugin {name!r}; {did_you_mean(name, known)}`treadle plugins` lists them")
