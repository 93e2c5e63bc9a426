import random
from collections import deque

import pytest
from subject import RingBuffer


def test_against_deque():
    rng = random.Random(0)
    for _ in range(10):
        size = rng.randint(1, 5)
        buffer, model = RingBuffer(size), deque(maxlen=size)
        for step in range(40):
            if rng.random() < 0.6:
                lost = model[0] if len(model) == size else None
                model.append(step)
                assert buffer.put(step) == lost
            elif model:
                assert buffer.take() == model.popleft()
            else:
                with pytest.raises(IndexError, match="empty"):
                    buffer.take()
            assert len(buffer) == len(model)
            assert buffer.full == (len(model) == size)
            assert list(buffer) == list(model)
            for index in range(-size - 1, size + 1):
                if -len(model) <= index < len(model):
                    assert buffer[index] == model[index]
                else:
                    with pytest.raises(IndexError):
                        buffer[index]


def test_taken_items_are_let_go():
    buffer = RingBuffer(2)
    buffer.put("x")
    buffer.take()
    assert buffer._slots == [None, None]


def test_one_slot():
    buffer = RingBuffer(1)
    assert buffer.put(1) is None
    assert buffer.put(2) == 1
    assert buffer.take() == 2
    assert not buffer.full
    assert not buffer


def test_negative_size():
    with pytest.raises(ValueError, match="one item"):
        RingBuffer(-1)
    assert len(RingBuffer(1)) == 0
