import pytest
from subject import OpenQuote, join_row, records, split_rows


def test_split():
    assert split_rows("a,b,c\n1,2,3\n") == [["a", "b", "c"], ["1", "2", "3"]]


def test_quotes():
    assert split_rows('a,"b,c","say ""hi"""') == [["a", "b,c", 'say "hi"']]
    assert split_rows('"two\nlines",x') == [["two\nlines", "x"]]


def test_empty_fields():
    assert split_rows("a,,\n\n,b") == [["a", "", ""], ["", "b"]]
    assert split_rows('""\n') == [[""]]


def test_open_quote():
    with pytest.raises(OpenQuote):
        split_rows('a,"b')


def test_separator():
    assert split_rows("a;b,c", separator=";") == [["a", "b,c"]]


def test_join():
    assert join_row(["a", 1, None, "x,y", 'q"']) == 'a,1,,"x,y","q"""'


def test_records():
    assert records("name,age\nann,7\nbob") == [{"name": "ann", "age": "7"}, {"name": "bob", "age": ""}]
    assert records("") == []
    with pytest.raises(ValueError):
        records("a\n1,2")
