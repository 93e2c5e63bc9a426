"""Which packages a project declares that it needs, and which of them a change brings in."""

from __future__ import annotations

import configparser
import re
from typing import Protocol

from treadle.core.errors import UnsafePath
from treadle.core.packages.readers import Named, reader_of


class Files(Protocol):
    """The files as they were before a change, such as a `Tree`."""

    def exists(self, relative: str) -> bool: ...

    def read(self, relative: str) -> bytes: ...


def declares(path: str) -> bool:
    """Whether a file of this name may declare packages."""
    return reader_of(path) is not None


def before(path: str, tree: Files) -> bytes | None:
    """What a file held before the change, None where it did not exist or is none that can be read."""
    try:
        return tree.read(path) if tree.exists(path) else None
    except (OSError, UnsafePath):
        return None


def added(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """The packages that the file names after the change and did not before, or takes from another place, sorted. A file
    that can't be read any more counts as if it named nothing, and one that could not be read before as if it had named
    nothing."""
    known = declared(path, before or b"")
    return tuple(
        name
        for name, now in declared(path, after or b"").items()
        if name not in known or known[name].place != now.place
    )


def newly_wanted(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """What would be asked of a package index after the change and not before it (PEP 508): new packages, and other
    versions."""
    known = {each.wanted for each in declared(path, before or b"").values()}
    return tuple(
        each.wanted for each in declared(path, after or b"").values() if each.wanted and each.wanted not in known
    )


def declared(path: str, content: bytes) -> dict[str, Named]:
    """The packages that a file declares, by their names as they are compared (PEP 503; those of JavaScript as they
    are), sorted; none when it is no such file, or can't be read."""
    reader = reader_of(path)
    if reader is None:
        return {}
    found: dict[str, Named] = {}
    try:
        for each in reader(content.decode("utf-8", "replace")):
            name = each.name if path.endswith("package.json") else re.sub(r"[-_.]+", "-", each.name).lower()
            # A second mention, in a group say, adds what the first does not tell.
            said = found.get(name, Named(name))
            found[name] = Named(name, said.wanted or each.wanted, said.place or each.place)
    except (ValueError, SyntaxError, RecursionError, MemoryError, configparser.Error):
        return {}
    return dict(sorted(found.items()))
