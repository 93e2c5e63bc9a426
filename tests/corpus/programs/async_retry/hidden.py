import asyncio
import random

import pytest
from subject import Breaker, GaveUp, Retry


def test_random_failures():
    rng = random.Random(0)
    for _ in range(30):
        fails, attempts = rng.randint(0, 5), rng.randint(1, 5)
        pause, factor = rng.choice([0.5, 1, 3]), rng.choice([1, 2, 3])
        calls, pauses = [], []

        async def work(value, calls=calls, fails=fails):
            calls.append(value)
            if len(calls) <= fails:
                raise OSError(len(calls))
            return value

        async def sleep(seconds, pauses=pauses):
            pauses.append(seconds)

        retry = Retry(attempts, pause, factor, sleep=sleep)
        if fails < attempts:
            assert asyncio.run(retry.call(work, "v")) == "v"
            tried = fails + 1
        else:
            with pytest.raises(
                GaveUp, match=f"{attempts} attempts failed, the last with OSError\\({attempts}\\)"
            ) as caught:
                asyncio.run(retry.call(work, value="v"))
            assert [e.args[0] for e in caught.value.errors] == list(range(1, attempts + 1))
            assert caught.value.__cause__ is caught.value.errors[-1]
            tried = attempts
        assert calls == ["v"] * tried
        assert pauses == [pause * factor**n for n in range(tried - 1)]


def test_kinds_of_errors():
    async def timeout():
        raise TimeoutError

    async def value():
        raise ValueError("x")

    with pytest.raises(GaveUp):
        asyncio.run(Retry(attempts=1).call(timeout))
    with pytest.raises(ValueError, match="x"):
        asyncio.run(Retry().call(value))
    with pytest.raises(GaveUp):
        asyncio.run(Retry(attempts=2, pause=0, on=(KeyError, ValueError)).call(value))
    defaults = Retry()
    assert (defaults.attempts, defaults.pause, defaults.factor) == (3, 1.0, 2.0)


def test_breaker_against_a_model():
    rng = random.Random(1)
    for _ in range(8):
        time, failures, rest = [0.0], rng.randint(1, 3), rng.randint(1, 6)
        breaker, failed, until = Breaker(lambda time=time: time[0], failures, rest), 0, 0
        for _ in range(20):
            time[0] += rng.randint(0, 2)
            good, called = rng.random() < 0.4, []

            async def work(good=good, called=called):
                called.append(1)
                if not good:
                    raise KeyError("bad")
                return "value"

            assert breaker.is_open == (time[0] < until)
            if time[0] < until:
                with pytest.raises(RuntimeError, match="resting"):
                    asyncio.run(breaker.call(work))
                assert called == []
            elif good:
                assert asyncio.run(breaker.call(work)) == "value"
                failed = 0
            else:
                with pytest.raises(KeyError):
                    asyncio.run(breaker.call(work))
                failed += 1
                if failed == failures:
                    failed, until = 0, time[0] + rest


def test_breaker_defaults():
    breaker = Breaker(lambda: 5.0)
    assert (breaker.failures, breaker.rest) == (3, 30.0)
    assert breaker.is_open is False
