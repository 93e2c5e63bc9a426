"""Where the paths of a plugin's needs lead: to what they led to when the person granted them, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from treadle.core.errors import PluginError, PluginFault
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.plugin_host.needs import PROJECT, Needs, as_written, is_all_seen
from treadle.core.plugin_host.off_limits import OffLimits
from treadle.sandbox.links import resolve


class LedElsewhere(PluginFault):
    """A path that was granted leads elsewhere by now."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """What a plugin may reach, by real paths. `aliases` are the names (name, path) by which it knows some of them."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()


def real_paths(needs: Needs) -> dict[str, str]:
    """The real path now of each path that is needed; the project's is known without. Raises `PluginError` for one that
    can't be granted."""
    return {path: _real(path) for path in (*needs.read, *needs.write) if path != PROJECT}


def refuse(needs: Needs, limits: OffLimits) -> None:
    """Raises `PluginError` for needs that can't be granted as the machine is now."""
    _refuse(real_paths(needs), needs, limits)


def reach(name: str, needs: Needs, real: Mapping[str, str], project: Path, limits: OffLimits) -> Reach:
    """What the plugin of that name may reach, to which `needs` were granted when their paths were at `real` (one that
    is not there was granted as it is written). Raises `LedElsewhere` where a path is no longer that, and `PluginError`
    as `refuse` does."""
    known = {path: real.get(path) or as_written(path) for path in (*needs.read, *needs.write) if path != PROJECT}
    for path, place in known.items():
        if why := _why_elsewhere(place):
            shown = f"{path!r}, granted as {place}," if path != place else f"{path!r}, which was granted,"
            raise LedElsewhere(f"{shown} {why}; `treadle plugin enable {name}` grants it anew, as it is now")
    _refuse(known, needs, limits)
    names = ((as_written(path), place) for path, place in known.items())
    return Reach(
        read=tuple(str(project) if path == PROJECT else known[path] for path in needs.read),
        write=tuple(known[path] for path in needs.write),
        aliases=tuple((name, place) for name, place in names if name != place),
    )


def _refuse(real: Mapping[str, str], needs: Needs, limits: OffLimits) -> None:
    for path in needs.read:
        if path == PROJECT:
            limits.refuse_reading_the_project()
        else:
            limits.refuse_reading(real[path])
    for path in needs.write:
        limits.refuse_writing(real[path])


def _real(path: str) -> str:
    try:
        real, _ = resolve(as_written(path))
        Path(real).stat()
    except FileNotFoundError:
        pass  # it may come; until then nothing is shown there
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PluginError(f"{NEEDS_NAME}: {path!r} can't be granted: what lies there can't be told ({why})") from None
    for shown in (as_written(path), real):
        if Path(shown).is_relative_to("/proc"):
            raise PluginError(
                f"{NEEDS_NAME}: {path!r} can't be granted: /proc is of processes, and leads to whatever they can reach"
            )
    if not is_all_seen(real):
        raise PluginError(
            f"{NEEDS_NAME}: {path!r} can't be granted: it leads to {real!a}, of which you would not see all"
        )
    return real


def _why_elsewhere(place: str) -> str:
    try:
        real, links = resolve(place)
    except (OSError, ValueError) as error:
        return f"can't be followed ({error})"
    if links:
        link, target = links[0]
        return f"{'is' if link == place else f'leads through {link},'} a link to {target} now"
    return "" if real == place else f"is {real} in truth"
