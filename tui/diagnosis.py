"""What this machine gives Treadle: which layers of the sandbox hold, and what else there must be."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from treadle import sandbox as box
from treadle.core.errors import ConfigError, TreadleError, UnusableHome
from treadle.core.plugin_host import installed
from treadle.core.project import Project
from treadle.core.records import Record
from treadle.tui.safe_text import clean_line
from treadle.tui.sandboxing.trouble import advice, in_one_line

Opening = Callable[[], AbstractContextManager[Project]]
"""Opens the project; raises `TreadleError` where it can't be opened, which is one of the things to be told."""


class Finding(Record, frozen=True, kw_only=True):
    """One thing that was looked at. `how` says how to switch it on; empty when it is on. Nothing at all can be done
    without what is `needed`; `is_layer`: it is a layer of the sandbox."""

    name: str
    on: bool
    needed: bool = False
    why: str = ""
    meaning: str = ""
    how: str = ""
    is_layer: bool = False


def diagnose(opening: Opening) -> list[Finding]:
    """Everything that was looked at, in the order in which it is told."""
    return [_sandbox(), *_layers(), _git(), _interpreter(opening), _state(opening), *_installed_plugins(opening)]


def worth_telling(findings: list[Finding]) -> list[Finding]:
    """Without the layers where none is on: each would only say once more what the sandbox itself says."""
    if any(finding.on for finding in findings if finding.is_layer):
        return findings
    return [finding for finding in findings if not finding.is_layer]


def can_work(findings: list[Finding]) -> bool:
    """Whether nothing is missing without which Treadle can do nothing."""
    return all(finding.on for finding in findings if finding.needed)


def _layers() -> Iterator[Finding]:
    for layer in box.layers():
        yield Finding(
            name=layer.name,
            on=layer.on,
            why=layer.why,
            meaning=layer.meaning,
            how=layer.how_to_switch_on,
            is_layer=True,
        )


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


def _interpreter(opening: Opening) -> Finding:
    meaning = "`fix` and `check` can't run this project's code"
    try:
        with opening() as project:
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


def _state(opening: Opening) -> Finding:
    on_server = False
    try:
        with opening() as project:
            on_server = bool(project.settings.store)
            place = project.store.place
            notices = "; ".join(project.store.notices)
    except TreadleError as error:
        how = _how_to_keep(error, on_server)
        return Finding(name="state", on=False, needed=True, why=str(error), meaning="nothing can be kept", how=how)
    return Finding(name="state", on=True, needed=True, why=notices or place)


def _installed_plugins(opening: Opening) -> Iterator[Finding]:
    """Whether the plugins with environments of their own are as they were installed; all their files are read."""
    try:
        with opening() as project:
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
