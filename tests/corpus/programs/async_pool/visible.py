import asyncio

import pytest
from subject import Outcome, first_good, report, run_all


async def value(x):
    await asyncio.sleep(0)
    return x


async def failing(error):
    raise error


def test_values_in_order():
    jobs = {"a": lambda: value(1), "b": lambda: value(2)}
    assert asyncio.run(run_all(jobs)) == [Outcome("a", 1), Outcome("b", 2)]


def test_errors_are_outcomes():
    error = KeyError("x")
    outcomes = asyncio.run(run_all({"a": lambda: failing(error), "b": lambda: value(2)}))
    assert [o.ok for o in outcomes] == [False, True]
    assert outcomes[0].error is error


def test_not_too_many():
    running, most = 0, 0

    async def job():
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    asyncio.run(run_all({str(n): job for n in range(7)}, at_a_time=3))
    assert most == 3


def test_at_a_time():
    with pytest.raises(ValueError):
        asyncio.run(run_all({}, at_a_time=0))


def test_first_good():
    async def main():
        return await first_good([failing(ValueError()), value("won"), asyncio.Event().wait()])

    assert asyncio.run(main()) == "won"


def test_none_is_good():
    async def main():
        return await first_good([failing(ValueError()), failing(KeyError())])

    with pytest.raises(LookupError):
        asyncio.run(main())


def test_report():
    assert report([Outcome("a", 1)]) == "1 of 1 ok"
    assert report([Outcome("a"), Outcome("b", error=OSError())]) == "1 of 2 ok; failed: b"
