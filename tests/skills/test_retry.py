from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.retry import retry


class Time:
    """A clock that only sleeping (and what a call says it took) moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


def always_the_ceiling(low: float, high: float) -> float:
    return high


def test_the_first_success_is_returned_without_a_pause() -> None:
    time = Time()
    assert retry(lambda: 7, sleep=time.sleep, clock=time.clock) == 7
    assert time.pauses == []


def test_the_ceilings_grow_by_the_factor_up_to_the_longest_delay() -> None:
    time = Time()
    with pytest.raises(OSError):
        retry(
            lambda: (_ for _ in ()).throw(OSError()),
            attempts=6,
            first_delay=1,
            factor=3,
            max_delay=10,
            sleep=time.sleep,
            clock=time.clock,
            uniform=always_the_ceiling,
        )
    assert time.pauses == [1, 3, 9, 10, 10]


def test_the_last_error_comes_out_itself_with_its_cause_and_the_reason_for_giving_up() -> None:
    root = KeyError("root")
    raised: list[Exception] = []

    def call() -> None:
        raised.append(OSError(f"number {len(raised) + 1}"))
        raise raised[-1] from root

    with pytest.raises(OSError) as caught:
        retry(call, attempts=3, sleep=lambda _: None)
    assert caught.value is raised[2]
    assert caught.value.__cause__ is root
    assert "gave up after 3 attempts" in caught.value.__notes__[0]
    assert len(raised) == 3


def test_no_attempt_starts_at_or_after_the_deadline() -> None:
    time = Time()
    starts: list[float] = []

    def call() -> None:
        starts.append(time.now - 100.0)
        time.now += 2.0
        raise OSError

    with pytest.raises(OSError) as caught:
        retry(
            call,
            attempts=100,
            first_delay=1,
            factor=1,
            deadline=9.0,
            sleep=time.sleep,
            clock=time.clock,
            uniform=always_the_ceiling,
        )
    # Attempts at 0, 3, 6; the next one would start at 9, which is the deadline.
    assert starts == [0, 3, 6]
    assert time.now == 108.0, "it did not sleep in vain"
    assert "deadline" in caught.value.__notes__[0]


def test_an_error_of_another_type_passes_at_once() -> None:
    calls = itertools.count()

    def call() -> None:
        next(calls)
        raise KeyError("not transient")

    with pytest.raises(KeyError) as caught:
        retry(call, retry_on=(OSError, TimeoutError), sleep=lambda _: None)
    assert next(calls) == 1
    assert not hasattr(caught.value, "__notes__")


def test_worth_it_can_refuse_an_error_of_the_right_type() -> None:
    calls = itertools.count()

    def call() -> None:
        raise OSError(next(calls))

    with pytest.raises(OSError, match="1"):
        retry(call, worth_it=lambda error: error.args[0] == 0, sleep=lambda _: None)
    assert next(calls) == 2


def test_an_interrupt_is_never_retried() -> None:
    calls = itertools.count()

    def call() -> None:
        next(calls)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retry(call, sleep=lambda _: None)
    assert next(calls) == 1


def test_many_attempts_do_not_overflow_the_ceiling() -> None:
    time = Time()
    with pytest.raises(OSError):
        retry(
            lambda: (_ for _ in ()).throw(OSError()),
            attempts=3000,
            factor=10,
            sleep=time.sleep,
            clock=time.clock,
            uniform=always_the_ceiling,
        )
    assert time.pauses[-1] == 30.0


@pytest.mark.parametrize(
    "wrong",
    [{"attempts": 0}, {"first_delay": -1}, {"max_delay": float("nan")}, {"factor": 0.5}, {"deadline": -1}],
)
def test_arguments_out_of_range_are_refused_before_the_first_call(wrong: dict[str, float]) -> None:
    called: list[int] = []
    with pytest.raises(ValueError):
        retry(lambda: called.append(1), **wrong)  # type: ignore[arg-type]
    assert called == []


@given(st.integers(1, 20), st.floats(1e-6, 5), st.floats(1, 4), st.floats(0, 60), st.randoms(use_true_random=False))
def test_every_pause_lies_between_zero_and_its_ceiling(attempts, first, factor, longest, random) -> None:  # type: ignore[no-untyped-def]
    time = Time()
    with pytest.raises(OSError):
        retry(
            lambda: (_ for _ in ()).throw(OSError()),
            attempts=attempts,
            first_delay=first,
            factor=factor,
            max_delay=longest,
            sleep=time.sleep,
            clock=time.clock,
            uniform=random.uniform,
        )
    assert len(time.pauses) == attempts - 1
    for number, pause in enumerate(time.pauses):
        assert 0 <= pause <= min(longest, first * factor**number) * (1 + 1e-9)
