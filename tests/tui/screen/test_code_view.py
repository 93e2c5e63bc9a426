"""The change as it is looked at: how much of a large one is shown, and when it is laid out."""

from __future__ import annotations

import pytest

from tests.tui.screen.test_hostile_text import diff_of
from treadle.core.records import FileChange
from treadle.tui.screen.code_view import CodeView
from treadle.tui.story.changes import MOST_LINES, beginning_of
from treadle.tui.widgets.copied import Selected, copied
from treadle.tui.widgets.layout import UNICODE


def view_of(text: str) -> CodeView:
    view = CodeView(lambda _: (FileChange(path="a.py", content=text.encode()),), UNICODE, ascii_only=False)
    view.take(diff_of(text), 1)
    return view


@pytest.mark.parametrize(("lines", "more"), [(MOST_LINES - 1, 0), (MOST_LINES, 0), (MOST_LINES + 1, 1)])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_beginning_of_a_text_and_how_many_lines_are_left_out(lines: int, more: int, end: str) -> None:
    text = "\n".join(["x"] * lines) + end
    beginning, left_out = beginning_of(text)
    assert left_out == more
    assert len(beginning.splitlines()) == min(lines, MOST_LINES)


@pytest.mark.parametrize("ways", [0, 1, 2])
def test_of_a_very_large_change_the_beginning_is_shown_and_the_rest_is_told(ways: int) -> None:
    view = view_of("\n".join(f"line = {n}" for n in range(3 * MOST_LINES)))
    for _ in range(ways):
        view.next_mode()
    rows = view.rows(100)
    assert len(rows) < MOST_LINES + 10
    assert "lines more; /open shows the file in your editor" in rows[-1].text
    assert int(rows[-1].text.split()[1].replace(",", "")) >= 2 * MOST_LINES


def test_a_change_is_laid_out_anew_only_when_it_is_looked_at_otherwise() -> None:
    view = view_of("one\ntwo")
    before = view.rows(80)
    assert view.rows(80) is before
    view.turn(before[1].line, opened=False)
    closed = view.rows(80)
    assert len(closed) < len(before)
    view.turn(closed[1].line, opened=True)
    assert [row.text for row in view.rows(80)] == [row.text for row in before]
    assert [row.text for row in view.rows(30)] != [row.text for row in before]
    view.take(diff_of("three"), 2)
    assert any("three" in row.text for row in view.rows(80))
    assert not any("two" in row.text for row in view.rows(80))


SHORT = "import a\n\n\ndef f():\n\n    return 1"


def test_blank_lines_of_a_file_are_copied_as_blank_lines() -> None:
    view = view_of(SHORT)
    view.next_mode()
    view.next_mode()
    assert copy_of(view).endswith(SHORT)


def test_of_two_columns_each_row_is_copied_as_it_stands() -> None:
    view = view_of(SHORT)
    view.next_mode()
    rows = [row.text.rstrip() for row in view.rows(60)][2:]
    assert len(rows) >= 6
    assert copy_of(view).split("\n")[-len(rows) :] == rows


def copy_of(view: CodeView) -> str:
    rows = view.rows(60)
    return copied(rows, map(Selected, range(len(rows))))
