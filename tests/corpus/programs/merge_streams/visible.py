import pytest
from subject import Event, OutOfOrder, merged, sessions, without_echoes

STREAMS = {"a": [(1, "up"), (5, "down")], "b": [(1, "on"), (3, "off")]}


def at(*times):
    return [Event(time, "s", str(time)) for time in times]


def test_merged():
    assert list(merged(STREAMS)) == [(1, "a", "up"), (1, "b", "on"), (3, "b", "off"), (5, "a", "down")]


def test_empty_streams():
    assert list(merged({"a": [], "b": [(2, "x")]})) == [(2, "b", "x")]
    assert list(merged({})) == []


def test_same_time_within_a_stream():
    assert [e.text for e in merged({"a": [(1, "x"), (1, "a")], "b": [(1, "k")]})] == ["x", "a", "k"]


def test_out_of_order():
    stream = merged({"a": [(2, "x"), (1, "y")]})
    assert next(stream).text == "x"
    with pytest.raises(OutOfOrder):
        next(stream)


def test_echoes():
    events = [Event(0, "a", "x"), Event(2, "b", "x"), Event(3, "a", "y"), Event(8, "a", "x")]
    assert [e.time for e in without_echoes(events, 5)] == [0, 3, 8]


def test_sessions():
    assert list(sessions(at(1, 2, 4, 20, 21), 5)) == [(1, 4, 3), (20, 21, 2)]
    assert list(sessions([], 5)) == []
