"""What is wrong with a plugin that lies in a folder: everything at once, found in a process like those of a session."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treadle.core.errors import PluginError, PluginFault
from treadle.core.places import Places
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.needs import needs_of
from treadle.core.plugin_kit import plugin_folder
from treadle.core.records import Record

_TRACE_LINES = 6


class Look(Record, frozen=True, kw_only=True):
    """What was found. `plugins` are the names, `hooks` and `may` what those answer and ask to reach; `errors` keep a
    plugin out or leave a hook uncalled, `warnings` do not."""

    plugins: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def look_at(path: Path) -> Look:
    """Look at the plugins of a project's folder, or at a Python file. Nothing is kept of it. Raises `UsageError` for
    what is neither."""
    held = plugin_folder.read(path)
    with tempfile.TemporaryDirectory(prefix="treadle-plugin-check-") as home:
        workshop = Workshop(Places(home, path.resolve()).make())
        looks = [_look(found, workshop) for found in held.plugins]
    return Look(
        plugins=tuple(found.name for found in held.plugins),
        hooks=tuple(dict.fromkeys(hook for look in looks for hook in look.hooks)),
        may=tuple(dict.fromkeys(line for look in looks for line in look.may)),
        errors=(*held.errors, *(error for look in looks for error in look.errors)),
        warnings=(*held.warnings, *(warning for look in looks for warning in look.warnings)),
    )


def _look(found: Found, workshop: Workshop) -> Look:
    process = workshop.process(found)
    errors: list[str] = []
    may: tuple[str, ...] = ()
    try:
        ready = process.start()
        # A function with a hook's name and no mark does no harm, but its author meant something by it.
        errors += [*filter(None, [ready.incompatible]), *ready.errors, *ready.warnings]
        warnings = tuple(f"{found.name}: {wrapper}" for wrapper in workshop.wrappers(found, ready.hooks))
        told: dict[str, tuple[Any, ...]] = {}
        for hook in ("treadle_settings", "treadle_contributions"):
            try:
                told[hook] = workshop.answer(process, ready.hooks, hook) or ()
            except PluginFault as error:
                errors.append(_with_trace(error))
        errors += workshop.problems(
            told.get("treadle_settings", ()), told.get("treadle_contributions", ()), ready.hooks
        )
        try:
            may = tuple(needs_of(ready.needs).lines())
        except PluginError as error:
            errors.append(str(error))
        hooks = tuple(dict.fromkeys(hook.hook for hook in ready.hooks))
    except PluginFault as error:
        return Look(errors=(f"{found.name}: can't be imported: {_with_trace(error)}",))
    finally:
        process.close()
    return Look(hooks=hooks, may=may, errors=tuple(f"{found.name}: {error}" for error in errors), warnings=warnings)


def _with_trace(error: PluginFault) -> str:
    return "\n    ".join([str(error), *_last_lines(error.trace)])


def _last_lines(trace: str) -> Iterator[str]:
    yield from [line.rstrip() for line in trace.splitlines() if line.strip()][-_TRACE_LINES:]
