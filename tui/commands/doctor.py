"""`treadle doctor`: which layers of the sandbox hold on this machine, and what else Treadle needs."""

from __future__ import annotations

import platform
import shutil
import sys
import textwrap
from collections.abc import Iterator

import click

import treadle
from treadle import sandbox as box
from treadle.core import wire
from treadle.core.errors import ConfigError, TreadleError, UnusableHome
from treadle.core.plugin_host import installed
from treadle.core.records import Record
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line
from treadle.tui.sandboxing.trouble import advice, in_one_line


class Finding(Record, frozen=True, kw_only=True):
    """One thing that was looked at. `how` says how to switch it on; empty when it is on. Nothing at all can be done
    without what is `needed`."""

    name: str
    on: bool
    needed: bool = False
    why: str = ""
    meaning: str = ""
    how: str = ""


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say which layers of the sandbox hold on this machine, why, and how to switch on what does not.

    The exit code is 0 when Treadle can work here, with fewer layers maybe, and 1 when it can't: no command can be run
    in the sandbox, or Treadle's state can be kept nowhere.
    """
    layers = box.layers()
    findings = [
        _sandbox(),
        *(
            Finding(name=layer.name, on=layer.on, why=layer.why, meaning=layer.meaning, how=layer.how_to_switch_on)
            for layer in layers
        ),
        _git(),
        _interpreter(),
        _state(),
        *_installed_plugins(),
    ]
    if as_json:
        click.echo(wire.to_json(findings).decode())
        return _code(findings)
    if not any(layer.on for layer in layers):  # each would only say once more what the sandbox itself says
        findings = [finding for finding in findings if finding.name not in {layer.name for layer in layers}]
    click.echo(f"treadle {treadle.__version__}, Python {platform.python_version()}, {platform.platform()}")
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        click.echo(_wrapped(f"{'on ' if finding.on else 'OFF'} {finding.name:<{width}}  ", clean_line(finding.why)))
        if not finding.on:
            click.echo(_wrapped("      what it means: ", clean_line(finding.meaning)))
            click.echo(_wrapped("      how to switch it on: ", clean_line(finding.how)))
    return _code(findings)


def _wrapped(before: str, text: str) -> str:
    """The text behind its beginning: in lines that fit a terminal, in one where programs read it."""
    if not sys.stdout.isatty():
        return before + text
    columns = max(40, shutil.get_terminal_size().columns)
    inner = " " * (len(before) if len(before) < 20 else 8)
    return textwrap.fill(
        before + text, columns, subsequent_indent=inner, break_on_hyphens=False, break_long_words=False
    )


def _code(findings: list[Finding]) -> ExitCode:
    return ExitCode.NOT_SOLVED if any(each.needed and not each.on for each in findings) else ExitCode.OK


def _sandbox() -> Finding:
    """Whether a command runs: the layers can all be there, and a job still be more than the machine has room for."""
    result = box.run(["true"], limits=box.Limits.tier("quick"))
    # What could not be executed ends as `error`, and at times only its standard error says why.
    last_line = clean_line(result.stderr.data.decode(errors="replace").strip().rpartition("\n")[2])
    trouble = in_one_line(result.message) or last_line
    return Finding(
        name="sandbox",
        on=result.ok,
        needed=True,
        why="a command was run in it, behind the layers that are on"
        if result.ok
        else trouble or f"a command that does nothing ended with the verdict {result.verdict}",
        meaning="`fix`, `check` and `sandbox` can run nothing: Treadle runs no code outside of the sandbox",
        how=advice(result.message or last_line)
        or "mend what it says above; a container may need more rights or memory",
    )


def _git() -> Finding:
    found = shutil.which("git")
    return Finding(
        name="git",
        on=found is not None,
        why="reads what is ignored and what changed" if found else "there is no git on PATH",
        meaning="projects are read without knowing what git ignores",
        how="install git",
    )


def _interpreter() -> Finding:
    meaning = "`fix` and `check` can't run this project's code"
    try:
        with open_project() as project:
            python = project.interpreter()
    except UnusableHome:
        why = "not looked for: Treadle's state comes first"
        return Finding(name="interpreter", on=False, why=why, meaning=meaning, how="see `state`")
    except ConfigError as error:
        return Finding(name="interpreter", on=False, why=str(error), meaning=meaning, how="mend that setting")
    except TreadleError as error:
        how = "name one, for example: treadle fix --python PATH"
        return Finding(name="interpreter", on=False, why=str(error), meaning=meaning, how=how)
    return Finding(
        name="interpreter",
        on=python.has("pytest"),
        why=f"{python.path} ({python.version}){'' if python.has('pytest') else ' has no pytest'}",
        meaning="`fix` needs --test COMMAND in this project",
        how=f"{python.path} -m pip install pytest",
    )


def _state() -> Finding:
    on_server = False
    try:
        with open_project() as project:
            on_server = bool(project.settings.store)
            place = project.store.place
            notices = "; ".join(project.store.notices)
    except TreadleError as error:
        how = _how_to_keep(error, on_server)
        return Finding(name="state", on=False, needed=True, why=str(error), meaning="nothing can be kept", how=how)
    return Finding(name="state", on=True, needed=True, why=notices or place)


def _installed_plugins() -> Iterator[Finding]:
    """Whether the plugins with environments of their own are as they were installed; all their files are read."""
    try:
        with open_project() as project:
            root = project.places.plugin_environments
        entries = tuple(installed.read(root).values())
    except TreadleError as error:
        if not isinstance(error, ConfigError):
            return  # the state says it
        yield Finding(
            name="installed plugins", on=False, why=str(error), meaning="none of them runs", how="do as it says there"
        )
        return
    for entry in entries:
        trouble = entry.trouble(root)
        if not trouble and entry.is_changed(root, thorough=True):
            trouble = f"the files of its environment, {root / entry.folder}, are others than were installed"
        yield Finding(
            name=f"installed {entry.distribution}",
            on=not trouble,
            why=trouble or f"{entry.version}, as it was installed",
            meaning=f"left out: {', '.join(entry.plugins)}",
            how=f"treadle plugin update {entry.distribution}",
        )


def _how_to_keep(error: TreadleError, on_server: bool) -> str:
    if isinstance(error, ConfigError):
        return "mend that setting"
    if on_server and not isinstance(error, UnusableHome):
        return "mend what it says, or take away the setting `store`: sessions are then kept in a file"
    return "set TREADLE_HOME to a folder that you may write into"
