"""What is wrong with a plugin that lies in a folder: everything at once, found in a process like those of a session."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treadle.core.contributions import Command
from treadle.core.errors import PluginError, PluginFault, UnusableHome
from treadle.core.places import Places
from treadle.core.plugin_check import is_forgotten_mark
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.off_limits import OffLimits
from treadle.core.plugin_host.reach import real_paths, refuse
from treadle.core.plugin_kit import plugin_folder, replaced_hooks
from treadle.core.records import Record
from treadle.core.tree.remove_tree import remove_tree

_TRACE_LINES = 6
_LONGEST = 2_000  # characters


class Look(Record, frozen=True, kw_only=True):
    """What was found. `plugins` are the names, `hooks` what those answer, `needs` what each asks to reach, and `may`
    the same in words; `commands` are those that each brings, behind the plugin's name. `errors` keep a plugin out or
    leave a hook uncalled, `warnings` do not."""

    plugins: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    needs: dict[str, Needs] = {}
    commands: tuple[tuple[str, str], ...] = ()
    may: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def look_at(path: Path, *, alone: bool = True) -> Look:
    """Look at the plugins of a project's folder, or at a Python file. Nothing is kept of it. `alone` False: that other
    plugins here have the same names does not count. Raises `UsageError` for what is neither."""
    held = plugin_folder.read(path)
    state = _own_state(path)
    with _home_for_a_moment() as home:
        workshop = Workshop(Places(home, path.resolve()).make())
        looks = [_look(found, workshop, state) for found in held.plugins]
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    places = dict.fromkeys(found.place for found in held.plugins if found.place)
    replaced = (warning for place in places for warning in replaced_hooks.warnings(place, folder))
    return Look(
        plugins=tuple(found.name for found in held.plugins),
        hooks=tuple(dict.fromkeys(hook for look in looks for hook in look.hooks)),
        needs={name: needs for look in looks for name, needs in look.needs.items()},
        commands=tuple(command for look in looks for command in look.commands),
        may=tuple(dict.fromkeys(line for look in looks for line in look.may)),
        errors=(
            *map(_flat, (*held.errors, *(held.clashes if alone else ()))),
            *(error for look in looks for error in look.errors),
        ),
        warnings=tuple(map(_flat, (*held.warnings, *(each for look in looks for each in look.warnings), *replaced))),
    )


@contextlib.contextmanager
def _home_for_a_moment() -> Iterator[Path]:
    """A state folder in which the plugins may do what they like. It is not left to `tempfile` to remove it: before
    Python 3.12 that follows links (CVE-2023-6597), and nests no deeper than Python calls."""
    home = Path(tempfile.mkdtemp(prefix="treadle-plugin-check-"))
    try:
        yield home
    finally:
        remove_tree(home.parent, home.name)


def _look(found: Found, workshop: Workshop, state: tuple[Path, ...]) -> Look:
    """`state` are the folders and files that no plugin may reach."""
    process = workshop.process(found)
    errors: list[str] = []
    needs, real = Needs(), dict[str, str]()
    try:
        ready = process.start()
        # A function with a hook's name and no mark does no harm, but its author meant something by it.
        forgotten = [warning for warning in ready.warnings if is_forgotten_mark(warning)]
        errors += map(_flat, (*filter(None, [ready.incompatible]), *ready.errors, *forgotten))
        told_only = (each for each in ready.warnings if each not in forgotten)
        warnings = tuple(f"{found.name}: {each}" for each in (*told_only, *workshop.wrappers(found, ready.hooks)))
        told: dict[str, tuple[Any, ...]] = {}
        for hook in ("treadle_settings", "treadle_contributions"):
            try:
                told[hook] = workshop.answer(process, ready.hooks, hook) or ()
            except PluginFault as error:
                errors.append(_with_trace(error, found))
        problems = workshop.problems(
            told.get("treadle_settings", ()), told.get("treadle_contributions", ()), ready.hooks
        )
        errors += map(_flat, problems)
        try:
            needs = needs_of(ready.what_it_needs())
            refuse(needs, OffLimits(None, state))  # before anybody enables it, and is refused
            real = real_paths(needs)
        except PluginError as error:
            errors.append(_flat(str(error)))
        hooks = tuple(dict.fromkeys(hook.hook for hook in ready.hooks))
    except PluginFault as error:
        return Look(errors=(f"{found.name}: can't be imported: {_with_trace(error, found, _advice(error, found))}",))
    finally:
        process.close()
    return Look(
        hooks=hooks,
        needs={found.name: needs},
        commands=tuple((found.name, e.name) for e in told.get("treadle_contributions", ()) if isinstance(e, Command)),
        may=tuple(needs.lines(real)),
        errors=tuple(f"{found.name}: {error}" for error in errors),
        warnings=warnings,
    )


def _own_state(path: Path) -> tuple[Path, ...]:
    try:
        places = Places.find(path.resolve(), os.environ)
    except UnusableHome:
        return ()  # nothing was ever kept here
    return places.home, places.user_config


def _advice(error: PluginFault, found: Found) -> str:
    if not str(error).startswith("ModuleNotFoundError"):
        return ""
    if found.source.endswith(".py"):
        missing = str(error).partition("No module named ")[2].strip("'\"").partition(".")[0] or "what it needs"
        return f"; a single file brings nothing along: install {missing} beside Treadle, or make a package of it"
    return f"; what it needs must be installed beside Treadle: `python -m pip install --editable {found.source}`"


def _flat(text: str) -> str:
    """On one line: what a plugin says of itself must not look like what Treadle says of others."""
    return " ".join(text[:_LONGEST].split())


def _with_trace(error: PluginFault, found: Found, advice: str = "") -> str:
    return "\n    ".join([_flat(str(error)) + advice, *_last_lines(error.trace, str(found.place))])


def _last_lines(trace: str, place: str) -> list[str]:
    """Of what happened in the plugin itself, not on the way to it."""
    lines = [line.rstrip() for line in trace.splitlines() if line.strip()]
    own = next((number for number, line in enumerate(lines) if line.lstrip().startswith(f'File "{place}')), 0)
    return [line[:_LONGEST] for line in lines[own:][-_TRACE_LINES:]]
