"""A change in hunks, of which a person takes some: what is not taken stays as it is in their files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

import msgspec

from treadle.core.patches.diff import Before
from treadle.core.patches.matching import alike, opcodes
from treadle.core.records import FileChange, Record

_CONTEXT = 1


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
    start = alike(was, now)
    end = alike(was[start:][::-1], now[start:][::-1])
    for tag, from_, to, left, right in opcodes(was[start : len(was) - end], now[start : len(now) - end]):
        if tag != "equal":
            yield start + from_, start + to, start + left, start + right


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
