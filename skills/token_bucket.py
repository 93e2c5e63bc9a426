"""Limit how often something happens: bursts up to a capacity, and a steady rate in the long run.

Waiting callers are served in the order in which they asked: each takes its tokens at once, which may leave the bucket
in debt, and sleeps until the debt would be paid. There is one sleep for each, no polling, and nobody starves.

Thread safety: safe; a lock guards the balance and is never held while a caller sleeps.

Words: rate, limit, throttle, token, bucket, burst, quota, api.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["TokenBucket"]


class TokenBucket:
    """Refills by `rate` tokens a second up to `capacity`, and starts full. In any span of t seconds at most
    `capacity + rate * t` tokens are granted. Raises `ValueError` when either is not above zero.

    >>> now = 0.0
    >>> bucket = TokenBucket(rate=2.0, capacity=3.0, clock=lambda: now)
    >>> [bucket.try_take() for _ in range(4)]
    [True, True, True, False]
    >>> bucket.wait_s()
    0.5
    >>> now = 0.5
    >>> bucket.try_take()
    True
    """

    def __init__(
        self,
        rate: float,
        capacity: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not (rate > 0 and capacity > 0):
            raise ValueError(f"rate and capacity must be above zero, not {rate} and {capacity}")
        self._rate = rate
        self._capacity = capacity
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._balance = capacity
        self._updated = clock()

    def try_take(self, tokens: float = 1.0) -> bool:
        """Take the tokens if they are there now; never waits. Raises `ValueError` as `take` does."""
        return self.take(tokens, timeout_s=0.0)

    def take(self, tokens: float = 1.0, *, timeout_s: float | None = None) -> bool:
        """Take the tokens, sleeping for them where needed. False, with nothing taken and at once, when that would take
        longer than `timeout_s` (None: no limit).

        The tokens stay taken when the sleep is interrupted by an exception. Raises `ValueError` when `tokens` is not
        above zero, or is more than the bucket can ever hold.
        """
        with self._lock:
            wait = self._wait_for(tokens)
            if timeout_s is not None and wait > timeout_s:
                return False
            self._balance -= tokens
        if wait > 0:
            self._sleep(wait)
        return True

    def wait_s(self, tokens: float = 1.0) -> float:
        """How many seconds `take` would sleep if it were called now. Raises `ValueError` as `take` does."""
        with self._lock:
            return self._wait_for(tokens)

    def _wait_for(self, tokens: float) -> float:
        if not 0 < tokens <= self._capacity:
            raise ValueError(f"tokens must be above 0 and at most the capacity {self._capacity}, not {tokens}")
        now = self._clock()
        # A clock that went back earns nothing, and what it earned before is not earned again.
        if now > self._updated:
            self._balance = min(self._capacity, self._balance + (now - self._updated) * self._rate)
            self._updated = now
        return max(0.0, tokens - self._balance) / self._rate
