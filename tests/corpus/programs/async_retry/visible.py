import asyncio
import contextlib

import pytest
from subject import Breaker, GaveUp, Retry


def flaky(*results):
    rest = list(results)

    async def work():
        result = rest.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    return work


def retry(pauses, **options):
    async def sleep(seconds):
        pauses.append(seconds)

    return Retry(sleep=sleep, **options)


def test_at_once():
    pauses = []
    assert asyncio.run(retry(pauses).call(flaky(5))) == 5
    assert pauses == []


def test_again():
    pauses = []
    assert asyncio.run(retry(pauses).call(flaky(OSError(), OSError(), 5))) == 5
    assert pauses == [1, 2]


def test_gives_up():
    pauses = []
    with pytest.raises(GaveUp) as caught:
        asyncio.run(retry(pauses, attempts=2, pause=4).call(flaky(OSError(), OSError(), 5)))
    assert len(caught.value.errors) == 2
    assert pauses == [4]


def test_other_errors():
    with pytest.raises(KeyError):
        asyncio.run(retry([]).call(flaky(KeyError("x"), 5)))
    assert asyncio.run(retry([], on=(KeyError,)).call(flaky(KeyError("x"), 5))) == 5


def test_arguments():
    async def add(a, b=0):
        return a + b

    assert asyncio.run(retry([]).call(add, 1, b=2)) == 3


def test_breaker_opens_and_closes():
    time = [0.0]
    breaker = Breaker(lambda: time[0], failures=2, rest=10)
    for _ in range(2):
        with pytest.raises(OSError):
            asyncio.run(breaker.call(flaky(OSError())))
    assert breaker.is_open
    with pytest.raises(RuntimeError):
        asyncio.run(breaker.call(flaky(1)))
    time[0] = 10
    assert asyncio.run(breaker.call(flaky(1))) == 1


def test_success_counts_anew():
    breaker = Breaker(lambda: 0.0, failures=2)
    for result in (OSError(), 1, OSError()):
        with contextlib.suppress(OSError):
            asyncio.run(breaker.call(flaky(result)))
    assert not breaker.is_open
