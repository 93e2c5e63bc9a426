import asyncio
import random

import pytest
from subject import Outcome, first_good, report, run_all


def test_random_jobs():
    rng = random.Random(0)
    for _ in range(25):
        running, most, count = 0, 0, rng.randint(0, 8)
        fails = {n for n in range(count) if rng.random() < 0.3}
        turns = [rng.randint(0, 4) for _ in range(count)]

        async def job(n, turns=turns, fails=fails):
            nonlocal running, most
            running += 1
            most = max(most, running)
            for _ in range(turns[n]):
                await asyncio.sleep(0)
            running -= 1
            if n in fails:
                raise RuntimeError(n)
            return n * n

        at_a_time = rng.randint(1, 4)
        jobs = {f"j{n}": lambda n=n, job=job: job(n) for n in range(count)}
        outcomes = asyncio.run(run_all(jobs, at_a_time))
        assert [o.name for o in outcomes] == list(jobs)
        assert [o.ok for o in outcomes] == [n not in fails for n in range(count)]
        assert [o.value for o in outcomes] == [None if n in fails else n * n for n in range(count)]
        assert most <= at_a_time
        if not any(t == 0 for t in turns):
            assert most == min(at_a_time, count)
        names = ", ".join(f"j{n}" for n in sorted(fails))
        assert report(outcomes) == f"{count - len(fails)} of {count} ok" + (f"; failed: {names}" if fails else "")


def test_others_are_cancelled():
    ended = []

    async def slow(name):
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    async def quick():
        await asyncio.sleep(0)
        return 7

    async def main():
        result = await first_good([slow("a"), quick(), slow("b")])
        return result, sorted(ended), len(asyncio.all_tasks())

    assert asyncio.run(main()) == (7, ["a", "b"], 1)


def test_default_at_a_time():
    running, most = 0, 0

    async def job():
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    asyncio.run(run_all({str(n): job for n in range(9)}))
    assert most == 4


def test_edges():
    async def none_good():
        return await first_good([])

    with pytest.raises(LookupError, match="no job"):
        asyncio.run(none_good())
    with pytest.raises(ValueError, match="at least"):
        asyncio.run(run_all({}, -1))
    assert asyncio.run(run_all({})) == []
    assert report([]) == "0 of 0 ok"
    assert Outcome("x", error=ValueError()).ok is False


def test_a_false_value_is_good():
    async def zero():
        return 0

    async def bad():
        raise ValueError

    async def main():
        return await first_good([bad(), zero()])

    assert asyncio.run(main()) == 0
    assert asyncio.run(run_all({"z": zero}))[0].ok is True
