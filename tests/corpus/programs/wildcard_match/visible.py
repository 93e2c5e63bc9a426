import pytest
from subject import BadPattern, matches, parse, select


def test_plain():
    assert matches("readme", "readme")
    assert not matches("readme", "read")
    assert not matches("read", "readme")


def test_star():
    assert matches("notes.txt", "*.txt")
    assert matches("a.b.txt", "a*.txt")
    assert not matches("notes.txt.old", "*.txt")
    assert matches("", "*")


def test_question_mark():
    assert matches("cat", "c?t")
    assert not matches("ct", "c?t")


def test_brackets():
    assert matches("bat", "[bc]at")
    assert not matches("rat", "[bc]at")
    assert matches("rat", "[!bc]at")


def test_open_bracket():
    with pytest.raises(BadPattern):
        matches("x", "[ab")


def test_case():
    assert not matches("README", "readme")
    assert matches("README", "read*", ignore_case=True)


def test_parse():
    assert parse("a**[xy]?") == ["a", "*", "[xy", "?"]


def test_select():
    names = ["a.py", "test_a.py", "b.txt"]
    assert select(names, ["*.py", "-test_*"]) == ["a.py"]
    assert select(names, []) == []
