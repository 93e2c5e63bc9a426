"""What is copied of rows is the text, whatever room they had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.tui.story.line import Line, text_lines
from treadle.tui.widgets.copied import TO_THE_END, Selected, copied
from treadle.tui.widgets.layout import rows_of

DIFF = "+\tdef spread(values): return max(values) - min(values)  # what is far\n-    return 0\n   \n+"
LONG = "one two three four five six seven eight nine ten eleven twelve"


def story() -> list[Line]:
    code = text_lines("code", DIFF, "code")
    told = Line("told", "detail", "Why", result=LONG, seconds=2.0)
    cut = Line("cut", "stage", "Tests", "failed", LONG, seconds=2.0)
    return [Line("all", "task", "Task", children=[told, cut, *code])]


def copy_of(width: int, *only: Selected) -> str:
    rows = rows_of(story(), width, lambda line: line.kind == "task")
    return copied(rows, only or map(Selected, range(len(rows))))


@pytest.mark.parametrize("width", [24, 40, 200])
def test_it_is_the_same_at_each_width(width: int) -> None:
    lines = copy_of(width).split("\n")
    assert lines[0] == "▾ · Task"
    assert " ".join(lines[1].split()).removesuffix(" 2.0 s") == f"· Why {' '.join(LONG.split())}"
    assert lines[1].count(LONG) == 1
    assert LONG in lines[2], "also where it was cut"
    assert "…" not in lines[2]
    assert "\n".join(lines[3:]) == DIFF, "with its tabs, and without an indent"


def test_a_part_of_what_goes_on_in_another_row_is_in_one_line() -> None:
    rows = rows_of(text_lines("code", "+" + "x" * 30 + "end", "code"), 24, lambda _: False)
    assert [row.text for row in rows] == ["+" + "x" * 23, " " + "x" * 7 + "end"]
    assert copied(rows, [Selected(0, 20, TO_THE_END), Selected(1, 0, 10)]) == "x" * 11 + "en"


@given(st.text(st.sampled_from("ab +-"), max_size=60), st.integers(12, 40))
def test_what_goes_on_stands_behind_the_column_of_signs(text: str, width: int) -> None:
    rows = rows_of([Line("k", "code", text)], width, lambda _: False)
    assert all(row.text.startswith(" ") for row in rows[1:])
    assert rows[0].text + "".join(row.text[1:] for row in rows[1:]) == text
    assert all(len(row.text) <= width for row in rows)
    assert copied(rows, map(Selected, range(len(rows)))) == text
