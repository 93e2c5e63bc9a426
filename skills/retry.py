"""Call something again when it fails, with growing random pauses, a limit of attempts and a total deadline.

The pauses follow "full jitter": each is drawn evenly between 0 and a ceiling that grows by `factor` up to `max_delay`,
so that many callers that failed together do not come back together (Marc Brooker, "Exponential Backoff And Jitter",
AWS Architecture Blog, 2015).

Thread safety: no state is kept between calls; any number of threads may retry at once.

Words: retry, backoff, jitter, attempts, deadline, transient, network, again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["retry"]

T = TypeVar("T")


def retry(
    call: Callable[[], T],
    *,
    attempts: int = 5,
    first_delay: float = 0.1,
    factor: float = 2.0,
    max_delay: float = 30.0,
    deadline: float | None = None,
    retry_on: type[Exception] | tuple[type[Exception], ...] = Exception,
    worth_it: Callable[[Exception], bool] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    uniform: Callable[[float, float], float] = random.uniform,
) -> T:
    """The result of the first `call()` that does not raise.

    All times are seconds. `deadline` counts from the first call on, pauses and calls together: a pause that would
    reach it is not begun, so no attempt starts at or after it. A call that is running is never interrupted.
    `worth_it` can refuse an error of a type in `retry_on` (a 404, say).

    Raises the last error itself when it gives up, its traceback and `__cause__` untouched, with a note that says why no
    further attempt was made. An error that `retry_on` does not name passes at once, and so do `KeyboardInterrupt` and
    `SystemExit`. `ValueError`: arguments out of range (checked before the first call).

    >>> pauses = []
    >>> answers = iter([ConnectionError("refused"), TimeoutError("slow"), "at last"])
    >>> def call():
    ...     answer = next(answers)
    ...     if isinstance(answer, Exception):
    ...         raise answer
    ...     return answer
    >>> retry(call, sleep=pauses.append, uniform=lambda low, high: high)
    'at last'
    >>> pauses
    [0.1, 0.2]
    """
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, not {attempts}")
    if not (first_delay >= 0 and max_delay >= 0 and factor >= 1):
        raise ValueError("delays must not be negative, and factor must be at least 1")
    if deadline is not None and not deadline >= 0:
        raise ValueError(f"deadline must not be negative, not {deadline}")

    start = clock()
    ceiling = min(first_delay, max_delay)
    attempt = 0
    while True:
        attempt += 1
        try:
            return call()
        except retry_on as error:
            if worth_it is not None and not worth_it(error):
                raise
            elapsed = clock() - start
            if attempt == attempts:
                error.add_note(f"gave up after {attempts} attempts in {elapsed:.1f} s")
                raise
            pause = uniform(0.0, ceiling)
            if deadline is not None and elapsed + pause >= deadline:
                error.add_note(f"gave up after {attempt} attempts in {elapsed:.1f} s: the deadline is {deadline} s")
                raise
        sleep(pause)
        ceiling = min(ceiling * factor, max_delay)
