import pytest
from subject import RingBuffer


def filled(size, *items):
    buffer = RingBuffer(size)
    for item in items:
        buffer.put(item)
    return buffer


def test_oldest_first():
    assert list(filled(3, 1, 2)) == [1, 2]


def test_forgets_the_oldest():
    buffer = filled(3, 1, 2, 3, 4)
    assert list(buffer) == [2, 3, 4]
    assert len(buffer) == 3


def test_put_returns_what_is_lost():
    buffer = filled(2, "a")
    assert buffer.put("b") is None
    assert buffer.put("c") == "a"


def test_take():
    buffer = filled(3, 1, 2, 3, 4)
    assert buffer.take() == 2
    assert buffer.take() == 3
    assert len(buffer) == 1


def test_take_from_empty():
    with pytest.raises(IndexError):
        RingBuffer(2).take()


def test_full():
    assert not filled(2, 1).full
    assert filled(2, 1, 2).full


def test_index():
    buffer = filled(3, 1, 2, 3, 4, 5)
    assert buffer[0] == 3
    assert buffer[-1] == 5
    with pytest.raises(IndexError):
        buffer[3]


def test_size():
    with pytest.raises(ValueError):
        RingBuffer(0)
