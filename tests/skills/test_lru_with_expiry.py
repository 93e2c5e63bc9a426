from __future__ import annotations

import threading
from collections import OrderedDict

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from treadle.skills.lru_with_expiry import LruWithExpiry


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_least_recently_used_entry_goes_first() -> None:
    cache: LruWithExpiry[str, int] = LruWithExpiry(2, 10, clock=Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert ("a" in cache, "b" in cache, "c" in cache) == (True, False, True)


def test_asking_whether_it_is_there_is_no_use() -> None:
    cache: LruWithExpiry[str, int] = LruWithExpiry(2, 10, clock=Clock())
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert "a" not in cache


def test_an_entry_is_gone_exactly_when_its_time_is_over_and_reading_does_not_prolong_it() -> None:
    clock = Clock()
    cache: LruWithExpiry[str, int] = LruWithExpiry(2, 10, clock=clock)
    cache.put("a", 1)
    clock.now = 9.999
    assert cache.get("a") == 1
    clock.now = 10.0
    assert cache.get("a", "gone") == "gone"
    assert len(cache) == 0


def test_writing_again_prolongs_and_replaces() -> None:
    clock = Clock()
    cache: LruWithExpiry[str, int] = LruWithExpiry(2, 10, clock=clock)
    cache.put("a", 1)
    clock.now = 9
    cache.put("a", 2)
    clock.now = 18
    assert cache.get("a") == 2


def test_the_expired_make_room_before_the_living() -> None:
    clock = Clock()
    cache: LruWithExpiry[str, int] = LruWithExpiry(2, 10, clock=clock)
    cache.put("old", 1)
    clock.now = 5
    cache.put("young", 2)
    cache.get("old")  # the young one is now the least recently used
    clock.now = 11
    cache.put("new", 3)
    assert "young" in cache


def test_none_is_a_value_and_default_tells_it_apart() -> None:
    cache: LruWithExpiry[str, None] = LruWithExpiry(1, 10)
    cache.put("a", None)
    assert cache.get("a", "missing") is None
    assert cache.get("b", "missing") == "missing"


def test_discard_and_clear_forget() -> None:
    cache: LruWithExpiry[str, int] = LruWithExpiry(3, 10)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.discard("a")
    cache.discard("never there")
    assert ("a" in cache, len(cache)) == (False, 1)
    cache.clear()
    assert len(cache) == 0


@pytest.mark.parametrize(("capacity", "ttl"), [(0, 1), (-1, 1), (1, 0), (1, -1), (1, float("nan"))])
def test_limits_that_are_not_above_zero_are_refused(capacity: int, ttl: float) -> None:
    with pytest.raises(ValueError):
        LruWithExpiry(capacity, ttl)


def test_threads_do_not_break_it() -> None:
    cache: LruWithExpiry[int, int] = LruWithExpiry(10, 1000)
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for n in range(3000):
                key = (n * 7 + seed) % 25
                cache.put(key, key)
                assert cache.get(key, key) == key
                cache.discard((key + 1) % 25)
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(cache) <= 10


class AgainstAModel(RuleBasedStateMachine):
    """The same steps on a plain, slow model: a list of (key, value, written), ordered by use."""

    CAPACITY, TTL = 3, 5

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.cache: LruWithExpiry[int, int] = LruWithExpiry(self.CAPACITY, self.TTL, clock=self.clock)
        self.model: OrderedDict[int, tuple[int, float]] = OrderedDict()

    def live(self) -> OrderedDict[int, tuple[int, float]]:
        for key, (_, written) in list(self.model.items()):
            if self.clock.now - written >= self.TTL:
                del self.model[key]
        return self.model

    @rule(key=st.integers(0, 5), value=st.integers())
    def put(self, key: int, value: int) -> None:
        model = self.live()
        model.pop(key, None)
        model[key] = (value, self.clock.now)
        if len(model) > self.CAPACITY:
            model.popitem(last=False)
        self.cache.put(key, value)

    @rule(key=st.integers(0, 5))
    def get(self, key: int) -> None:
        model = self.live()
        if key in model:
            model.move_to_end(key)
        assert self.cache.get(key) == (model[key][0] if key in model else None)

    @rule(key=st.integers(0, 5))
    def discard(self, key: int) -> None:
        self.live().pop(key, None)
        self.cache.discard(key)

    @rule(seconds=st.integers(0, 4))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @invariant()
    def they_agree(self) -> None:
        assert {key for key in range(6) if key in self.cache} == set(self.live())
        assert len(self.cache) == len(self.live())


TestAgainstAModel = AgainstAModel.TestCase
