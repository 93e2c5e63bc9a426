import random
import textwrap

import pytest
from subject import break_lines, justify, layout, side_by_side


def test_against_textwrap():
    rng = random.Random(0)
    for _ in range(120):
        width = rng.randint(4, 14)
        words = ["x" * rng.randint(1, min(width, 6)) for _ in range(rng.randint(0, 12))]
        text = "  ".join(words) + "\n"
        expected = textwrap.wrap(" ".join(words), width)
        assert [" ".join(line) for line in break_lines(text, width)] == expected
        assert layout(text, width) == expected
        assert layout(text, width, "right") == [line.rjust(width) for line in expected]
        assert [line.strip() for line in layout(text, width, "center")] == expected
        full = layout(text, width, "full")
        assert [line.split() for line in full] == [line.split() for line in expected]
        assert full[-1:] == expected[-1:]
        for line in full[:-1]:
            assert len(line) == width or " " not in line
            gaps = [len(gap) for gap in line.replace("x", "|").split("|") if gap]
            assert gaps == sorted(gaps, reverse=True)
            assert not gaps or gaps[0] - gaps[-1] <= 1


def test_cut_words():
    assert list(break_lines("abcdef", 3)) == [["abc"], ["def"]]
    assert list(break_lines("abcdefg hi", 3)) == [["abc"], ["def"], ["g"], ["hi"]]
    assert list(break_lines("abcd e", 3)) == [["abc"], ["d", "e"]]
    assert list(break_lines("x abcd", 3)) == [["x"], ["abc"], ["d"]]
    assert list(break_lines("", 3)) == []
    with pytest.raises(ValueError, match="no width"):
        list(break_lines("abc", -1))


def test_justified_lines():
    assert justify(["a", "b"], 5) == "a   b"
    assert justify(["ab", "cd"], 5) == "ab cd"
    assert justify(["a", "b", "c", "d"], 12) == "a   b   c  d"


def test_centers():
    assert layout("ab", 7, "center") == ["  ab"]
    assert layout("ab", 2, "center") == ["ab"]
    assert layout("", 5, "full") == []


def test_columns():
    assert side_by_side([], ["a"]) == ["   a"]
    assert side_by_side(["a"], []) == ["a"]
    assert side_by_side(["a", "bc"], ["d", "e"], gap=1) == ["a  d", "bc e"]
    assert side_by_side([], []) == []
    assert side_by_side(["abc", ""], ["1", "2", "3"], gap=0) == ["abc1", "   2", "   3"]
