"""Which lines of two texts are the same: right in any case, and never for longer than is given."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.patches import matching
from treadle.core.patches.diff import diff_text
from treadle.core.patches.hunks import hunks_of
from treadle.core.patches.merge import merged
from treadle.core.records import FileChange

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c"]), max_size=40)


class Was:
    """One file as it was."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def exists(self, relative: str) -> bool:
        return True

    def read(self, relative: str) -> bytes:
        return self._content

    def executable(self, relative: str) -> bool:
        return False


@given(LINES, LINES, st.sampled_from([0, 3, 30, 300, 2_000_000]), st.sampled_from([5, 1000]))
def test_the_new_lines_come_of_the_old_ones_however_far_it_got(
    old: list[bytes], new: list[bytes], steps: int, lines: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "MOST_STEPS", steps)
        patch.setattr(matching, "MOST_LINES", lines)
        codes = matching.opcodes(old, new)
    made: list[bytes] = []
    at = to = 0
    for tag, i1, i2, j1, j2 in codes:
        assert (i1, j1) == (at, to)
        assert (old[i1:i2] == new[j1:j2]) == (tag == "equal")
        made += old[i1:i2] if tag == "equal" else new[j1:j2]
        at, to = i2, j2
    assert (at, to, made) == (len(old), len(new), new)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """What has been compared, as `difflib` does it."""
    done = [0]
    works = difflib.SequenceMatcher.find_longest_match

    def counts(self: Any, alo: int, ahi: int, blo: int, bhi: int) -> difflib.Match:
        done[0] += sum(1 + len(self.b2j.get(line, ())) for line in self.a[alo:ahi])
        if done[0] > 5 * matching.MOST_STEPS:
            pytest.fail("it goes on and on")
        return works(self, alo, ahi, blo, bhi)

    monkeypatch.setattr(difflib.SequenceMatcher, "find_longest_match", counts)
    yield done


ROWS = b"".join(b"row %d\n\n" % n for n in range(900))
HARD = {
    "few rows become very many empty lines": (ROWS, b"# a\n" + b"\n" * 200_000),
    "very many empty lines become few rows": (b"# a\n" + b"\n" * 200_000, ROWS),
    "lines of which none is everywhere": (
        b"".join(b"%d\n" % (n % 90) for n in range(20_000)),
        b"x\n" + b"".join(b"%d\n" % (n * 7 % 90) for n in range(20_000)) + b"y\n",
    ),
    "more lines than are told apart": (b"a\n" + b"b\n" * 300_000 + b"c\n", b"1\n" + b"b\n" * 600_000 + b"2\n"),
}


@pytest.mark.parametrize("how", HARD)
def test_nobody_who_writes_a_text_decides_how_long_it_takes_to_be_shown(how: str, steps: list[int]) -> None:
    old, new = HARD[how]
    change = FileChange(path="a.txt", content=new)
    diff = diff_text([change], Was(old)).encode()
    assert steps[0] <= 2 * matching.MOST_STEPS
    assert applied(old, diff) == new
    steps[0] = 0
    assert hunks_of([change], Was(old))
    assert steps[0] <= 2 * matching.MOST_STEPS
    steps[0] = 0
    assert merged(old, new, old) in (new, None)
    assert steps[0] <= 4 * matching.MOST_STEPS


def applied(old: bytes, diff: bytes) -> bytes:
    """What comes of a text by a diff of it, by its hunks alone."""
    was, made, at = old.splitlines(keepends=True), list[bytes](), 0
    for line in diff.splitlines(keepends=True)[4:]:
        if line.startswith(b"@@"):
            start = int(line.split()[1][1:].split(b",")[0]) - 1
            made += was[at:start]
            at = start
        elif line.startswith(b"+"):
            made.append(line[1:])
        else:
            assert was[at] == line[1:]
            made += [] if line.startswith(b"-") else [was[at]]
            at += 1
    return b"".join(made + was[at:])
