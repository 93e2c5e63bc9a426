import random

import pytest
from subject import LruCache


def test_against_a_list():
    rng = random.Random(0)
    for limit in (1, 2, 3, 5):
        cache, model, hits, misses = LruCache(limit), [], 0, 0
        for step in range(120):
            key = rng.randrange(7)
            found = [v for k, v in model if k == key]
            kind = rng.choice(["get", "put", "make"])
            if kind == "get":
                assert cache.get(key, "none") == (found[0] if found else "none")
            elif kind == "put":
                cache.put(key, step)
            else:
                assert cache.get_or_make(key, lambda k, step=step: step) == (found[0] if found else step)
            if kind != "put":
                hits, misses = hits + bool(found), misses + (not found)
            if found or kind != "get":
                model = [pair for pair in model if pair[0] != key]
                model.append((key, found[0] if found and kind != "put" else step))
                model = model[-limit:]
            assert cache.keys() == [k for k, _ in model]
            assert (cache.hits, cache.misses) == (hits, misses)
            assert cache.hit_rate() == (round(100 * hits / (hits + misses)) if hits + misses else None)


def test_asking_whether_it_is_there_is_no_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert "a" in cache
    cache.put("c", 3)
    assert cache.keys() == ["b", "c"]
    assert cache.hit_rate() is None


def test_none_is_a_value():
    cache = LruCache(1)
    cache.put("a", None)
    assert cache.get("a", 5) is None
    assert cache.get_or_make("a", lambda key: 1) is None
    assert cache.hit_rate() == 100


def test_make_gets_the_key_and_may_fail():
    cache = LruCache(2)
    assert cache.get_or_make("k", lambda key: key * 2) == "kk"
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("bad", lambda key: 1 // 0)
    assert cache.keys() == ["k"]
    assert cache.misses == 2


def test_limits():
    assert LruCache().limit == 100
    assert len(LruCache()) == 0
    with pytest.raises(ValueError, match="positive"):
        LruCache(-3)


def test_no_room_at_all():
    with pytest.raises(ValueError):
        LruCache(0)
    assert LruCache(1).limit == 1
