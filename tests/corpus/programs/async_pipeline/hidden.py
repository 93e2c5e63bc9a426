import asyncio
import random

import pytest
from subject import Pipeline, StageError


def stage(factor, drops, turns):
    async def work(n):
        for _ in range(turns):
            await asyncio.sleep(0)
        return None if n % 10 in drops else n * factor + 1

    return work


def test_random_pipelines():
    rng = random.Random(0)
    for _ in range(30):
        pipeline, stages = Pipeline(room=rng.choice([0, 1, 3])), []
        for number in range(rng.randint(0, 3)):
            parts = rng.randint(1, 3), set(rng.sample(range(10), 2)), rng.randint(0, 2)
            stages.append(parts)
            assert pipeline.stage(f"s{number}", stage(*parts)) is pipeline
        items = [rng.randint(0, 30) for _ in range(rng.randint(0, 15))]
        expected, counts = items, {}
        for number, (factor, drops, _) in enumerate(stages):
            if expected:
                counts[f"s{number}"] = len(expected)
            expected = [n * factor + 1 for n in expected if n % 10 not in drops]
        assert asyncio.run(pipeline.run(iter(items))) == expected
        assert pipeline.counts == counts


def test_run_again():
    pipeline = Pipeline().stage("a", stage(2, (), 0))
    assert asyncio.run(pipeline.run([1])) == [3]
    assert asyncio.run(pipeline.run([2, 3])) == [5, 7]
    assert pipeline.counts["a"] == 3


def test_falsy_items_pass():
    async def same(item):
        return item

    assert asyncio.run(Pipeline().stage("same", same).run([0, "", False, []])) == [0, "", False, []]
    assert asyncio.run(Pipeline().stage("same", same).run([])) == []


def test_errors_end_everything():
    done = []

    async def first(n):
        done.append(n)
        await asyncio.sleep(0)
        return n

    async def second(n):
        raise ZeroDivisionError("no")

    async def main():
        try:
            await Pipeline(room=1).stage("one", first).stage("two", second).run(range(1000))
        except StageError as error:
            return error, len(asyncio.all_tasks())

    error, tasks = asyncio.run(main())
    assert tasks == 1
    assert len(done) < 20
    assert str(error) == "two failed on 0"
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_names():
    pipeline = Pipeline().stage("a", stage(1, (), 0))
    with pytest.raises(ValueError, match="there is a stage a"):
        pipeline.stage("a", stage(1, (), 0))
    pipeline.stage("b", stage(1, (), 0))
    assert asyncio.run(pipeline.run([1])) == [3]
