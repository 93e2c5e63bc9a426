"""Taking a change in parts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.patches.hunks import hunks_of, with_hunks
from treadle.core.records import FileChange
from treadle.core.tree.workspace import digest

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d"]), max_size=12).map(b"".join)


class Files:
    """Files as they are."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def exists(self, relative: str) -> bool:
        return relative in self._contents

    def read(self, relative: str) -> bytes:
        return self._contents[relative]

    def executable(self, relative: str) -> bool:
        return relative.endswith(".sh")


@given(LINES, LINES)
def test_all_hunks_are_the_change_and_none_is_nothing(old: bytes, new: bytes) -> None:
    files, change = Files({"a": old}), FileChange(path="a", content=new)
    hunks = hunks_of([change], files)
    assert bool(hunks) == (old != new)
    assert with_hunks([change], files, {hunk.id for hunk in hunks}) == ((change,) if hunks else ())
    assert with_hunks([change], files, set()) == ()


@given(LINES, LINES, st.data())
def test_what_is_taken_and_then_the_rest_is_the_change(old: bytes, new: bytes, data: st.DataObject) -> None:
    files, change = Files({"a": old}), FileChange(path="a", content=new)
    hunks = hunks_of([change], files)
    taken = {hunk.id for hunk in hunks if data.draw(st.booleans())}
    part = with_hunks([change], files, taken)
    lines = (part[0].content or b"").splitlines(keepends=True) if part else old.splitlines(keepends=True)
    was = old.splitlines(keepends=True)
    grown = sum(len(hunk.added) - len(hunk.removed) for hunk in hunks if hunk.id in taken)
    assert len(lines) == len(was) + grown


def test_one_of_two_places_is_taken() -> None:
    old = b"".join(b"%d\n" % n for n in range(9))
    new = old.replace(b"1\n", b"one\n").replace(b"7\n", b"seven\n")
    files, change = Files({"a": old}), FileChange(path="a", content=new)
    first, second = hunks_of([change], files)
    assert (first.line, first.removed, first.added, first.before, first.after) == (
        2, (b"1\n",), (b"one\n",), (b"0\n",), (b"2\n",)
    )  # fmt: skip
    (part,) = with_hunks([change], files, {second.id})
    assert part.content == old.replace(b"7\n", b"seven\n")


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        (FileChange(path="new", content=b"x\n"), "a new file"),
        (
            FileChange(path="gone", content=b"x\n", base=digest(b"y\n")),
            "the file is gone from your folder; taken, it is made again",
        ),
        (FileChange(path="a", content=None), "the file is deleted"),
        (FileChange(path="a", content=b"x\0"), "it is no text"),
        (FileChange(path="a", content=b"x\n", executable=True), "its mode changes"),
    ],
)
def test_what_has_no_parts_is_taken_whole(change: FileChange, whole: str) -> None:
    files = Files({"a": b"y\n"})
    (hunk,) = hunks_of([change], files)
    assert hunk.whole == whole
    assert with_hunks([change], files, {hunk.id}) == (change,)


def test_what_is_to_be_deleted_and_is_gone_has_no_hunk() -> None:
    assert hunks_of([FileChange(path="gone", content=None, base=digest(b"y\n"))], Files({})) == ()


def test_files_of_which_nothing_is_taken_stay_as_they_are() -> None:
    files = Files({"a": b"1\n", "b": b"1\n"})
    changes = [FileChange(path="a", content=b"2\n"), FileChange(path="b", content=b"2\n")]
    (of_a, _) = hunks_of(changes, files)
    assert with_hunks(changes, files, {of_a.id}) == (changes[0],)


def test_what_would_take_too_long_to_tell_apart_is_one_hunk() -> None:
    # Each third line is one of 90, none of which is everywhere.
    lines = [b"  k%d\n" % (n // 3 % 90) if n % 3 else b"  u%d: 1,\n" % n for n in range(16_500)]
    changed = [b"changed\n" if n % 1500 == 750 else line for n, line in enumerate(lines)]
    files, change = Files({"a": b"".join(lines)}), FileChange(path="a", content=b"".join(changed))
    (hunk,) = hunks_of([change], files)
    assert (hunk.line, len(hunk.removed), len(hunk.added)) == (751, 15_001, 15_001), "from the first to the last"
    assert with_hunks([change], files, {hunk.id}) == (change,)
    nearby = [b"changed\n" if n in (300, 310) else line for n, line in enumerate(lines)]
    assert [hunk.line for hunk in hunks_of([FileChange(path="a", content=b"".join(nearby))], files)] == [301, 311]
