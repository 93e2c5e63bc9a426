import random
from itertools import count

import pytest
from subject import Event, OutOfOrder, checked, merged, sessions, without_echoes


def some(rng):
    return {
        name: [(t, rng.choice("xyz")) for t in sorted(rng.randint(0, 30) for _ in range(rng.randint(0, 7)))]
        for name in "bca"
    }


def test_random_streams():
    rng = random.Random(0)
    for _ in range(60):
        streams = some(rng)
        everything = [Event(t, name, text) for name, pairs in streams.items() for t, text in pairs]
        events = list(merged({name: iter(pairs) for name, pairs in streams.items()}))
        assert events == sorted(everything, key=lambda e: e.time)
        seconds = rng.randint(1, 9)
        kept = []
        for place, event in enumerate(events):
            before = [e.time for e in events[:place] if e.text == event.text]
            if not before or event.time - before[-1] >= seconds:
                kept.append(event)
        assert list(without_echoes(events, seconds)) == kept
        found = list(sessions(events, seconds))
        assert sum(n for *_, n in found) == len(events)
        times = [e.time for e in events]
        breaks = [i for i in range(1, len(times)) if times[i] - times[i - 1] > seconds]
        parts = [times[a:b] for a, b in zip([0, *breaks], [*breaks, len(times)], strict=True) if a < b]
        assert found == [(p[0], p[-1], len(p)) for p in parts]


def test_endless_streams():
    stream = merged({"even": ((n, "e") for n in count(0, 2)), "odd": ((n, "o") for n in count(1, 2))})
    assert [next(stream).time for _ in range(6)] == [0, 1, 2, 3, 4, 5]


def test_order_is_checked():
    with pytest.raises(OutOfOrder, match="s goes back from 3 to 2"):
        list(checked([Event(3, "s", ""), Event(2, "s", "")]))
    same = [Event(3, "s", ""), Event(3, "s", "")]
    assert list(checked(same)) == same
    assert list(checked([])) == []


def test_zero_pause_and_borders():
    at = [Event(t, "s", "x") for t in (0, 0, 5, 10)]
    assert list(sessions(at, 0)) == [(0, 0, 2), (5, 5, 1), (10, 10, 1)]
    assert list(sessions(at, 5)) == [(0, 10, 4)]
    assert list(sessions(at, 4.9)) == [(0, 0, 2), (5, 5, 1), (10, 10, 1)]
    assert [e.time for e in without_echoes(at, 5)] == [0, 5, 10]
    assert [e.time for e in without_echoes(at, 5.1)] == [0]
    assert list(without_echoes(at, 0)) == at
