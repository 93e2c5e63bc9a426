import pytest
from subject import LinkedList


def test_iterate():
    assert list(LinkedList("abc")) == ["a", "b", "c"]
    assert list(LinkedList()) == []


def test_append():
    values = LinkedList([1])
    values.append(2)
    assert list(values) == [1, 2]
    assert values.last.value == 2


def test_insert_sorted():
    values = LinkedList([2, 4])
    for value in (3, 1, 5):
        values.insert_sorted(value)
    assert list(values) == [1, 2, 3, 4, 5]


def test_remove():
    values = LinkedList([1, 2, 3])
    assert values.remove(2) is True
    assert values.remove(7) is False
    assert list(values) == [1, 3]


def test_remove_the_ends():
    values = LinkedList([1, 2, 3])
    values.remove(3)
    values.append(4)
    values.remove(1)
    assert list(values) == [2, 4]


def test_reverse():
    values = LinkedList([1, 2, 3])
    values.reverse()
    values.append(0)
    assert list(values) == [3, 2, 1, 0]


def test_from_end():
    values = LinkedList("abc")
    assert values.from_end(0) == "c"
    assert values.from_end(2) == "a"
    with pytest.raises(IndexError):
        values.from_end(3)
