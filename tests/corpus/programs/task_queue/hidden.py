import random

import pytest
from subject import TaskQueue


def test_against_a_list():
    rng = random.Random(0)
    for _ in range(25):
        queue, model = TaskQueue(), {}
        for number in range(40):
            name = rng.choice("abcdef")
            kind = rng.choice(["put", "put", "cancel", "take", "hurry", "until"])
            order = sorted(model, key=model.get)
            if kind == "put":
                priority = rng.randint(0, 4)
                queue.put(name, priority)
                model[name] = (priority, number)
            elif kind == "cancel":
                assert queue.cancel(name) is (model.pop(name, None) is not None)
            elif kind == "take" and model:
                assert queue.take() == order[0]
                del model[order[0]]
            elif kind == "hurry" and name in model:
                by = rng.randint(1, 3)
                queue.hurry(name, by)
                model[name] = (max(model[name][0] - by, 0), number)
            elif kind == "until" and rng.random() < 0.3:
                expected = [n for n in order if model[n][0] <= 1]
                assert queue.take_until(1) == expected
                model = {n: p for n, p in model.items() if n not in expected}
            first = min(model, key=model.get, default=None)
            assert queue.peek() == (None if first is None else (first, model[first][0]))
            assert len(queue) == len(model)


def test_default_priority():
    queue = TaskQueue()
    queue.put("x")
    assert queue.peek() == ("x", 5)
    queue.hurry("x")
    assert queue.peek() == ("x", 4)
    queue.hurry("x", by=9)
    assert queue.peek() == ("x", 0)


def test_only_cancelled_ones():
    queue = TaskQueue()
    queue.put("x")
    queue.put("x", 2)
    queue.cancel("x")
    with pytest.raises(LookupError, match="no tasks"):
        queue.take()
    assert queue.take_until(99) == []
    queue.put("x", 7)
    assert queue.take() == "x"
    assert len(queue) == 0


def test_unknown():
    queue = TaskQueue()
    assert queue.cancel("x") is False
    with pytest.raises(KeyError):
        queue.hurry("x")
    assert queue.peek() is None
