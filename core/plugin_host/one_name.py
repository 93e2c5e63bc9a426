"""What a person is told of plugins that have one name: where they come from, and how only one of them is left."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.plugin_host.finding import Found


def told(founds: Sequence[Found], *, with_treadle: bool) -> str:
    """Which plugins have the name, and the mend. `founds` all lie in the project, or are all installed; `with_treadle`:
    one of Treadle's own has the name too, and stays."""
    mend = _mend_files(founds, with_treadle) if founds[0].of_project else _mend_installed(founds, with_treadle)
    sources = sorted({found.source for found in founds})
    if len(founds) > 1 and len(sources) == 1 and not with_treadle:
        return f"{len(founds)} plugins of {sources[0]} have this name; {mend}"
    return f"a plugin of this name comes from {' and from '.join(sources + ['Treadle itself'] * with_treadle)}; {mend}"


def _mend_files(founds: Sequence[Found], with_treadle: bool) -> str:
    if len(founds) == 1:
        return f"rename or delete {founds[0].source}"
    which = "" if with_treadle else "one of " if len(founds) == 2 else "all but one of "
    return f"rename or delete {which}the files"


def _mend_installed(founds: Sequence[Found], with_treadle: bool) -> str:
    ways = list(dict.fromkeys(map(_removal, sorted(founds, key=lambda found: found.source))))
    if with_treadle or len(ways) == 1:
        return " and ".join(ways)
    return " or ".join(ways) if len(ways) == 2 else f"do all but one of these: {', '.join(ways)}"


def _removal(found: Found) -> str:
    if found.environment is not None:
        return f"run `treadle plugin remove {found.environment.distribution}`"
    return f"uninstall {found.origin.removeprefix('distribution ') or 'that package'}"
