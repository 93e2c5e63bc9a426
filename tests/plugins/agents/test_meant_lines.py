"""Which lines an edit means that does not search for them as they are."""

from __future__ import annotations

import pytest

from treadle.core.errors import ReplyError
from treadle.plugins.agents.tools.meant_lines import lines_meant


def test_a_search_for_a_number_alone_means_no_empty_line() -> None:
    assert lines_meant("a.py", "x = 5\n\ny = 1\n", "5", "x") == ("x = 5", "x = x")


@pytest.mark.parametrize(
    ("replace", "new"),
    [
        ("1  a = [\n42\n", "a = [\n42\n"),
        ("1  a = [\n2\n3  b", "a = [\n\nb"),
        ("  1  a = [\n  7,", "a = [\n  7,"),
    ],
    ids=["a line that is a number", "an empty line's number", "not numbered"],
)
def test_lines_lose_the_numbers_that_they_were_shown_with(replace: str, new: str) -> None:
    assert lines_meant("a.py", "a = [\n7,\n]\n", "1  a = [", replace) == ("a = [", new)


@pytest.mark.parametrize("text", ["x = 1.5\n", "x = 10\n", "xx = 1\n"])
def test_a_part_of_a_line_ends_with_its_words_and_numbers(text: str) -> None:
    assert lines_meant("a.py", text, "x = 1", "x = 2") is None
    assert lines_meant("a.py", f"({text})\n", text.strip(), "y") == (f"({text.strip()}", "(y")


def test_a_name_of_its_own_is_meant_before_an_attribute() -> None:
    text = "self.x = 1\nif y: x = 1\n"
    assert lines_meant("a.py", text, "x = 1", "x = 2") == ("if y: x = 1", "if y: x = 2")
    assert lines_meant("a.py", text[:11], "x = 1", "x = 2") == ("self.x = 1", "self.x = 2")
    for more in ("if z: x = 1\n", "(x = 1)\n"):
        with pytest.raises(ReplyError, match=r"a.py 2 times \(lines 2, 3\)"):
            lines_meant("a.py", text + more, "x = 1", "x = 2")
    with pytest.raises(ReplyError, match=r"\(lines 1, 2\)"):
        lines_meant("a.py", "self.x = 1\na.x = 1\n", "x = 1", "x = 2")
