"""Lines that fit a terminal lose no word, and stay as they are where there is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from treadle.tui.fitting import columns, fitted

LINE = st.text("ab (`):", max_size=200)


@given(st.lists(LINE), st.integers(40, 120))
def test_no_line_is_longer_and_no_word_is_lost(lines: list[str], width: int) -> None:
    told = fitted("\n".join(lines), width)
    assert told.split() == " ".join(lines).split()
    assert all(len(line) <= width or " " not in line.strip() for line in told.split("\n"))


def test_what_stands_in_columns_goes_on_below_itself() -> None:
    line = "memory-postgres    disabled  (not enabled yet: `treadle plugin enable memory-postgres`)"
    assert fitted(line, 80).split("\n") == [
        "memory-postgres    disabled  (not enabled yet: `treadle plugin enable",
        "                             memory-postgres`)",
    ]
    assert fitted("  the plugin runs in a process of its own, and may read", 40).split("\n")[1] == "  own, and may read"


def test_what_fits_and_what_is_for_no_terminal_stays_as_it_is() -> None:
    text = "a  b\n\n   c" + " d" * 100
    assert fitted(text, 0) == text
    assert fitted(text, 300) == text
    assert columns() == 0, "the tests' output is no terminal"
