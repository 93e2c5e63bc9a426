"""What plugins have shown, as lines of text."""

from __future__ import annotations

from treadle.core.contributions import Bar, View
from treadle.tui.view_text import lines_of


def test_the_parts_stand_apart_and_columns_below_each_other() -> None:
    view = View(
        title="Tasks",
        text="two lines\nof text",
        heads=("id", "what"),
        rows=(("1", "sleep"), ("22", "x" * 70), ("3",)),
        bars=(Bar(label="all", done=3, total=4), Bar(label="unknown", done=7)),
    )
    assert list(lines_of(view)) == [
        "Tasks",
        "",
        "two lines",
        "of text",
        "",
        "id  what",
        "--  " + "-" * 60,
        "1   sleep",
        "22  " + "x" * 70,
        "3",
        "",
        "all      [###############.....] 3 of 4",
        "unknown  7",
    ]


def test_nothing_of_it_moves_the_cursor() -> None:
    hostile = "a\x1b[2Jb\rc\n"
    view = View(title=hostile, heads=(hostile,), rows=((hostile,),), bars=(Bar(label=hostile, done=1, total=0),))
    assert not any(char in line for line in lines_of(view) for char in "\x1b\r\n")


def test_odd_numbers_make_no_odd_bar() -> None:
    for done, total in ((-5, 10), (50, 10), (3, -1), (0, 0)):
        (line,) = lines_of(View(bars=(Bar(label="x", done=done, total=total),)))
        assert line.count("#") <= 20
        assert str(done) in line


def test_the_time_grows_with_the_length_alone() -> None:
    # A line of millions, and bars by the thousand: what is not linear would not end here.
    view = View(text="\u00e9" * 3_000_000 + "\r" * 1000, bars=tuple(Bar(label=f"b{n}", done=n) for n in range(5000)))
    assert sum(1 for _ in lines_of(view)) == 5002
