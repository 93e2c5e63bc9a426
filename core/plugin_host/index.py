"""The entry points of this environment's distributions, kept in a file: to look through all of them at each start would
take longer than all the rest of it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from treadle.core.config import own_file
from treadle.core.plugin_worker import boot

if TYPE_CHECKING:
    from importlib import metadata

GROUP = "treadle"
"""The entry-point group of third-party plugins."""


class Point(msgspec.Struct, frozen=True, array_like=True):
    """One entry point, the distribution that it comes from ("" when that has no name), where the package or module lies
    that it names ("" when that is not to be found), and where all lie that the distribution says are its own."""

    name: str
    value: str
    distribution: str
    version: str
    place: str
    beside: tuple[str, ...]


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    mark: str
    points: tuple[Point, ...]


def points(file: Path | None) -> tuple[Point, ...]:
    """All entry points of the group. `file` is where they are kept for as long as no folder of the import path changes;
    None looks through the distributions anew."""
    if file is None:
        return _look()
    mark = _mark()
    try:
        kept = msgspec.msgpack.decode(file.read_bytes(), type=_Kept)
        if kept.mark == mark:
            return kept.points
    except (OSError, ValueError, RecursionError):
        pass
    found = _look()
    own_file.keep(file, msgspec.msgpack.encode(_Kept(mark, found)))
    return found


def _mark() -> str:
    """Stands for the folders of the import path as they are now: installing and removing changes one of them."""
    digest = hashlib.sha256(sys.version.encode())
    for place in sys.path:
        folder = Path(place)
        try:
            changed = folder.stat().st_mtime_ns
        except OSError:
            continue
        digest.update(f"{folder.absolute()}:{changed};".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _look() -> tuple[Point, ...]:
    return tuple(map(_point, _entry_points()))


def _point(point: metadata.EntryPoint) -> Point:
    distribution, version = (point.dist.name, point.dist.version) if point.dist else ("", "")
    beside = tuple(sorted(_tops(point.dist))) if point.dist else ()
    return Point(point.name, point.value, distribution, version, str(boot.place_of(point.value) or ""), beside)


def _tops(dist: metadata.Distribution) -> set[str]:
    """The packages and modules at the top of a distribution, by its record of files if it has one."""
    import csv

    try:
        files = dist.files or ()
    except (OSError, ValueError, csv.Error):
        return set()
    tops = {file.parts[0] for file in files if file.suffix == ".py" and not file.is_absolute()}
    places = (Path(str(dist.locate_file(top))) for top in tops - {".."})
    return {str(place) for place in places if place.exists()}


def _entry_points() -> Iterable[metadata.EntryPoint]:
    from importlib import metadata

    try:
        return metadata.entry_points(group=GROUP)
    except (TypeError, ValueError):
        # One distribution's entry_points.txt can't be parsed; the others' still can.
        return [point for dist in metadata.distributions() for point in _entry_points_of(dist)]


def _entry_points_of(dist: metadata.Distribution) -> Iterable[metadata.EntryPoint]:
    try:
        return dist.entry_points.select(group=GROUP)
    except (TypeError, ValueError):
        return ()
