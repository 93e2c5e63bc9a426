import functools
import random

from subject import gaps, natural_sorted, next_name, sort_key


def pieces(name):
    out = []
    for c in name.casefold():
        if out and c.isdigit() == out[-1][0].isdigit():
            out[-1] += c
        else:
            out.append(c)
    return out


def compare(one, other):
    for a, b in zip(pieces(one), pieces(other), strict=False):
        if a.isdigit() != b.isdigit():
            return -1 if a.isdigit() else 1
        x, y = (int(a), int(b)) if a.isdigit() else (a, b)
        if x != y:
            return -1 if x < y else 1
    a, b = (len(pieces(one)), one), (len(pieces(other)), other)
    return (a > b) - (a < b)


def test_against_comparing():
    rng = random.Random(0)
    for _ in range(60):
        names = ["".join(rng.choice("aB012-") for _ in range(rng.randint(0, 5))) for _ in range(7)]
        expected = sorted(names, key=functools.cmp_to_key(compare))
        assert natural_sorted(names) == expected
        assert natural_sorted(names, reverse=True) == expected[::-1]


def test_zeros():
    assert natural_sorted(["a1", "a01", "a001", "a02"]) == ["a001", "a01", "a1", "a02"]
    assert sort_key("7") == [(0, 7, "")]
    assert sort_key("") == []


def test_next_names():
    assert next_name("f9", {"f9", "f10"}) == "f11"
    assert next_name("099", ["099"]) == "100"
    assert next_name("x", iter(["x"])) == "x 2"
    assert next_name("", [""]) == " 2"
    names = ["a 1"]
    for _ in range(12):
        names.append(next_name("a 1", names))
    assert names[-1] == "a 13"


def test_gaps_edges():
    assert gaps(["p3"], "p") == []
    assert gaps(["q3"], "p") == gaps([], "") == []
    assert gaps(["p3", "p03", "p6", "px", "p", "pp5"], "p") == [4, 5]
    assert gaps(["5", "2"], "") == [3, 4]
    assert gaps(["ap1", "p4", "p2"], "p") == [3]


def test_numbers_before_letters():
    assert sort_key("B2") == [(1, 0, "b"), (0, 2, "")]
    assert natural_sorted(["b", "1", "a", "10", "2a"]) == ["1", "2a", "10", "a", "b"]
