"""A project's files as the candidate would have them: those that were given, over those on the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from treadle.core.errors import UnsafePath
from treadle.core.paths import on_disk
from treadle.core.records import FileChange
from treadle.core.tree.reading import read_regular
from treadle.plugins.languages.javascript.masking import masked

_LARGEST = 1_000_000
_COMMA_BEFORE_END = re.compile(r",(\s*[}\]])")


class ProjectFiles:
    """Reads, and never runs anything."""

    def __init__(self, root: str, given: Iterable[FileChange] = ()) -> None:
        self.root = root
        self._given = {change.path: change.content for change in given}

    @property
    def given(self) -> tuple[str, ...]:
        """The paths of the given files that are not deletions."""
        return tuple(path for path, content in self._given.items() if content is not None)

    def read(self, path: str) -> str | None:
        """The text of a file by its portable path; None where there is none that can be read."""
        if path in self._given:
            content = self._given[path]
            return None if content is None else content.decode("utf-8", "replace")
        try:
            return read_regular(Path(self.root).resolve(), path, _LARGEST).decode("utf-8", "replace")
        except (OSError, UnsafePath):
            return None

    def has(self, path: str) -> bool:
        """Whether there is such a file, or a link to one."""
        return self._given.get(path) is not None or (path not in self._given and on_disk(self.root, path).is_file())

    def json(self, path: str) -> dict[str, Any]:
        """The object in a JSON file, which may hold comments and commas too many, as TypeScript allows; empty when
        there is none."""
        text = self.read(path)
        if text is None:
            return {}
        plain = masked(text).strings
        for attempt in (text, plain, _COMMA_BEFORE_END.sub(r"\1", plain)):
            try:
                found = json.loads(attempt)
            except (ValueError, RecursionError):
                continue
            return found if isinstance(found, dict) else {}
        return {}

    def folder_of_package(self, path: str) -> str:
        """The nearest folder at or above the file that holds a package.json; "" is the project's own, with or without
        one."""
        return next((folder for folder in upwards(path) if self.has(join(folder, "package.json"))), "")

    def program(self, folder: str, name: str) -> str:
        """The path of a program that the project has installed, seen from that folder; "" when it has none."""
        places = (join(above, f"node_modules/.bin/{name}") for above in (folder, *upwards(folder)))
        return next((place for place in places if on_disk(self.root, place).is_file()), "")


def upwards(path: str) -> Iterator[str]:
    """The folders that hold a path, the nearest first, "" (the project's root) last."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
    if path:
        yield ""


def join(folder: str, name: str) -> str:
    """A name inside of a folder of the project."""
    return f"{folder}/{name}" if folder else name
