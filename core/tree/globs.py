"""File names by patterns that anybody may have written, in time that grows with the name only, whatever the pattern."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence

_ANY_FOLDERS = "**"

Fits = Callable[[str], object]


class Glob:
    """A pattern for whole names: `*` and `?` within a part, `**` as a part for any number of folders, or, as the last
    one, for all that lies below. Names of files never begin with `/` or `./`, and never end with `/`: in a pattern that
    stands for the project's own folder, and for all that lies below, so that who protects `src/` protects something."""

    def __init__(self, pattern: str) -> None:
        pattern += _ANY_FOLDERS if pattern.endswith("/") else ""
        pattern = pattern.removeprefix(".").lstrip("/") if pattern.startswith(("/", "./")) else pattern
        self._parts: list[Fits | None] = []
        """What each part has to fit; None for any number of them."""
        for part in pattern.split("/"):
            if part != _ANY_FOLDERS:
                self._parts.append(_fits(part))
            elif self._parts[-1:] != [None]:
                self._parts.append(None)
        if pattern.endswith(f"/{_ANY_FOLDERS}"):
            self._parts[-1:] = [_fits("*"), None]  # below the folder, which itself is no file

    def fits(self, name: str) -> bool:
        """Whether it means that file."""
        return _fit(self._parts, name.split("/"))


def _fit(parts: Sequence[Fits | None], names: Sequence[str]) -> bool:
    """Whether the parts fit the names one after the other. Of two places where what stands behind a `**` fits, the
    first is never worse, since another `**` can take what lies between: so only the last one is ever gone back to."""
    at = known = 0
    back: tuple[int, int] | None = None
    while known < len(names):
        part = parts[at] if at < len(parts) else _nothing
        if part is None:
            back = (at, known)
            at += 1
        elif part(names[known]):
            at, known = at + 1, known + 1
        elif back is None:
            return False
        else:
            back = (back[0], back[1] + 1)
            at, known = back[0] + 1, back[1]
    return all(part is None for part in parts[at:])


def _nothing(name: str) -> bool:
    return False


def _fits(part: str) -> Fits:
    # Python's own translation never goes back to an earlier `*` either. It would take [ for a set of characters.
    return re.compile(fnmatch.translate(part.replace("[", "[[]"))).match
