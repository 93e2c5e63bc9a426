from __future__ import annotations

import pytest
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


CODE = b"def one():\n    return 1\n\n\ndef two():\n    return 2\n"
NEW = b"def new():\n    found = 3\n    return found\n\n\n"
WITH_NEW = CODE.replace(b"def two", NEW + b"def two")


@pytest.mark.parametrize(
    "mine",
    [
        WITH_NEW.replace(b"return 1\n", b"return 11\n"),
        WITH_NEW.replace(b"return 2\n", b"return 22\n"),
        CODE.replace(b"\n\n\ndef two", b"\n\n" + NEW + b"\ndef two"),
        CODE.replace(b"def two", NEW + b"def newer():\n    return 4\n\n\ndef two"),
    ],
    ids=["after a changed line", "before a changed line", "between other empty lines", "and more"],
)
def test_what_is_put_in_already_is_not_put_in_twice(mine: bytes) -> None:
    assert merged(CODE, mine, WITH_NEW) == mine


@pytest.mark.parametrize(
    "mine",
    [CODE + b"\n\n" + NEW, CODE + b"\n\n" + NEW + b"def newer():\n    return 4\n", b"X = 1\n" + NEW + CODE],
    ids=["elsewhere", "elsewhere, and more", "further up"],
)
def test_what_is_put_in_elsewhere_is_left_to_the_person(mine: bytes) -> None:
    assert merged(CODE, mine, WITH_NEW) is None


def test_brackets_that_both_put_in_are_no_sign_of_the_same() -> None:
    ends = b"      }\n    }\n  }\n"
    both = merged(BASE, b"first() {\n" + ends + BASE, BASE + b"last() {\n" + ends)
    assert both == b"first() {\n" + ends + BASE + b"last() {\n" + ends


def test_a_line_alone_that_both_put_in_is_not_put_in_twice() -> None:
    imports = b"import a\nimport c\n"
    assert merged(imports, b"import a\nimport b\nimport c\n", imports + b"import b\n") is None
    both = merged(BASE, BASE + b"    }\n", BASE.replace(b"2\n", b"2\nif x:\n    return\n    }\n"))
    assert both is not None
    assert both.count(b"    }\n") == 2
