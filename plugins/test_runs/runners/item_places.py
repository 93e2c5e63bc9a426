"""Which of the collected tests lie at a place that a person has named.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import difflib
import os
from typing import Any, Iterable

MOST_NEAR = 3


class Places:
    """Files, folders and tests by the names that pytest gives them. pytest names files from a root folder that depends
    on what it is given, a person from the folder in which it is started: so the files themselves are compared."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._real: dict[str, str] = {}

    def hold(self, places: Iterable[str], item: Any) -> bool:
        """Whether the test lies at one of these places."""
        path = self._real_path(str(getattr(item, "path", None) or item.fspath))
        inside = item.nodeid.partition("::")[2]
        return any(self._holds(place, path, inside) for place in places)

    def without_any(self, places: Iterable[str], items: list[Any]) -> list[str]:
        """Those of the places at which none of the tests lies."""
        return [place for place in places if not any(self.hold((place,), item) for item in items)]

    def _holds(self, place: str, path: str, inside: str) -> bool:
        file, _, test = place.partition("::")
        there = self._real_path(file)
        if test:
            return path == there and (inside == test or inside.startswith((test + "::", test + "[")))
        return path == there or path.startswith(os.path.join(there, ""))

    def _real_path(self, path: str) -> str:
        """The file itself. Each link on the way to it is read from disk: so once for all tests of the file."""
        if path not in self._real:
            self._real[path] = os.path.realpath(os.path.join(self._folder, path))
        return self._real[path]


def nearest(place: str, items: Iterable[Any]) -> str:
    """The tests that may have been meant, as the end of a sentence."""
    names = list(dict.fromkeys(item.nodeid for item in items))
    found = difflib.get_close_matches(place, names, MOST_NEAR, 0.6)
    return "; the nearest {} {}".format("are" if len(found) > 1 else "is", ", ".join(found)) if found else ""
