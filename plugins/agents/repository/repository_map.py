"""A map of a project for a model: outlines of the most promising files, names of the next, counts of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from treadle.core.models.tokens import estimate
from treadle.core.records import Record
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.repository.ranking import ranked
from treadle.plugins.agents.tools.outlines import outline_of

OUTLINED_SHARE = 0.75
"""The part of the room that outlines may take; names and counts of what else there is have the rest."""
MOST_OUTLINED = 12
MOST_NAMED = 60
_LONGEST_OUTLINE = 0.35
"""The part of the room that one outline may take; a longer one is cut, and says so."""


class RepositoryMap(Record, frozen=True, kw_only=True):
    """The `text` of the map; the files that it has `outlined` and `named`, the best first, and how many were `left_out`
    and are only counted, by folder."""

    text: str
    outlined: tuple[str, ...]
    named: tuple[str, ...]
    left_out: int


def repository_map(tree: Tree, text: str, *, budget_tokens: int, named: Iterable[str] = ()) -> RepositoryMap:
    """The map for a task of that text, in no more than so many tokens as `estimate` counts them. `named` files come
    first. It depends on nothing but the files."""
    files = ranked(tree, text, named=named)
    parts, outlined = _outlines(tree, files, int(budget_tokens * OUTLINED_SHARE))
    left = budget_tokens - estimate("\n\n".join(parts))
    listed, rest = _names(files[len(outlined) :], left)
    if listed:
        parts.append("Also there, the most likely first:\n" + "\n".join(listed))
    if rest:
        parts.append(_counts(rest, budget_tokens - estimate("\n\n".join(parts))))
    return RepositoryMap(
        text="\n\n".join(filter(None, parts)), outlined=tuple(outlined), named=tuple(listed), left_out=len(rest)
    )


def _outlines(tree: Tree, files: tuple[str, ...], room: int) -> tuple[list[str], list[str]]:
    parts: list[str] = []
    outlined: list[str] = []
    most = int(room * _LONGEST_OUTLINE)
    for path in files[:MOST_OUTLINED]:
        outline = _cut(outline_of(path, tree.read(path)), most)
        if estimate("\n\n".join((*parts, outline))) > room:
            break
        parts.append(outline)
        outlined.append(path)
    return parts, outlined


def _cut(outline: str, most: int) -> str:
    """The outline in no more than so many tokens."""
    lines = outline.split("\n")
    kept: list[str] = []
    for number, line in enumerate(lines):
        note = f"  (and {len(lines) - number} more lines: ask for its outline)"
        if estimate("\n".join((*kept, line, note))) > most:
            return "\n".join((*kept, note))
        kept.append(line)
    return outline


def _names(files: tuple[str, ...], room: int) -> tuple[list[str], list[str]]:
    """The names that fit, and the files that are left; some room stays for the counts."""
    kept = 0
    used = estimate("Also there, the most likely first:\n\n")
    for path in files[:MOST_NAMED]:
        used += estimate(path + "\n")
        if used > room * 0.7:
            break
        kept += 1
    return list(files[:kept]), list(files[kept:])


def _counts(files: list[str], room: int) -> str:
    """How many further files there are in each folder, as far as there is room."""
    folders = Counter("/".join(path.split("/")[:-1][:2]) or "." for path in files)
    head = f"And {len(files)} further files, by folder:"
    said: list[str] = []
    for folder, count in sorted(folders.items(), key=lambda each: (-each[1], each[0])):
        line = f"{folder} {count}"
        if estimate("\n\n" + head + " " + ", ".join((*said, line))) > room:
            break
        said.append(line)
    text = f"{head} {', '.join(said)}" if said else f"And {len(files)} further files."
    return text if estimate("\n\n" + text) <= room else ""
