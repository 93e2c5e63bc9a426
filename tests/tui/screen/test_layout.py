"""Rows: what is laid out fits, loses no word, and holds nothing that a terminal would obey."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.tui.test_safe_text import CASES, text_of
from treadle.tui.safe_text import clean
from treadle.tui.story.line import Kind, Line, text_lines
from treadle.tui.widgets import layout
from treadle.tui.widgets.layout import ASCII, MOST_CHARACTERS, Row, in_rows, rows_of

WIDTHS = st.integers(min_value=12, max_value=120)
ANY_TEXT = st.text(st.characters(codec=None))
_OBEYED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def laid_out(line: Line, width: int) -> list[Row]:
    return rows_of([line], width, lambda _: True)


@given(ANY_TEXT, ANY_TEXT, WIDTHS, st.sampled_from(["stage", "detail", "text", "code", "result"]))
def test_rows_fit_and_hold_nothing_that_a_terminal_obeys(title: str, result: str, width: int, kind: Kind) -> None:
    for row in laid_out(Line("k", kind, title, "ok", result, seconds=1.0), width):
        assert cell_len(row.text) <= width
        assert not _OBEYED.search(row.text)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1), max_size=12), WIDTHS)
def test_no_word_of_what_is_open_is_lost(words: list[str], width: int) -> None:
    line = Line("k", "detail", " ".join(words), "ok")
    told = "".join(row.text.strip() if n else row.text[4:] for n, row in enumerate(laid_out(line, width)))
    assert told.replace(" ", "") == "".join(words).replace(" ", "")


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])), WIDTHS)
def test_what_a_program_printed_keeps_each_character(text: str, width: int) -> None:
    assert "".join(row.text for row in laid_out(Line("k", "text", text), width)) == text


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_output_is_shown_as_the_case_says(case: dict) -> None:
    text = text_of(case)
    told = "\n".join(row.text for row in rows_of(text_lines("k", text), 4000, lambda _: True))
    if "shown" in case:
        assert told == clean(case["shown"]).expandtabs(4).rstrip("\n")
    for absent in case.get("shown_without", ()):
        assert absent not in told


def test_a_stage_is_one_row_until_it_is_opened() -> None:
    below = [Line("d", "detail", "why")]
    line = Line("k", "stage", "Run the tests", "failed", "one " * 40, seconds=2.0, children=below)
    (closed,) = rows_of([line], 60, lambda _: False)
    assert closed.text.startswith("▸ ✗ Run the tests  one one")
    assert closed.text.endswith("…   2.0 s")
    opened = [row.text for row in rows_of([line], 60, lambda _: True)]
    assert opened[-1] == "    · why"
    assert sum(text.count("one") for text in opened) == 40


def test_results_can_stand_in_a_column() -> None:
    titles = ["one", "seven", "more than that"]
    lines = [Line(title, "stage", title, result="it", column=6) for title in titles]
    rows = [row.text for row in rows_of(lines, 60, lambda _: False)]
    assert rows == ["  · one     it", "  · seven   it", "  · more than that  it"]


@pytest.mark.parametrize(("seconds", "said"), [(0.04, "0.0 s"), (99.94, "99.9 s"), (125, "2:05"), (3725, "1:02:05")])
def test_how_long_it_took(seconds: float, said: str) -> None:
    assert rows_of([Line("k", "stage", "Plan", "ok", seconds=seconds)], 40, lambda _: False)[0].text.endswith(said)


def test_a_terminal_without_unicode_gets_ascii() -> None:
    lines = [Line(state, "stage", "x" * 90, state, children=[Line("d", "detail", "y")]) for state in ASCII.states]
    assert all(row.text.isascii() for row in rows_of(lines, 40, lambda line: line.state != "ok", ASCII))
    assert len(set(ASCII.states.values())) == len(ASCII.states), "no two states look alike"


@pytest.mark.parametrize("kind", ["text", "code", "detail"])
@pytest.mark.parametrize("word", ["x", "word ", "\u4e2d"])
def test_a_long_line_is_looked_through_a_few_times_however_many_rows_it_takes(
    word: str, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0

    def counting(works: Callable[[str], object]) -> Callable[[str], object]:
        def counts(text: str) -> object:
            nonlocal looked_at
            looked_at += len(text)
            return works(text)

        return counts

    for name in ("cell_len", "split_graphemes"):
        monkeypatch.setattr(layout, name, counting(getattr(layout, name)))
    text = (word * MOST_CHARACTERS)[:MOST_CHARACTERS]
    rows = laid_out(Line("k", kind, text), 20)
    assert len(rows) >= MOST_CHARACTERS // 20
    assert looked_at < 8 * len(text)


@pytest.mark.parametrize("kind", ["text", "code", "detail"])
def test_of_a_line_that_is_too_long_the_beginning_is_shown_and_the_rest_is_counted(kind: Kind) -> None:
    rows = laid_out(Line("k", kind, "y" * (MOST_CHARACTERS + 64_000)), 100)
    told = "".join(row.text for row in rows)
    assert told.count("y") == MOST_CHARACTERS
    assert "[64,000 more characters of this line are left out here]" in told
    assert len(rows) < MOST_CHARACTERS / 90


def test_so_it_is_where_a_change_is_shown_otherwise_than_as_a_diff() -> None:
    pieces = [("A" * 6_000, "code"), ("B" * 6_000, "name"), ("C" * 6_000, "code")]
    told = "".join(text for row in in_rows(pieces, 80) for text, _ in row)
    assert (told.count("A"), told.count("B"), told.count("C")) == (6_000, 4_000, 0)
    assert "[8,000 more" in told
    assert sum(len(text) for row in in_rows(pieces[:1], 80) for text, _ in row) == 6_000
