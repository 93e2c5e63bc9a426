import pytest
from subject import break_lines, justify, layout, side_by_side

TEXT = "the quick brown fox jumps over the lazy dog"


def test_break():
    assert list(break_lines(TEXT, 11)) == [
        ["the", "quick"],
        ["brown", "fox"],
        ["jumps", "over"],
        ["the", "lazy"],
        ["dog"],
    ]


def test_long_words():
    assert list(break_lines("a abcdefgh b", 3)) == [["a"], ["abc"], ["def"], ["gh"], ["b"]]
    with pytest.raises(ValueError):
        list(break_lines("a", 0))


def test_justify():
    assert justify(["a", "b", "c"], 8) == "a   b  c"
    assert justify(["alone"], 8) == "alone"


def test_full():
    assert layout(TEXT, 14, "full") == ["the      quick", "brown      fox", "jumps over the", "lazy dog"]


def test_left_and_right():
    assert layout("a bb ccc", 4) == ["a bb", "ccc"]
    assert layout("a bb ccc", 4, align="right") == ["a bb", " ccc"]


def test_center():
    assert layout("a bbb", 4, align="center") == [" a", "bbb"]


def test_side_by_side():
    assert side_by_side(["one", "three"], ["x", "", "z"]) == ["one     x", "three", "        z"]
