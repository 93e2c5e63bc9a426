import pytest
from subject import TaskQueue


def filled():
    queue = TaskQueue()
    for name, priority in (("mail", 5), ("fire", 0), ("lunch", 3), ("call", 3)):
        queue.put(name, priority)
    return queue


def test_order():
    queue = filled()
    assert [queue.take() for _ in range(4)] == ["fire", "lunch", "call", "mail"]


def test_empty():
    with pytest.raises(LookupError):
        TaskQueue().take()
    assert TaskQueue().peek() is None


def test_peek():
    queue = filled()
    assert queue.peek() == ("fire", 0)
    assert len(queue) == 4


def test_put_again():
    queue = filled()
    queue.put("mail", 1)
    assert len(queue) == 4
    assert [queue.take() for _ in range(2)] == ["fire", "mail"]


def test_cancel():
    queue = filled()
    assert queue.cancel("fire") is True
    assert queue.cancel("fire") is False
    assert queue.take() == "lunch"
    assert len(queue) == 2


def test_take_until():
    queue = filled()
    assert queue.take_until(3) == ["fire", "lunch", "call"]
    assert len(queue) == 1


def test_hurry():
    queue = filled()
    queue.hurry("mail", 3)
    assert queue.take_until(2) == ["fire", "mail"]
    with pytest.raises(KeyError):
        queue.hurry("nap")
