from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.read_csv import CsvRow, read_csv

cells = st.text(alphabet=st.sampled_from('ab",\n\r; \u00e4'), max_size=6)


@given(st.lists(st.tuples(cells, cells), max_size=8))
def test_what_the_csv_module_wrote_is_read(rows: list[tuple[str, str]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(["x", "y"])
    writer.writerows(rows)
    text.seek(0)
    read = list(read_csv(text))
    assert [(row.values["x"], row.values["y"]) for row in read] == rows
    assert all(row.error is None for row in read)


def test_rows_too_short_and_too_long_are_reported_with_their_line_and_the_rest_is_read() -> None:
    rows = list(read_csv(["a,b", "1", "1,2,3", "", "1,2"]))
    assert [(row.line, row.error) for row in rows] == [
        (2, "expected 2 fields, found 1"),
        (3, "expected 2 fields, found 3"),
        (5, None),
    ]
    assert rows[2].values == {"a": "1", "b": "2"}


def test_text_after_a_closing_quote_is_one_bad_row() -> None:
    rows = list(read_csv(["a,b\n", '"x"y,2\n', "1,2\n"]))
    assert [row.error is None for row in rows] == [False, True]
    assert rows[1].values == {"a": "1", "b": "2"}


def test_a_quote_that_is_never_closed_is_one_bad_row() -> None:
    rows = list(read_csv(["a,b\n", "1,2\n", '"x,2\n', "3,4\n"]))
    assert rows[0].values == {"a": "1", "b": "2"}
    assert len(rows) == 2 and rows[1].error is not None


def test_a_field_over_several_lines_counts_the_line_on_which_the_row_ends() -> None:
    rows = list(read_csv(["a,b\n", '"one\n', 'two",2\n', "3,4\n"]))
    assert rows == [CsvRow(3, {"a": "one\ntwo", "b": "2"}), CsvRow(4, {"a": "3", "b": "4"})]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "no header"),
        (["", "\n"], "no header"),
        (["a,b,a", "1,2,3"], "twice: a"),
        (["a,,c"], "column 2 has no name"),
        (["a,b"], "lacks price"),
        (['"a"b,price'], "can not be read"),
    ],
)
def test_a_header_that_will_not_do_is_refused_before_any_row(lines: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_csv(lines, required=["price"] if "price" in reason or "read" in reason else [])


def test_a_byte_order_mark_is_dropped_and_another_delimiter_works(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_bytes(b"\xef\xbb\xbfname;n\r\ntea;1\r\n")
    with (tmp_path / "f.csv").open(encoding="utf-8", newline="") as stream:
        assert list(read_csv(stream, required=["name"], delimiter=";")) == [CsvRow(2, {"name": "tea", "n": "1"})]


def test_an_endless_source_is_read_row_by_row() -> None:
    def endless():  # type: ignore[no-untyped-def]
        yield "n"
        n = 0
        while True:
            yield str(n)
            n += 1

    rows = read_csv(endless())
    assert [next(rows).values["n"] for _ in range(3)] == ["0", "1", "2"]
