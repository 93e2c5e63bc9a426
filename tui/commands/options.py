"""Options that several commands take in the same way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from treadle.core.project import Project, find_root


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
    **overrides: object,
) -> Project:
    """The project that holds `path`, with what the command line says about it."""
    given: dict[str, object] = {key: value for key, value in overrides.items() if value is not None}
    for item in sets:
        key, equals, value = item.partition("=")
        if not equals:
            raise click.UsageError(f"--set {item}: write KEY=VALUE, for example --set budget.wall_s=60")
        given[key.strip()] = value
    if python:
        given["python"] = python
    root = find_root(Path(path), Path.home())
    plugins = dict.fromkeys(on, True) | dict.fromkeys(off, False)
    return Project(root, overrides=given, plugins_for_run=plugins)
