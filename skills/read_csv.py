"""Read a CSV file row by row as dictionaries, so that a bad row is reported with its line and the rest is still read.

RFC 4180 quoting. Stricter than `csv.DictReader`, which fills short rows with None and hides long ones.

Thread safety: the iterator must be used by one thread at a time, as any generator.

Words: csv, rows, table, stream, read, parse, columns, header, errors.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ["CsvRow", "read_csv"]


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row. `line` is the physical line on which it ends, counted from 1 (a quoted field can span several). `error`
    is None when `values` holds every column, else the reason why it is empty."""

    line: int
    values: dict[str, str] = field(default_factory=dict)
    error: str | None = None


def read_csv(lines: Iterable[str], *, required: Iterable[str] = (), delimiter: str = ",") -> Iterator[CsvRow]:
    """Every row below the header, good or bad, in order; blank lines are passed over, and a byte order mark is dropped.
    Open files with `newline=""`, as the csv module asks. A quote that is never closed takes in all up to the next quote
    or the end: that is how CSV is read, and comes out as one bad row.

    Raises `ValueError` at once when there is no header, when it names a column twice, has a column without a name, can
    not be parsed, or lacks one of `required`. Later only what `lines` raises.

    >>> text = ["name,price", "tea,3", "milk", '"rice, brown",2']
    >>> for row in read_csv(text, required=["price"]):
    ...     print(row.line, row.values, row.error)
    2 {'name': 'tea', 'price': '3'} None
    3 {} expected 2 fields, found 1
    4 {'name': 'rice, brown', 'price': '2'} None
    """
    reader = csv.reader(_without_mark(lines), delimiter=delimiter, strict=True)
    try:
        header = next((row for row in reader if row), None)
    except csv.Error as error:
        raise ValueError(f"the header on line {reader.line_num} can not be read: {error}") from error
    if header is None:
        raise ValueError("there is no header line")
    if "" in header:
        raise ValueError(f"column {header.index('') + 1} has no name")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise ValueError(f"the header names a column twice: {', '.join(twice)}")
    missing = [name for name in required if name not in header]
    if missing:
        raise ValueError(f"the header lacks {', '.join(missing)}; it has {', '.join(header)}")

    def rows() -> Iterator[CsvRow]:
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                yield CsvRow(reader.line_num, error=str(error))
                continue
            if row is None:
                return
            if len(row) == len(header):
                yield CsvRow(reader.line_num, dict(zip(header, row, strict=True)))
            elif row:
                yield CsvRow(reader.line_num, error=f"expected {len(header)} fields, found {len(row)}")

    return rows()


def _without_mark(lines: Iterable[str]) -> Iterator[str]:
    first = True
    for line in lines:
        yield line.removeprefix("\ufeff") if first else line
        first = False
