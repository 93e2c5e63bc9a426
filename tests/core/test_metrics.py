from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treadle.core.events import Event
from treadle.core.metrics import Metrics, measure, measured, metrics_of, series_of
from treadle.core.records import Task
from treadle.core.store.store import Store

TASK = Task(id="t", kind="fix", project="/home/ada/app", python="python", text="mend it")

SOLVED: list[tuple[str, dict[str, Any]]] = [
    ("session.created", {"task": {}}),
    ("session.state", {"state": "RECALLING"}),
    ("recall.found", {"lessons": [{"id": "l1"}, {"id": "l2"}]}),
    ("stage.finished", {"stage": "PLANNING", "seconds": 1.5}),
    ("execute.started", {"key": "k", "jobs": 6}),
    ("execute.finished", {"key": "k", "verdicts": {"ok": 3, "timeout": 1, "not run": 2}}),
    ("stage.finished", {"stage": "GENERATING", "seconds": 2}),
    ("candidate.proposed", {"tried": 40, "total": 90}),
    ("scan.found", {"findings": [{"severity": "note"}, {"severity": "ask"}, {"severity": "note"}]}),
    ("attempt.ended", {"number": 1, "verdict": "failed"}),
    ("stage.finished", {"stage": "GENERATING", "seconds": 0.5}),
    ("candidate.proposed", {"tried": 2}),
    ("attempt.ended", {"number": 2, "verdict": "passed"}),
    ("session.state", {"state": "SOLVED"}),
    ("session.ended", {"state": "SOLVED"}),
    ("patch.applied", {"files": ["a.py"]}),
    ("patch.undone", {"files": ["a.py"]}),
]


def fill(store: Store, events: list[tuple[str, dict[str, Any]]]) -> str:
    session = store.create_session(TASK).id
    for kind, data in events:
        store.append(session, kind, data)
    return session


def test_the_event_log_says_how_well_it_went(tmp_path: Path) -> None:
    with Store.open(tmp_path / "events.db") as store:
        fill(store, SOLVED)
        fill(store, [("attempt.ended", {}), ("session.state", {"state": "SOLVED"})])
        in_vain = ("plugin.search.tried", {"tried": 100, "total": 100})
        fill(store, [in_vain, ("plugin.fault", {"plugin": "search"}), ("session.state", {"state": "UNSOLVED"})])
        fill(store, [("question.asked", {"id": "q"}), ("session.state", {"state": "NEEDS_PERSON"})])
        fill(store, [("session.state", {"state": "GENERATING"})])
        store.delete(fill(store, SOLVED))

        assert measure(store) == Metrics(
            sessions=5,
            by_state={"GENERATING": 1, "NEEDS_PERSON": 1, "SOLVED": 2, "UNSOLVED": 1},
            success_rate=2 / 3,
            attempts_mean=1.5,
            attempts_median=1.5,
            stage_seconds={"GENERATING": 2.5, "PLANNING": 1.5},
            candidates=142,
            jobs=4,
            verdicts={"ok": 3, "timeout": 1},
            findings={"ask": 1, "note": 2},
            recalls=2,
            faults={"search": 1},
            questions_asked=1,
            applies=1,
            undos=1,
        )


def test_an_empty_event_log_has_no_rates(tmp_path: Path) -> None:
    with Store.open(tmp_path / "events.db") as store:
        assert measure(store) == Metrics()


def test_a_resumed_session_counts_once_by_its_last_state(tmp_path: Path) -> None:
    stopped = [("session.ended", {"state": "STOPPED"}), ("session.state", {"state": "PLANNING"})]
    with Store.open(tmp_path / "events.db") as store:
        fill(store, [*stopped, *SOLVED])
        measured = measure(store)

    assert measured.by_state == {"SOLVED": 1}
    assert measured.success_rate == 1.0


def test_a_series_tells_of_each_group_of_sessions_what_metrics_tell_of_it_alone(tmp_path: Path) -> None:
    now = [0.0]
    with Store.open(tmp_path / "events.db", clock=lambda: now[0]) as store:
        for day in (1, 2, 2):
            now[0] = day * 86_400.0
            fill(store, SOLVED)
        by_day = series_of(measured(store), lambda event: f"day {event.time / 86_400:.0f}")
        by_session = series_of(measured(store), lambda event: event.session)
        everything = measure(store)

    assert {day: found.sessions for day, found in by_day.items()} == {"day 1": 1, "day 2": 2}
    assert by_day["day 2"].verdicts == {"ok": 6, "timeout": 2}
    assert len(by_session) == 3
    assert sum(found.candidates for found in by_session.values()) == everything.candidates == 126


def test_a_session_that_goes_on_the_next_day_counts_where_it_began() -> None:
    told = [(1.0, {"state": "PLANNING"}), (2.0, {"state": "SOLVED"})]
    events = [
        Event(session="s", seq=n, time=moment, kind="session.state", data=data)
        for n, (moment, data) in enumerate(told, 1)
    ]
    assert series_of(events, lambda event: str(event.time)) == {"1.0": metrics_of(events)}


def test_more_events_than_a_reader_takes_at_once_are_all_counted(tmp_path: Path) -> None:
    with Store.open(tmp_path / "events.db") as store:
        for _ in range(3):
            fill(store, [("execute.started", {"jobs": 1}), ("note", {})] * 300)
        assert measure(store).jobs == 900


kinds = st.sampled_from(
    [kind for kind, _ in SOLVED] + ["plugin.fault", "question.asked", "unknown.kind", "plugin.x.tried"]
)
odd = st.sampled_from(
    [
        None,
        "",
        "SOLVED",
        7,
        -1,
        2.5,
        math.nan,
        math.inf,
        True,
        {},
        [],
        [None, 7, {}, {"severity": None}, {"severity": "ask"}],
    ]
)
fields = ["state", "stage", "seconds", "jobs", "tried", "findings", "lessons", "plugin", "verdicts"]
data_of_any_kind = st.fixed_dictionaries({}, optional=dict.fromkeys(fields, odd))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(kinds, data_of_any_kind)))
def test_events_that_lack_what_they_should_hold_are_no_obstacle(events: list[tuple[str, dict[str, Any]]]) -> None:
    made = [Event(session="s", seq=n, time=0.0, kind=kind, data=data) for n, (kind, data) in enumerate(events, 1)]
    assert metrics_of(made).sessions == (1 if events else 0)
