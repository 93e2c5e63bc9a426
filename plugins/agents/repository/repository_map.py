"""A map of a project for a model: outlines of the most promising files, names of the next, counts of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

from treadle.core.counting import counted
from treadle.core.errors import UnsafePath
from treadle.core.models.tokens import estimate
from treadle.core.records import Record
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.hidden import read_visible, visible
from treadle.plugins.agents.repository.outline_cut import cut
from treadle.plugins.agents.repository.ranking import MOST_BYTES, ranked
from treadle.plugins.agents.tools.outlines import outline_of
from treadle.plugins.agents.words import words_of

OUTLINED_SHARE = 0.75
"""The part of the room that outlines may take, and more where names and counts of what else there is need less."""
MOST_OUTLINED = 12
MOST_NAMED = 60
_LARGEST_OUTLINE = 0.3
"""The part of the room that is left which the next outline may take: so the best file is told most of."""
_LEAST_OUTLINE = 120
"""Tokens below which an outline tells too little to be shown; room for as much is given to each."""
_COUNTS_SHARE = 0.3
"""The part of the room for names and counts that names leave to counts."""
_ALSO = "Also there, the most likely first:"


class RepositoryMap(Record, frozen=True, kw_only=True):
    """The `text` of the map; the files that it has `outlined` and `named`, the best first; those that were `left_out`,
    which the text only counts, likewise; and how many files are `no_text`, or could not be read, or came after the
    first 20,000: they were not looked at. Hidden files are none of these."""

    text: str
    outlined: tuple[str, ...]
    named: tuple[str, ...]
    left_out: tuple[str, ...]
    no_text: int = 0

    @property
    def shown(self) -> tuple[str, ...]:
        """The files that the text names, the best first."""
        return self.outlined + self.named


def repository_map(tree: Tree, text: str, *, budget_tokens: int, named: Iterable[str] = ()) -> RepositoryMap:
    """The map for a task of that text, in no more than so many tokens as `estimate` counts them. `named` files come
    first, and each is shown as long as there is room for the names of all of them. It depends on nothing but the
    files."""
    named = tuple(named)
    files = ranked(tree, text, named=named)
    asked = {path.removeprefix("./") for path in named}.intersection(files)
    names = max(_names_cost(asked), min(_names_cost(files), int(budget_tokens * (1 - OUTLINED_SHARE))))
    parts, outlined = _outlines(tree, files, frozenset(words_of(text)), budget_tokens - names)
    done = frozenset(outlined)
    further = [path for path in files if path not in done]
    listed = _that_fit(further, len(asked - done), budget_tokens - _size(parts))
    if listed:
        parts.append("\n".join((_ALSO, *listed)))
    rest = further[len(listed) :]
    no_text = len(visible(tree.files)) - len(files)
    if counts := _counts(rest, no_text, budget_tokens - _size(parts)):
        parts.append(counts)
    return RepositoryMap(
        text="\n\n".join(parts),
        outlined=tuple(outlined),
        named=tuple(listed),
        left_out=tuple(rest),
        no_text=no_text,
    )


def _size(parts: list[str]) -> int:
    """Tokens of the parts and of the blank line before another one."""
    return estimate("".join(f"{part}\n\n" for part in parts))


def _names_cost(files: Collection[str]) -> int:
    """Tokens of a list of the names: each is reckoned by itself, rounded up, so it is never too little."""
    return sum(estimate(f"{path}\n") for path in files) + estimate(f"{_ALSO}\n\n\n") if files else 0


def _outlines(tree: Tree, files: tuple[str, ...], wanted: frozenset[str], room: int) -> tuple[list[str], list[str]]:
    """The outlines, whole if all of them fit, and the files that they are of."""
    best = files[:MOST_OUTLINED]
    whole = [_outline(tree, path) for path in best]
    if _size(whole) <= room:
        return whole, list(best)
    parts: list[str] = []
    for outline in whole:
        left = room - _size(parts)
        shown = cut(outline, wanted, min(left, max(_LEAST_OUTLINE, int(left * _LARGEST_OUTLINE))))
        if shown is None:
            break
        parts.append(shown)
    return parts, list(best[: len(parts)])


def _outline(tree: Tree, path: str) -> str:
    try:
        content = read_visible(tree, path, MOST_BYTES + 1)
    except (OSError, UnsafePath):
        return f"{path}: it can't be read any more"
    if len(content) > MOST_BYTES:
        return f"{path}: more than {MOST_BYTES} bytes, too many to be outlined here"
    return _kept_outline(path, content)


@lru_cache(maxsize=64)
def _kept_outline(path: str, content: bytes) -> str:
    """The outline, kept for the next map of the same files: planner, coder and each attempt make one."""
    return outline_of(path, content)


def _that_fit(files: list[str], asked: int, room: int) -> list[str]:
    """The first files whose names fit; if there are more, some room is left to count them, unless it is needed for one
    of the first `asked`."""
    kept = 0
    used = estimate(f"{_ALSO}\n")
    for path in files[: max(MOST_NAMED, asked)]:
        used += estimate(f"{path}\n")
        if used > (room if kept < asked or kept + 1 == len(files) else room * (1 - _COUNTS_SHARE)):
            break
        kept += 1
    return files[:kept]


def _counts(files: list[str], no_text: int, room: int) -> str:
    """How many further files there are in each folder, as far as there is room; empty when there is none for that."""
    if not files and not no_text:
        return ""
    folders = Counter("/".join(path.split("/")[:-1][:2]) or "." for path in files)
    said = sorted(folders.items(), key=lambda each: (-each[1], each[0]))
    binary = f" {no_text} more hold no text." if no_text else ""
    head = f"And {counted(len(files), 'further file')}"
    for shown in range(len(said), 0, -1):
        others = sum(count for _, count in said[shown:])
        listed = [f"{folder} {count}" for folder, count in said[:shown]] + ([f"elsewhere {others}"] if others else [])
        text = f"{head}, by folder: {', '.join(listed)}.{binary}"
        if estimate(text) <= room:
            return text
    text = f"{head}.{binary}"
    return text if estimate(text) <= room else ""
