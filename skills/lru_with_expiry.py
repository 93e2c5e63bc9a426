"""A cache of limited size whose entries also expire: the least recently used goes first, the expired before any.

Every operation takes amortised constant time, whatever is full or expired: all entries live equally long, so the order
in which they were written is the order in which they expire.

Thread safety: safe; one lock guards every operation, and no foreign code but the keys' own `__hash__` and `__eq__` and
the clock runs under it.

Words: cache, lru, expiry, ttl, timeout, memoize, evict.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, overload

__all__ = ["LruWithExpiry"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")


class LruWithExpiry(Generic[K, V]):
    """Keeps at most `capacity` entries, each for less than `ttl_s` seconds after it was last written (reading does not
    prolong it). Raises `ValueError` when either is not above zero.

    >>> now = 0.0
    >>> cache = LruWithExpiry(2, 10.0, clock=lambda: now)
    >>> cache.put("a", 1); cache.put("b", 2)
    >>> cache.get("a")
    1
    >>> cache.put("c", 3)  # "b" was used least recently
    >>> "a" in cache, "b" in cache, len(cache)
    (True, False, 2)
    >>> now = 10.0
    >>> cache.get("a", "expired")
    'expired'
    """

    def __init__(self, capacity: int, ttl_s: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        if not ttl_s > 0:
            raise ValueError(f"ttl_s must be above 0 seconds, not {ttl_s}")
        self._capacity = capacity
        self._ttl_s = ttl_s
        self._clock = clock
        self._by_use: OrderedDict[K, V] = OrderedDict()
        self._expires: OrderedDict[K, float] = OrderedDict()
        self._lock = threading.Lock()

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D) -> V | D: ...
    def get(self, key: K, default: object = None) -> object:
        """The value, which now counts as just used; `default` when there is none or it has expired."""
        with self._lock:
            self._drop_expired()
            if key not in self._by_use:
                return default
            self._by_use.move_to_end(key)
            return self._by_use[key]

    def put(self, key: K, value: V) -> None:
        """Store the value, which counts as just used and lives its full time again; makes room if there is none."""
        with self._lock:
            self._drop_expired()
            self._by_use[key] = value
            self._by_use.move_to_end(key)
            self._expires[key] = self._clock() + self._ttl_s
            self._expires.move_to_end(key)
            if len(self._by_use) > self._capacity:
                evicted, _ = self._by_use.popitem(last=False)
                del self._expires[evicted]

    def discard(self, key: K) -> None:
        """Forget the entry, if there is one."""
        with self._lock:
            if key in self._by_use:
                del self._by_use[key], self._expires[key]

    def clear(self) -> None:
        """Forget every entry."""
        with self._lock:
            self._by_use.clear()
            self._expires.clear()

    def __contains__(self, key: K) -> bool:
        """Whether an entry lives; asking does not count as a use."""
        with self._lock:
            self._drop_expired()
            return key in self._by_use

    def __len__(self) -> int:
        """How many entries live."""
        with self._lock:
            self._drop_expired()
            return len(self._by_use)

    def _drop_expired(self) -> None:
        now = self._clock()
        while self._expires:
            key, expires = next(iter(self._expires.items()))
            if now < expires:
                return
            del self._by_use[key], self._expires[key]
