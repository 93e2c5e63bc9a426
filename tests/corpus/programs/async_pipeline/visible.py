import asyncio

import pytest
from subject import Pipeline, StageError


async def double(n):
    await asyncio.sleep(0)
    return n * 2


async def even_only(n):
    return n if n % 4 == 0 else None


async def fail_on_six(n):
    if n == 6:
        raise KeyError(n)
    return n


def test_two_stages():
    pipeline = Pipeline().stage("double", double).stage("again", double)
    assert asyncio.run(pipeline.run([1, 2, 3])) == [4, 8, 12]


def test_dropped_items():
    pipeline = Pipeline().stage("double", double).stage("filter", even_only)
    assert asyncio.run(pipeline.run(range(5))) == [0, 4, 8]


def test_counts():
    pipeline = Pipeline().stage("filter", even_only).stage("double", double)
    asyncio.run(pipeline.run(range(5)))
    assert pipeline.counts == {"filter": 5, "double": 2}


def test_no_stages():
    assert asyncio.run(Pipeline().run("ab")) == ["a", "b"]


def test_small_room():
    pipeline = Pipeline(room=1).stage("double", double)
    assert asyncio.run(pipeline.run(range(20))) == list(range(0, 40, 2))


def test_failing_stage():
    pipeline = Pipeline().stage("double", double).stage("check", fail_on_six)
    with pytest.raises(StageError) as caught:
        asyncio.run(pipeline.run([1, 2, 3, 4]))
    assert (caught.value.stage, caught.value.item) == ("check", 6)


def test_same_name():
    with pytest.raises(ValueError):
        Pipeline().stage("a", double).stage("a", double)
