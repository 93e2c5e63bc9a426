"""Words that are looked for in rows, also where a row ends in them."""

from __future__ import annotations

import pytest

from treadle.tui.story.line import Line, detail
from treadle.tui.widgets.found import Found
from treadle.tui.widgets.layout import Row, rows_of


def rows(*lines: Line, width: int = 20) -> list[Row]:
    return rows_of(list(lines), width, lambda line: False)


def marked(shown: list[Row], words: str) -> list[str]:
    """What of each row is marked, for the rows that have something."""
    found = Found(shown, words)
    return [row.text[start:end] for n, row in enumerate(shown) for start, end in found.spans(n)]


def begins(shown: list[Row], words: str) -> list[int]:
    found = Found(shown, words)
    return [n for n in range(len(shown)) if found.begins_at(n)]


def test_words_are_found_whatever_their_case_and_each_time() -> None:
    shown = rows(Line("a", "text", "one İ Two two"), Line("b", "text", "none"))
    assert marked(shown, "two") == ["Two", "two"]
    assert begins(shown, "two") == [0]
    assert marked(shown, "a.b") == marked(shown, "") == []


def test_words_that_go_on_in_the_next_row_are_found() -> None:
    shown = rows(detail("a", "the quick brown fox jumps"))
    assert [row.text.strip(" ·") for row in shown] == ["the quick brown", "fox jumps"]
    assert marked(shown, "brown fox") == ["brown", "fox"]
    assert begins(shown, "brown fox") == [0]
    assert marked(shown, "brownfox") == ["brown", "fox"], "nobody knows whether a blank has gone there"
    assert marked(shown, "brown  fox") == []


def test_a_long_word_in_several_rows_is_found() -> None:
    shown = rows(Line("a", "text", "x" * 18 + "needle" + "y" * 40))
    assert marked(shown, "needle") == ["ne", "edle"]
    assert begins(shown, "y" * 40) == [1]
    assert len(marked(shown, "y" * 40)) == 3


def test_the_time_at_the_end_of_the_first_row_is_not_in_between() -> None:
    line = Line("a", "detail", "several words that break over", seconds=1.5)
    shown = rows(line, width=30)
    assert "1.5 s" in shown[0].text
    assert len(shown) > 1
    assert "".join(marked(shown, "words that break over")).replace(" ", "") == "wordsthatbreakover"


def test_what_ends_one_line_and_begins_the_next_is_not_found() -> None:
    shown = rows(Line("a", "text", "the end"), Line("b", "text", "begins"))
    assert marked(shown, "end begins") == marked(shown, "endbegins") == []


@pytest.mark.parametrize("length", [60_000])
def test_a_line_in_very_many_rows_is_looked_through_once(length: int) -> None:
    shown = rows(Line("a", "text", "ab" * (length // 2)))
    told = [n for n, row in enumerate(shown) if "abab" in row.text]
    assert len(told) > 400
    assert set(begins(shown, "b")) >= set(told)
    assert len(marked(shown, "ab")) > 4000
