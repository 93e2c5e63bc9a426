"""Where a project begins: asked before anything of it is opened."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from treadle.core.errors import UsageError
from treadle.core.paths import encode
from treadle.core.tree.markers import MARKERS, PACKAGE_MARKERS


def find_root(path: Path, home: Path | None) -> Path:
    """The root of the project that holds `path`: the nearest folder at or above it with one of `MARKERS`, never the
    home folder or one above it (`home` None: there is none). Without any, the nearest with one of `PACKAGE_MARKERS`,
    else the folder itself. Raises `UsageError` when there is no such path."""
    if not path.exists():
        raise UsageError(f"{str(path)!r} does not exist")
    folder = (path if path.is_dir() else path.parent).resolve()
    if any("\ud800" <= char <= "\udfff" for char in str(folder)):
        raise UsageError(f"the path of the project, {encode(folder)}, is not UTF-8; rename that folder first")
    places = list(
        itertools.takewhile(
            lambda place: home is None or (place != home and place not in home.parents), (folder, *folder.parents)
        )
    )
    for markers in (MARKERS, PACKAGE_MARKERS):
        for place in places:
            if any(os.path.lexists(place / marker) for marker in markers):
                return place
    return folder
