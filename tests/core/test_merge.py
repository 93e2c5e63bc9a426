from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from treadle.core.patches.merge import merged

TEXT = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d"]), max_size=6).map(b"".join)
BASE = b"1\n2\n3\n4\n5\n"


def test_changes_of_different_lines_go_together() -> None:
    assert merged(BASE, b"one\n2\n3\n4\n5\n", b"1\n2\n3\n4\n5\n6\n") == b"one\n2\n3\n4\n5\n6\n"
    assert merged(BASE, b"2\n3\n4\n5\n", b"1\n2\n3\nfour\n5") == b"2\n3\nfour\n5"


def test_changes_of_the_same_lines_or_of_neighbours_do_not() -> None:
    assert merged(BASE, b"1\ntwo\n3\n4\n5\n", b"1\nTWO\n3\n4\n5\n") is None
    assert merged(BASE, b"1\ntwo\n3\n4\n5\n", b"1\n2\nthree\n4\n5\n") is None
    assert merged(BASE, BASE + b"mine\n", BASE + b"theirs\n") is None


def test_what_is_no_text_is_not_merged() -> None:
    assert merged(BASE, b"\0" + BASE, BASE + b"6\n") is None


def test_the_same_change_is_made_once() -> None:
    assert merged(BASE, BASE + b"6\n", b"0\n" + BASE + b"6\n") == b"0\n" + BASE + b"6\n"


@given(base=TEXT, one=TEXT)
def test_with_one_side_unchanged_the_other_side_comes_of_it(base: bytes, one: bytes) -> None:
    assert merged(base, one, base) == one
    assert merged(base, base, one) == one
    assert merged(base, one, one) in (one, None)
