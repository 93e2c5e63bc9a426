"""Loops that never end, or may end some day, and a program that looks at one of them: `python -m ... NAME`.

A program of its own, since nothing is said where other threads are, as there are in a test run.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from treadle.plugins.test_runs.runners.endless import Look

LEFT_S = 0.25


class Flag:
    def __init__(self) -> None:
        self.up = False
        self.steps = [1, 2, 3]

    def wait(self) -> None:
        while not self.up:
            pass

    @property
    def late(self) -> bool:
        return time.monotonic() > UNTIL[0]


class Ended(BaseException):
    pass


UNTIL = [0.0]
FLAG = Flag()


def find(items: list[int], wanted: int) -> int:
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle
        else:
            high = middle
    return low


def narrowing_down() -> None:
    find([3, 5, 7], 9)


def on_one_line() -> None:
    while True: pass  # fmt: skip # noqa: E701


def in_a_circle() -> None:
    number = 3
    while number:
        number = number * 3 % 17


def with_a_count() -> int:
    count, number = 0, 127
    while number:
        number ^= number - 1
        count += 1
    return count


def with_a_count_that_is_looked_at() -> int:
    count, number = 0, 127
    while number:
        number ^= number - 1
        count += 1
        if count > sys.maxsize:
            number = 0
    return count


def with_a_count_that_another_is_made_of() -> int:
    count = 0
    while True:
        number = count + 1
        if number > sys.maxsize:
            return count
        number = 0
        count += 1


def with_a_sum() -> int:
    total, number = 0, 127
    while number:
        total += number % 10
    return total


def with_sums_of_one_another() -> int:
    one, other, number = 1, 1, 127
    while number:
        one += 1
        other += one
        if other > sys.maxsize:
            number = 0
    return other


def with_a_product() -> int:
    total, number = 1, 1
    while number:
        total = total * number + 1
    return total


def of_an_object() -> None:
    FLAG.wait()


def counting() -> None:
    count = 0
    while count >= 0:
        count += 1


def filling() -> None:
    items: list[int] = []
    while len(items) >= 0:
        items += [1]


def through_an_iterator() -> None:
    for _ in iter(int, 1):
        pass


def writing_elsewhere() -> None:
    while UNTIL[0] >= 0:
        UNTIL[0] += 1


def by_the_clock() -> None:
    while time.monotonic() < sys.maxsize:
        pass


HIDDEN_CLOCK = functools.partial(time.monotonic)
SHARED = memoryview(bytearray(1))


def by_a_hidden_clock() -> None:
    while HIDDEN_CLOCK() < sys.maxsize:
        pass


def by_a_property() -> None:
    UNTIL[0] = float("inf")
    while not FLAG.late:
        pass


def by_what_cannot_be_seen() -> None:
    while not SHARED[0]:
        pass


def raising() -> None:
    items: list[int] = []
    while True:
        with contextlib.suppress(IndexError):
            items[0]


def with_a_thread() -> None:
    threading.Thread(target=time.sleep, args=(2 * LEFT_S,), daemon=True).start()
    FLAG.wait()


def until_a_signal() -> None:
    signal.signal(signal.SIGPROF, lambda number, frame: None)
    FLAG.wait()


def looked_at(function: Callable[[], object]) -> str:
    """What a look finds at a function, a moment after it began; it is ended a moment later."""
    alarms = []

    def ended(file: str, line: int) -> None:
        raise Ended(f"never ends: {line}")

    def alarm(number: int, frame: FrameType | None) -> None:
        alarms.append(number)
        if len(alarms) > 1 or frame is None:
            raise Ended("nothing")
        Look(frame, ended, (alarm,)).begin()

    signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.02, LEFT_S)
    try:
        function()
    except Ended as end:
        return str(end)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "ended"


if __name__ == "__main__":
    print(looked_at(globals()[sys.argv[1]]))
