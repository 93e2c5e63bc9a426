"""Whose turn it is in a plugin's process, and whose clock runs; with a clock that the tests set."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from treadle.core.plugin_worker import messages
from treadle.core.plugin_worker.channel import MOST_WAITING, Channel, HungUp
from treadle.core.plugin_worker.turns import GIVEN_UP_S, Left, NotBegun, Turn, Turns
from treadle.testing import Witness


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def turns(clock: Clock) -> Turns:
    return Turns(clock)


class Waiting(threading.Thread):
    """A call that waits for its turn in a thread of its own, and what came of it."""

    def __init__(self, turns: Turns, turn: Turn) -> None:
        super().__init__(daemon=True)
        self.turns, self.turn = turns, turn
        self.came: object = "waits"
        self.start()
        until(lambda: turn in turns._waiting or self.came != "waits")

    def run(self) -> None:
        try:
            self.turns.begin(self.turn)
            self.came = "begun"
        except (Left, NotBegun) as error:
            self.came = type(error)


def until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.005)


def begun(turns: Turns, limit_s: float = 10.0, context: Witness | None = None) -> Turn:
    turn = Turn(limit_s, context)
    turns.begin(turn)
    return turn


def test_the_clock_of_a_call_that_waits_stands_still(turns: Turns, clock: Clock) -> None:
    long = begun(turns, 300.0)
    short = Waiting(turns, Turn(1.0))
    clock.now += 200
    assert turns.overdue() == ""
    assert short.came == "waits"
    turns.end(long)
    until(lambda: short.came == "begun")
    clock.now += 0.9
    assert turns.overdue() == ""
    clock.now += 0.2
    assert turns.overdue() == "it took longer than 1 s"


def test_one_begins_inside_of_another_only_while_that_one_waits_for_its_context(turns: Turns, clock: Clock) -> None:
    outer = begun(turns, 1.0)
    inner = Waiting(turns, Turn(50.0))
    clock.now += 0.5
    with turns.asking(outer):
        until(lambda: inner.came == "begun")
        clock.now += 20
    # Its answer is there, and it is still the inner one that is worked on.
    clock.now += 20
    assert turns.overdue() == ""
    turns.end(inner.turn)
    clock.now += 0.4
    assert turns.overdue() == ""
    clock.now += 0.2
    assert turns.overdue() == "it took longer than 1 s"


def test_those_that_wait_begin_in_their_order(turns: Turns) -> None:
    first = begun(turns)
    second, third = Waiting(turns, Turn(1.0)), Waiting(turns, Turn(1.0))
    turns.end(first)
    until(lambda: second.came == "begun")
    assert third.came == "waits"
    turns.end(second.turn)
    until(lambda: third.came == "begun")


def test_what_its_context_takes_counts_neither_for_the_limit_nor_for_the_stop(turns: Turns, clock: Clock) -> None:
    context = Witness()
    turn = begun(turns, 5.0, context)
    clock.now += 1
    context.stop = True
    assert turns.overdue() == ""
    with turns.asking(turn):
        clock.now += 100
        assert turns.overdue() == ""
    clock.now += GIVEN_UP_S - 0.1
    assert turns.overdue() == ""
    clock.now += 0.2
    assert turns.overdue() == "it did not stop when it was asked to"


def test_the_limit_that_is_named_is_the_whole_of_it(turns: Turns, clock: Clock) -> None:
    turn = begun(turns, 3.0)
    clock.now += 2.5
    with turns.asking(turn):
        pass
    clock.now += 1
    assert turns.overdue() == "it took longer than 3 s"


def test_one_whose_context_is_cancelled_waits_no_longer(turns: Turns, clock: Clock) -> None:
    context = Witness()
    begun(turns, 1000.0)
    waits, patient = Waiting(turns, Turn(1.0, context)), Waiting(turns, Turn(1.0, context, is_patient=True))
    context.stop = True
    assert turns.overdue() == ""
    clock.now += GIVEN_UP_S + 0.1
    assert turns.overdue() == ""
    until(lambda: waits.came is Left)
    assert patient.came == "waits"
    turns.close()
    until(lambda: patient.came is NotBegun)
    with pytest.raises(NotBegun):
        begun(turns)


def test_a_message_whose_slot_is_closed_while_it_is_read_is_nonsense() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:

        def address(message: Any) -> int:
            channel.close(5)
            return 5

        channel: Channel[Any] = Channel(ours, messages.AtWork, address)
        channel.open(4)
        channel.open(5)
        theirs.sendall(messages.encode(messages.Done(5, messages.NOTHING)))
        with pytest.raises(HungUp, match="a Done that nobody waits for"):
            channel.wait(4)


def sent(call: int, size: int = 0) -> bytes:
    return messages.encode(messages.Ask(1, call, "note", (msgspec.Raw(msgspec.msgpack.encode(b"x" * size)),)))


def channel_of(ours: socket.socket, most: int = messages.MOST) -> Channel[Any]:
    channel: Channel[Any] = Channel(ours, messages.AtWork, lambda message: message.call, most)
    channel.open(4)
    channel.open(5)
    return channel


def test_as_many_messages_wait_as_there_may_be_threads() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = channel_of(ours)
        for _ in range(2):
            theirs.sendall(sent(4) * MOST_WAITING + sent(5))
            assert channel.wait(5).call == 5
            assert [channel.wait(4).call for _ in range(MOST_WAITING)] == [4] * MOST_WAITING
        theirs.sendall(sent(4) * MOST_WAITING + sent(5))
        channel.wait(5)
        channel.close(4)
        channel.open(4)  # what waited is gone
        theirs.sendall(sent(4) * (MOST_WAITING + 1) + sent(5))
        with pytest.raises(HungUp, match="goes on to send"):
            channel.wait(5)


def test_those_that_wait_are_together_no_larger_than_one_may_be() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = channel_of(ours, 1000)
        theirs.sendall(sent(4, 400) * 2 + sent(5))
        channel.wait(5)
        channel.wait(4)
        theirs.sendall(sent(4, 400) + sent(5))
        channel.wait(5)
        theirs.sendall(sent(4, 400))
        with pytest.raises(HungUp, match="goes on to send"):
            channel.wait(5)


def test_what_is_larger_than_it_may_be_is_not_read() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = channel_of(ours, 2048)
        theirs.sendall(sent(5, 4000)[:4])  # and nothing of it is waited for
        with pytest.raises(HungUp, match="2 kB are the most"):
            channel.wait(5)


def test_a_question_has_no_more_arguments_than_any_method_takes() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = channel_of(ours)
        theirs.sendall(messages.encode(messages.Ask(1, 5, "note", (messages.NOTHING,) * 9)))
        with pytest.raises(HungUp, match="of length <= 8"):
            channel.wait(5)


def test_once_at_work_it_can_not_say_again_that_it_is_ready() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(messages.encode(messages.Ready(1, 1, 0.0)))
        with pytest.raises(HungUp, match="Invalid value 'ready'"):
            channel_of(ours).wait(5)
