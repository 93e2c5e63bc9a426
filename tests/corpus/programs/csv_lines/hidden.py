import csv
import io
import random

import pytest
from subject import OpenQuote, join_row, records, split_rows


def test_against_csv():
    rng = random.Random(0)
    for _ in range(120):
        rows = [
            ["".join(rng.choice('ab ,;"\n') for _ in range(rng.randint(0, 4))) for _ in range(rng.randint(1, 4))]
            for _ in range(rng.randint(0, 4))
        ]
        for separator in ",;":
            text = "\n".join(join_row(row, separator) for row in rows)
            assert split_rows(text, separator) == rows
            assert list(csv.reader(io.StringIO(text), delimiter=separator)) == rows
            written = io.StringIO()
            csv.writer(written, delimiter=separator, lineterminator="\r\n").writerows(rows)
            assert split_rows(written.getvalue(), separator) == rows


def test_line_ends():
    assert split_rows("a,b\r\nc\r\n") == [["a", "b"], ["c"]]
    assert split_rows("\n\n") == []
    assert split_rows("a\n\n\nb") == [["a"], ["b"]]
    assert split_rows(",\n") == [["", ""]]
    assert split_rows('"a\r\nb"') == [["a\r\nb"]]


def test_quotes_within():
    assert split_rows('a"b,c') == [['a"b', "c"]]
    assert split_rows('"a"b,c') == [["ab", "c"]]
    assert split_rows('"",""') == [["", ""]]
    assert split_rows('"""",x') == [['"', "x"]]
    for text in ('"', '"a""', 'x\n"y\n'):
        with pytest.raises(OpenQuote, match="not closed"):
            split_rows(text)


def test_joining():
    assert join_row([""]) == '""'
    assert join_row(["", ""]) == ","
    assert join_row([]) == ""
    assert join_row(["a;b", "c,d"], separator=";") == '"a;b";c,d'
    assert join_row(["a\rb", 0, False]) == '"a\rb",0,False'


def test_records():
    assert records("a;b\n1;2;", ",") == [{"a;b": "1;2;"}]
    assert records("a;b\n1;2\n", ";") == [{"a": "1", "b": "2"}]
    assert records("only,names\n") == records("\n") == []
    with pytest.raises(ValueError, match="record 2 has 3 fields, not 2"):
        records("a,b\n1,2\n1,2,3")
