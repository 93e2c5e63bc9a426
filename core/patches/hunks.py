"""A change in hunks, of which a person takes some: what is not taken stays as it is in their files."""

from __future__ import annotations

import difflib
import itertools
from collections import Counter
from collections.abc import Container, Iterable, Iterator

import msgspec

from treadle.core.patches.diff import Before
from treadle.core.records import FileChange, Record

_CONTEXT = 1

MOST_STEPS = 2_000_000
"""Lines of a file that are compared to find its hunks, which takes a second. What takes longer is one hunk."""


class Hunk(Record, frozen=True, kw_only=True):
    """A part of a change that can be taken alone: lines of a text file that are replaced, or `whole`, all that happens
    to a file which is new, deleted, gone, or no text. `line` is where it begins in the file as it is, counted from 1;
    `before` and `after` are the unchanged lines around it."""

    id: str
    path: str
    line: int
    removed: tuple[bytes, ...] = ()
    added: tuple[bytes, ...] = ()
    before: tuple[bytes, ...] = ()
    after: tuple[bytes, ...] = ()
    whole: str = ""


def hunks_of(files: Iterable[FileChange], before: Before) -> tuple[Hunk, ...]:
    """The hunks of these changes to the files as they are `before`, in order. What changes nothing has none."""
    return tuple(hunk for change in files for hunk in _of_file(change, before))


def with_hunks(files: Iterable[FileChange], before: Before, taken: Container[str]) -> tuple[FileChange, ...]:
    """The changes with the hunks of these ids alone; a file of which none is taken is left out."""
    chosen = ((change, [h for h in _of_file(change, before) if h.id in taken]) for change in files)
    return tuple(_with(change, hunks, before) for change, hunks in chosen if hunks)


def _of_file(change: FileChange, before: Before) -> Iterator[Hunk]:
    old = before.read(change.path) if before.exists(change.path) else None
    if whole := _whole(old, change, before):
        lines = tuple((change.content or b"").splitlines(keepends=True)) if _is_text(change.content) else ()
        gone = tuple((old or b"").splitlines(keepends=True)) if change.content is None and _is_text(old) else ()
        yield Hunk(id=f"{change.path}:whole", path=change.path, line=1, removed=gone, added=lines, whole=whole)
        return
    if old is None or change.content is None:
        return  # it is to be deleted, and is gone already
    was, now = old.splitlines(keepends=True), change.content.splitlines(keepends=True)
    for from_, to, left, right in _replaced(was, now):
        yield Hunk(
            id=f"{change.path}:{from_}-{to}",
            path=change.path,
            line=from_ + 1,
            removed=tuple(was[from_:to]),
            added=tuple(now[left:right]),
            before=tuple(was[max(0, from_ - _CONTEXT) : from_]),
            after=tuple(was[to : to + _CONTEXT]),
        )


def _replaced(was: list[bytes], now: list[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """The parts of `was`, from a line to another, that parts of `now` are in the place of; all that is between the
    first line that changes and the last one where finding out more would take too long."""
    least = min(len(was), len(now))
    start = next((n for n in range(least) if was[n] != now[n]), least)
    end = next((n for n in range(least - start) if was[-1 - n] != now[-1 - n]), least - start)
    old, new = was[start : len(was) - end], now[start : len(now) - end]
    try:
        found = _Matcher(old, new).get_opcodes()
    except _TooLong:
        found = [("replace", 0, len(old), 0, len(new))]
    for tag, from_, to, left, right in found:
        if tag != "equal":
            yield start + from_, start + to, start + left, start + right


class _TooLong(Exception):
    pass


class _Matcher(difflib.SequenceMatcher[bytes]):
    """Looks through all that may be alike again for each part that it finds: it raises `_TooLong` before it has done so
    too often."""

    def __init__(self, old: list[bytes], new: list[bytes]) -> None:
        super().__init__(None, old, new, autojunk=False)
        counts = Counter(new)
        self._upto = [0, *itertools.accumulate(1 + counts[line] for line in old)]
        self.steps = 0

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        """As it is, with the steps counted that this takes."""
        self.steps += self._upto[-1 if ahi is None else ahi] - self._upto[alo]
        if self.steps > MOST_STEPS:
            raise _TooLong
        return super().find_longest_match(alo, ahi, blo, bhi)


def _whole(old: bytes | None, change: FileChange, before: Before) -> str:
    """Why the file can't be taken in parts, empty when it can."""
    if change.content is None:
        return "the file is deleted" if old is not None else ""
    if old is None:
        return "a new file" if change.base is None else "the file is gone from your folder; taken, it is made again"
    if change.executable is not None and change.executable != before.executable(change.path):
        return "its mode changes"
    return "" if _is_text(old) and _is_text(change.content) else "it is no text"


def _is_text(content: bytes | None) -> bool:
    return content is not None and b"\0" not in content


def _with(change: FileChange, taken: list[Hunk], before: Before) -> FileChange:
    if taken[0].whole:
        return change
    lines = before.read(change.path).splitlines(keepends=True)
    for hunk in reversed(taken):
        at = hunk.line - 1
        lines[at : at + len(hunk.removed)] = hunk.added
    return msgspec.structs.replace(change, content=b"".join(lines))
