"""The ledger: what was reserved counts, a budget holds to the last step, and a day is a day of the person's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.errors import BudgetExceeded
from treadle.core.store import spending
from treadle.core.store.database import Database
from treadle.core.store.spending import Amounts, Scope, Spending

NOON = datetime(2026, 3, 14, 12).timestamp()
DAY = 86_400.0


@pytest.fixture
def ledger(tmp_path: Path) -> Callable[..., Spending]:
    def make(name: str = "s", at: float = NOON, **limits: Amounts) -> Spending:
        named: dict[Scope, Amounts] = {"session": {}, "day": {}, "month": {}, **limits}  # type: ignore[dict-item]
        return Spending(tmp_path / "spending.db", name, named, tell=str, clock=lambda: at)

    return make


def used(spending: Spending) -> dict[tuple[str, str], float]:
    return {(level.scope, level.what): level.used for level in spending.levels()}


def test_what_would_pass_a_budget_is_not_set_aside_and_the_way_on_is_named(ledger: Callable[..., Spending]) -> None:
    spending = ledger(session={"usd": 1.0})
    spending.reserve("a", {"usd": 0.7})
    with pytest.raises(BudgetExceeded) as refused:
        spending.reserve("b", {"usd": 0.5})
    assert "0.7 of 1 US dollars are used up this session" in str(refused.value)
    assert "0.5 more" in str(refused.value)
    assert "`--set budget.usd=2` allows more" in str(refused.value)
    with pytest.raises(BudgetExceeded, match=r"budget\.usd=3\.13`"):
        spending.reserve("b", {"usd": 2.421})
    assert used(spending) == {("session", "usd"): 0.7}
    spending.reserve("b", {"usd": 0.3})  # exactly to the end


def test_what_was_reserved_gives_way_to_what_it_came_to(ledger: Callable[..., Spending]) -> None:
    spending = ledger(session={"usd": 1.0, "tokens": 100})
    spending.reserve("a", {"usd": 0.9, "tokens": 90})
    spending.settle("a", {"usd": 0.1, "tokens": 20})
    spending.reserve("b", {"usd": 0.8, "tokens": 80})
    assert used(spending) == {("session", "usd"): pytest.approx(0.9), ("session", "tokens"): 100}


def test_a_key_is_counted_once_however_often_it_is_done_again(ledger: Callable[..., Spending]) -> None:
    spending = ledger(session={"calls": 1})
    for _ in range(3):
        spending.reserve("a", {"calls": 1})
    with pytest.raises(BudgetExceeded):
        spending.reserve("b", {"calls": 1})


def test_what_a_crash_left_reserved_still_counts(ledger: Callable[..., Spending]) -> None:
    ledger(day={"usd": 1.0}).reserve("a", {"usd": 0.9})
    with pytest.raises(BudgetExceeded, match="today"):
        ledger("other", day={"usd": 1.0}).reserve("a", {"usd": 0.2})


def test_days_and_months_count_all_sessions_and_end(ledger: Callable[..., Spending]) -> None:
    limits: dict[str, Amounts] = {"session": {"calls": 9}, "day": {"calls": 9}, "month": {"calls": 9}}
    ledger("one", NOON, **limits).settle("a", {"calls": 2})
    ledger("two", NOON, **limits).settle("a", {"calls": 3})
    later = ledger("two", NOON + DAY, **limits)
    later.settle("b", {"calls": 1})
    assert used(later) == {("session", "calls"): 4, ("day", "calls"): 1, ("month", "calls"): 6}
    assert used(ledger("two", NOON + 31 * DAY, **limits)) == {
        ("session", "calls"): 4,
        ("day", "calls"): 0,
        ("month", "calls"): 0,
    }


def test_the_person_is_warned_from_four_fifths_on(ledger: Callable[..., Spending]) -> None:
    spending = ledger(session={"tokens": 100}, day={"tokens": 1000})
    assert spending.reserve("a", {"tokens": 79}) == ()
    (level,) = spending.reserve("b", {"tokens": 1})
    assert (level.key, str(level)) == ("budget.tokens", "80 of 100 tokens are used up this session")
    (day,) = ledger("other", day={"tokens": 100}).reserve("c", {"tokens": 5})
    assert day.key == "budget.day.tokens"


def test_what_is_not_limited_is_counted_all_the_same(ledger: Callable[..., Spending]) -> None:
    ledger().reserve("a", {"usd": 5.0})
    assert used(ledger(session={"usd": 9.0})) == {("session", "usd"): 5.0}


def test_threads_together_do_not_pass_a_budget(ledger: Callable[..., Spending]) -> None:
    spendings = [ledger(f"s{n}", day={"calls": 10}) for n in range(4)]
    passed: list[int] = []

    def work(number: int) -> None:
        for n in range(6):
            try:
                spendings[number].reserve(f"k{n}", {"calls": 1})
                passed.append(n)
            except BudgetExceeded:
                pass

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 10


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 50), st.booleans()), max_size=20),
    st.integers(0, 100),
)
def test_no_order_of_steps_passes_a_budget(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, bool]], limit: int
) -> None:
    file = tmp_path_factory.mktemp("ledger") / "spending.db"
    spending = Spending(file, "s", {"session": {"tokens": limit}}, tell=str, clock=lambda: NOON)
    known: dict[str, int] = {}
    for key, tokens, settles in steps:
        others = sum(amount for each, amount in known.items() if each != key)
        if settles and key in known:
            known[key] = min(tokens, known[key])  # a call comes to no more than was set aside
            spending.settle(key, {"tokens": known[key]})
        elif others + tokens <= limit:
            spending.reserve(key, {"tokens": tokens})
            known[key] = tokens
        else:
            with pytest.raises(BudgetExceeded):
                spending.reserve(key, {"tokens": tokens})
    (level,) = spending.levels()
    assert level.used == sum(known.values()) <= limit
    spending.close()


def test_what_is_done_again_on_another_day_counts_on_its_own(ledger: Callable[..., Spending]) -> None:
    ledger("s", at=NOON - DAY).reserve("session", {"sessions": 1})
    today = ledger("s", day={"sessions": 1})
    today.reserve("session", {"sessions": 1})
    assert used(today)["day", "sessions"] == 0
    today.settle("session", {"sessions": 1})
    assert today.used("day")["sessions"] == 0
    assert today.used("month")["sessions"] == 1


@pytest.mark.parametrize(("days", "scope"), [(1, "day"), (31, "month")])
def test_what_was_counted_before_goes_on_where_the_budget_of_now_is_used_up(
    ledger: Callable[..., Spending], days: int, scope: str
) -> None:
    limits: dict[str, Amounts] = {scope: {"sessions": 1}}
    ledger("before", NOON - days * DAY, **limits).reserve("session", {"sessions": 1})
    ledger("now", **limits).reserve("session", {"sessions": 1})
    again = ledger("before", **limits)
    assert again.fits("session", {"sessions": 1})
    assert again.reserve("session", {"sessions": 1}) == ()
    with pytest.raises(BudgetExceeded):
        ledger("another", **limits).reserve("session", {"sessions": 1})
    assert used(again) == {(scope, "sessions"): 1}


def test_what_was_counted_on_another_day_is_held_against_the_session_all_the_same(
    ledger: Callable[..., Spending],
) -> None:
    ledger("s", NOON - DAY).reserve("a", {"usd": 0.5})
    with pytest.raises(BudgetExceeded):
        ledger("s", session={"usd": 1.0}).reserve("a", {"usd": 1.5})


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone can't be set on this system")
def test_a_day_begins_at_midnight_also_when_the_clocks_are_changed_in_it(
    ledger: Callable[..., Spending], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    try:
        noon = datetime(2026, 3, 29, 12).timestamp()  # put forward at two o'clock
        ledger("before", at=datetime(2026, 3, 28, 23, 30).timestamp()).reserve("a", {"calls": 1})
        ledger("after", at=datetime(2026, 3, 29, 0, 30).timestamp()).reserve("a", {"calls": 1})
        assert ledger(at=noon).used("day")["calls"] == 1
    finally:
        monkeypatch.undo()
        time.tzset()


def test_of_a_budget_of_all_sessions_a_person_is_warned_once_a_day(ledger: Callable[..., Spending]) -> None:
    (near,) = ledger("a", day={"executions": 5}).reserve("1", {"executions": 4})
    text = "4 of 5 runs of code that a model wrote are used up, or set aside for the next step, today; each time counts"
    assert near.warning.startswith(text)
    assert near.warning.endswith("`--set budget.day.executions=10` allows more")
    assert ledger("a").is_news(near)
    assert not ledger("b", at=NOON + 3600).is_news(near)
    assert ledger("b").is_news(msgspec.structs.replace(near, limit=4.5)), "another limit is another warning"
    assert ledger("b", at=NOON + DAY).is_news(near)


def test_a_ledger_from_before_warnings_were_kept_is_gone_on_with(
    ledger: Callable[..., Spending], tmp_path: Path
) -> None:
    first = spending._ledger
    old = Database(tmp_path / "spending.db", (first,), application_id=spending._APPLICATION_ID, what="ledger")
    with old.write() as transaction:
        transaction.execute("INSERT INTO spent VALUES ('a', '1', 'usd', ?, 0.9)", (NOON,))
    old.close()
    (near,) = (now := ledger("b", day={"usd": 1.0})).levels()
    assert (near.used, now.is_news(near), now.is_news(near)) == (0.9, True, False)
