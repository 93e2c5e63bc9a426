import pytest
from subject import DisjointSets


def test_alone_at_first():
    sets = DisjointSets("abc")
    assert sets.count == 3
    assert not sets.together("a", "b")
    assert sets.size("a") == 1


def test_join():
    sets = DisjointSets("abc")
    assert sets.join("a", "b") is True
    assert sets.together("a", "b")
    assert sets.count == 2
    assert sets.size("b") == 2


def test_join_again():
    sets = DisjointSets("ab")
    sets.join("a", "b")
    assert sets.join("b", "a") is False
    assert sets.count == 1


def test_join_adds():
    sets = DisjointSets()
    sets.join(1, 2)
    assert sets.groups() == [[1, 2]]


def test_chain():
    sets = DisjointSets(range(6))
    for n in range(5):
        sets.join(n, n + 1)
    assert sets.size(0) == 6
    assert sets.together(0, 5)


def test_groups():
    sets = DisjointSets("edcba")
    sets.join("d", "b")
    sets.join("a", "e")
    assert sets.groups() == [["a", "e"], ["b", "d"], ["c"]]


def test_unknown():
    with pytest.raises(KeyError):
        DisjointSets().find("x")
