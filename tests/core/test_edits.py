"""Replacing lines: exactly, else apart from white space, once, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treadle.core.errors import ReplyError
from treadle.core.replies.edits import find_once, replace_once
from treadle.core.replies.reply import files_of

CODE = "class A:\n    def f(self):\n        x = 1\n\n        return x\n\n    def g(self):\n        return 2\n"


def replaced(text: str, search: str, replace: str) -> str:
    return replace_once("a.py", text, search.split("\n"), replace.split("\n"))


def refused(text: str, search: str, replace: str = "new") -> str:
    with pytest.raises(ReplyError) as caught:
        replaced(text, search, replace)
    return str(caught.value)


def test_lines_sent_without_their_indentation_are_found_and_what_takes_their_place_is_indented_alike() -> None:
    new = replaced(CODE, "def f(self):\n    x = 1\n\n    return x", "def f(self):\n    if self:\n\n        return 3")
    assert new == CODE.replace("        x = 1\n\n        return x\n", "        if self:\n\n            return 3\n")


def test_lines_sent_with_too_much_indentation_are_moved_back() -> None:
    assert replaced("x = 1\ny = 2\n", "    x = 1\n    y = 2", "    x = 1\n    if x:\n        y = 3") == (
        "x = 1\nif x:\n    y = 3\n"
    )
    assert "can't be moved alike" in refused("x = 1\n", "    x = 1", "x = 3")


def test_white_space_at_the_end_of_lines_does_not_count() -> None:
    assert replaced("x = 1  \n \ny = 2\n", "x = 1\n\ny = 2 ", "z = 3") == "z = 3\n"


def test_exact_lines_come_before_those_apart_from_white_space() -> None:
    assert replaced("    x = 1\nx = 1\n", "x = 1", "x = 2") == "    x = 1\nx = 2\n"


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("if a:\n    b\n", "  if a:\n  b"),
        ("if a:\n    b\n", "if a:\nb"),
        ("  if a:\n      b\n", "if a:\n  b"),
        ("if a:\nb\n", "  if a:\n      b"),
        ("if a:\n\tb\n", "if a:\n    b"),
    ],
)
def test_lines_whose_indentation_differs_in_more_than_one_way_are_not_taken_for_each_other(
    text: str, search: str
) -> None:
    assert "Copy the lines exactly" in refused(text, search)


def test_more_than_one_place_apart_from_white_space_is_said() -> None:
    assert "2 times (apart from white space) (lines 1, 2)" in refused("  x = 1\n    x = 1\n", "x = 1")
    assert "5000 times" in refused(" x\n" * 5000, "x")


def test_search_and_replace_blocks_of_a_reply_are_found_so_too() -> None:
    reply = "a.py\n<<<<<<< SEARCH\nreturn 2\n=======\nreturn 3\n>>>>>>> REPLACE\n"
    (change,) = files_of(reply, {"a.py": CODE})
    assert change.content == CODE.replace("return 2", "return 3").encode()


LINES = st.lists(st.text("ab \t", max_size=6), min_size=1, max_size=8)


@given(before=LINES, middle=LINES, after=LINES, new=LINES)
def test_what_is_there_once_is_replaced_and_the_rest_stays(
    before: list[str], middle: list[str], after: list[str], new: list[str]
) -> None:
    text = "\n".join([*before, *middle, *after]) + "\n"
    try:
        place = find_once("a.py", text.split("\n")[:-1], middle)
    except ReplyError as error:
        assert "times" in str(error)
        return
    assume(place.start == len(before))
    assert place.exact
    assert replace_once("a.py", text, middle, new) == "\n".join([*before, *new, *after]) + "\n"


@given(lines=LINES, more=st.text(" \t", max_size=4), new=LINES)
def test_a_common_indentation_is_given_back(lines: list[str], more: str, new: list[str]) -> None:
    assume(any(line.strip() for line in lines))
    text = "\n".join(more + line for line in lines)
    try:
        found = replace_once("a.py", f"head:\n{text}\nend\n", lines, new)
    except ReplyError as error:
        assert "times" in str(error)
        return
    assert found == "head:\n" + "\n".join(more + line if line.strip() else line for line in new) + "\nend\n"


MIXED = "a = 1\r\nb = 2\nc = 3\r\nd = 4"
"""A text in which only some lines end with CR LF."""


@pytest.mark.parametrize(
    ("search", "replace", "text"),
    [
        ("a = 1", "a = 7", "a = 7\r\nb = 2\nc = 3\r\nd = 4"),
        ("b = 2", "b = 7", "a = 1\r\nb = 7\nc = 3\r\nd = 4"),
        ("a = 1\nb = 2\nc = 3", "b = 2\nc = 3\nx = 0", "b = 2\nc = 3\r\nx = 0\r\nd = 4"),
        ("c = 3\nd = 4", "d = 7", "a = 1\r\nb = 2\nd = 7"),
    ],
)
def test_each_line_keeps_its_own_ending(search: str, replace: str, text: str) -> None:
    assert replaced(MIXED, search, replace) == text


def test_a_diff_lets_each_line_keep_its_own_ending() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,4 @@\n-a = 1\n+a = 7\n b = 2\n+x = 0\n c = 3\n"
    (change,) = files_of(f"```diff\n{diff}```\n", {"a.py": MIXED})
    assert change.content == b"a = 7\r\nb = 2\nx = 0\nc = 3\r\nd = 4"


PEM = "A = 1\n-----BEGIN PRIVATE KEY-----\nMIIEabcd\n-----END PRIVATE KEY-----\nB = 2\n"


def test_lines_with_a_secret_are_neither_shown_nor_lost() -> None:
    assert "MIIEabcd" not in refused(PEM, "MIIEabce")
    hidden = "\n".join(["[redacted]"] * 3)
    assert replaced(PEM, f"A = 1\n{hidden}\nB = 2", f"A = 1\n{hidden}\nB = 3") == PEM.replace("B = 2", "B = 3")
    assert "a secret that you are not shown" in refused(PEM, "A = 1", "A = '[redacted]'")
    with pytest.raises(ReplyError, match="a secret that you are not shown"):
        files_of(f"```python a.py\nA = 1\n{hidden}\nB = 3\n```\n", {"a.py": PEM})
    assert replaced("A = 1\n", "A = 1", "A = '[redacted]'") == "A = '[redacted]'\n"


SECRET = 'KEY = "sk-abcdefghijklmnop1234"'
MARK = 'KEY = "[redacted]"'
KEYS = f"{SECRET}\nA = 1\n"


def edit(search: str, replace: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "reply",
    [
        edit(MARK, "# gone") + edit("A = 1", f"{MARK}\nA = 1"),
        (
            f"```diff\n--- a/a.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-{MARK}\n-A = 1\n"
            f"--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+{MARK}\n```\n"
        ),
    ],
    ids=["one line after the other", "deleted and made"],
)
def test_a_secret_does_not_become_its_mark_in_two_steps_either(reply: str) -> None:
    with pytest.raises(ReplyError, match="a secret that you are not shown"):
        files_of(reply, {"a.py": KEYS})


def test_a_mark_that_a_file_has_itself_is_no_secret() -> None:
    own = f"MARK = '[redacted]'\n{KEYS}"
    (change,) = files_of(edit("A = 1", "A = 2"), {"a.py": own})
    assert change.content == own.replace("A = 1", "A = 2").encode()


def test_an_edit_that_leaves_a_part_out_is_refused() -> None:
    with pytest.raises(ReplyError, match="leaves a part of"):
        files_of(edit("A = 1", "A = 2\n# ... rest of the code unchanged"), {"a.py": "A = 1\nB = 2\n"})
