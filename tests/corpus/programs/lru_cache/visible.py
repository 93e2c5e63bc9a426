import pytest
from subject import LruCache


def test_get_and_put():
    cache = LruCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None
    assert cache.get("b", 7) == 7


def test_drops_the_oldest():
    cache = LruCache(2)
    for key in "abc":
        cache.put(key, key)
    assert cache.keys() == ["b", "c"]
    assert len(cache) == 2


def test_get_is_a_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "a" in cache
    assert "b" not in cache


def test_put_again_is_a_use():
    cache = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.keys() == ["b", "a"]
    assert cache.get("a") == 3


def test_make():
    cache = LruCache()
    assert cache.get_or_make(3, str) == "3"
    assert cache.get_or_make(3, repr) == "3"
    assert (cache.hits, cache.misses) == (1, 1)


def test_hit_rate():
    cache = LruCache(3)
    assert cache.hit_rate() is None
    cache.put("a", 1)
    cache.get("a")
    cache.get("a")
    cache.get("x")
    assert cache.hit_rate() == 67


def test_limit():
    with pytest.raises(ValueError):
        LruCache(0)
