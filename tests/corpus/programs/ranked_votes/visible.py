import pytest
from subject import InvalidBallot, borda, check, plurality, runoff

BALLOTS = [["a", "b", "c"]] * 4 + [["b", "c", "a"]] * 3 + [["c", "b", "a"]] * 2


def test_check():
    assert check([["a"], [], ["b", "a"]], {"a", "b"}) == [["a"], ["b", "a"]]


def test_invalid():
    for ballot in (["a", "a"], ["a", "z"]):
        with pytest.raises(InvalidBallot):
            check([ballot], {"a", "b"})


def test_plurality():
    assert plurality(BALLOTS) == ["a"]
    assert plurality([["b"], ["a"]]) == ["a", "b"]
    assert plurality([]) == []


def test_borda():
    assert borda(BALLOTS, {"a", "b", "c"}) == {"b": 12, "a": 8, "c": 7}


def test_borda_left_out():
    assert borda([["a"]], {"a", "b", "c"}) == {"a": 2, "b": 0, "c": 0}


def test_runoff():
    assert runoff(BALLOTS, {"a", "b", "c"}) == ("b", ["c"])


def test_runoff_majority():
    assert runoff([["a"], ["a"], ["b"]], {"a", "b"}) == ("a", [])


def test_runoff_ties():
    assert runoff([["a"], ["b"]], {"a", "b"}) == ("a", ["b"])
    with pytest.raises(ValueError):
        runoff([], set())
