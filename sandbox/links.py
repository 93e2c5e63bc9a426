"""Where a path leads: its real path, and every symbolic link on the way."""

from __future__ import annotations

import os
from collections.abc import Callable

_MOST_LINKS = 40  # as the kernel follows in one path (MAXSYMLINKS)


def read_link(path: str) -> str | None:
    """The target of a symbolic link, None for anything else."""
    try:
        return os.readlink(path)
    except OSError:
        return None


def resolve(path: str, read_link: Callable[[str], str | None] = read_link) -> tuple[str, list[tuple[str, str]]]:
    """The real path of an absolute path, and each symbolic link (place, target) on the way. `read_link` answers None
    for what is no link. Raises OSError for a loop."""
    links: list[tuple[str, str]] = []
    rest = [part for part in path.split("/") if part not in ("", ".")][::-1]
    real = ""
    while rest:
        part = rest.pop()
        if part == "..":
            real = real.rpartition("/")[0]
            continue
        place = f"{real}/{part}"
        target = read_link(place)
        if target is None:
            real = place
            continue
        links.append((place, target))
        if len(links) > _MOST_LINKS:
            raise OSError(f"too many symbolic links in {path}")
        rest.extend([p for p in target.split("/") if p not in ("", ".")][::-1])
        if target.startswith("/"):
            real = ""
    return real or "/", links
