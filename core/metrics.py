"""Metrics: what the event log says about how well it went, read from events alone."""

from __future__ import annotations

import fnmatch
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from treadle.core.events import Event
from treadle.core.forks import Copies
from treadle.core.heard_again import Replays
from treadle.core.model_use import use_of
from treadle.core.records import NOT_RUN, Record
from treadle.core.states import ENDED
from treadle.core.store.store import Store

_KINDS = (
    "session.created",
    "session.state",
    "session.ended",
    "stage.finished",
    "execute.started",
    "execute.finished",
    "candidate.proposed",
    "scan.found",
    "attempt.ended",
    "recall.found",
    "complete.finished",
    "plugin.search.saved_a_call",
    "plugin.fault",
    "question.asked",
    "question.answered",
    "patch.applied",
    "patch.undone",
)
_TRIED = "plugin.*.tried"
"""What a generator that ends without a candidate says, as `treadle_generate` asks of it."""
_STATES = ("session.state", "session.ended")


def tried_in_vain(events: Iterable[Event]) -> tuple[int, int]:
    """How many variants a session's generators tried of which none came to a candidate, and of how many."""
    ends = [dict(event.data) for event in events if fnmatch.fnmatchcase(event.kind, _TRIED)]
    tried, total = (sum(int(_number(data, name)) for data in ends) for name in ("tried", "total"))
    return tried, total


class Metrics(Record, frozen=True, kw_only=True):
    """`by_state`: sessions by the last state they were in. `success_rate`: solved sessions among those that have ended
    (solved, unsolved, over budget; not those that rest, as on a question, or are at work), None when there are none.
    `attempts_*`: how many attempts solved sessions took. `stage_seconds`: time in each stage. `candidates`: variants
    that were tried; `jobs`: what ran in the sandbox, `verdicts`: how these ended, by the sandbox's word for it.
    `findings`: by severity. `recalls`: lessons recalled. `faults`: by plugin. `model_usd`: US dollars, without the
    requests whose price nobody knows. `calls_saved`: changes of a model's that the search mended, so that no model was
    asked."""

    sessions: int = 0
    by_state: dict[str, int] = {}
    success_rate: float | None = None
    attempts_mean: float | None = None
    attempts_median: float | None = None
    stage_seconds: dict[str, float] = {}
    candidates: int = 0
    jobs: int = 0
    verdicts: dict[str, int] = {}
    findings: dict[str, int] = {}
    recalls: int = 0
    faults: dict[str, int] = {}
    questions_asked: int = 0
    questions_answered: int = 0
    model_requests: int = 0
    model_tokens: int = 0
    model_usd: float = 0.0
    calls_saved: int = 0
    applies: int = 0
    undos: int = 0


def measure(store: Store) -> Metrics:
    """The metrics of all sessions in the event log that are not deleted."""
    return metrics_of(measured(store))


def measured(store: Store) -> Iterator[Event]:
    """The events that metrics are made of, of all sessions that are not deleted, session by session."""
    return store.events_of(_KINDS, like=_TRIED)


def series_of(events: Iterable[Event], name_of: Callable[[Event], str]) -> dict[str, Metrics]:
    """The metrics of groups of sessions, in the order in which the groups begin. `name_of` names a session's group by
    its first event (a fork's by the first that is no copy): by its `session` each is a group of its own, by its `time`
    those of one day can be one. The events are in order within each session."""
    groups: dict[str, list[Event]] = {}
    group_of: dict[str, str] = {}
    begun: dict[str, Event] = {}
    copies = Copies()
    for event in events:
        if copies.hold(event):
            begun.setdefault(event.session, event)
            continue
        if event.session not in group_of:
            group_of[event.session] = name_of(event)
            if event.session in begun:  # which says that it is a fork
                groups.setdefault(group_of[event.session], []).append(begun[event.session])
        groups.setdefault(group_of[event.session], []).append(event)
    return {name: metrics_of(those) for name, those in groups.items()}


def metrics_of(events: Iterable[Event]) -> Metrics:
    """The metrics of these events, which are in order within each session. What an event lacks counts as nothing. What
    a fork has from its original counts there, and so does what a replay hears again of models. A fork that has not
    worked since is no session of its own."""
    state: dict[str, str] = {}
    attempts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    findings: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    answered: list[Event] = []
    standing: set[str] = set()
    undos = 0
    candidates = jobs = recalls = saved = 0
    copies, replays = Copies(), Replays()
    for event in events:
        if replays.hold(event) or copies.hold(event):
            continue
        data = event.data
        kinds[event.kind] += 1
        if event.kind in _STATES or not copies.has_fork(event.session):
            state.setdefault(event.session, "INIT")
        match event.kind:
            case kind if kind in _STATES:
                state[event.session] = _text(data, "state") or state[event.session]
            case "stage.finished":
                stage = _text(data, "stage") or "unknown"
                seconds[stage] = seconds.get(stage, 0.0) + _number(data, "seconds")
            case "execute.started":
                jobs += int(_number(data, "jobs"))
            case "execute.finished":
                ended = _counts(data, "verdicts")
                jobs -= ended.pop(NOT_RUN, 0)
                verdicts.update(ended)
            case "candidate.proposed":
                candidates += max(1, int(_number(data, "tried")))
            case "attempt.ended":
                attempts[event.session] += 1
            case "scan.found":
                findings.update(_text(found, "severity") or "unknown" for found in _items(data, "findings"))
            case "recall.found":
                recalls += len(_items(data, "lessons"))
            case "complete.finished":
                answered.append(event)
            case "plugin.search.saved_a_call":
                saved += 1
            case "patch.applied":
                standing.add(event.session)
            case "patch.undone":
                undos += event.session in standing  # else it never stood: what was cut off, or failed, was taken back
                standing.discard(event.session)
            case "plugin.fault":
                faults[_text(data, "plugin") or "unknown"] += 1
            case kind if fnmatch.fnmatchcase(kind, _TRIED):
                candidates += int(_number(data, "tried"))
    by_state = Counter(state.values())
    over = sum(by_state[name] for name in ENDED)
    took = [attempts[session] for session, last in state.items() if last == "SOLVED" and attempts[session]]
    models = use_of(answered)
    return Metrics(
        sessions=len(state),
        by_state=dict(sorted(by_state.items())),
        success_rate=by_state["SOLVED"] / over if over else None,
        attempts_mean=statistics.fmean(took) if took else None,
        attempts_median=float(statistics.median(took)) if took else None,
        stage_seconds=dict(sorted(seconds.items())),
        candidates=candidates,
        jobs=jobs,
        verdicts=dict(sorted(verdicts.items())),
        findings=dict(sorted(findings.items())),
        recalls=recalls,
        faults=dict(sorted(faults.items())),
        questions_asked=kinds["question.asked"],
        questions_answered=kinds["question.answered"],
        model_requests=models.requests,
        model_tokens=models.read + models.written,
        model_usd=models.usd,
        calls_saved=saved,
        applies=kinds["patch.applied"],
        undos=undos,
    )


def _text(data: object, field: str) -> str:
    value = data.get(field) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""


def _number(data: dict[str, Any], field: str) -> float:
    """A plugin may have said anything; what counts nothing counts as 0."""
    value = data.get(field)
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return 0.0
    return max(0.0, float(value))


def _items(data: dict[str, Any], field: str) -> list[Any]:
    value = data.get(field)
    return list(value) if isinstance(value, list | tuple) else []


def _counts(data: dict[str, Any], field: str) -> dict[str, int]:
    value = data.get(field)
    named = value.items() if isinstance(value, dict) else ()
    return {str(name): int(count) for name, count in named if isinstance(count, int) and not isinstance(count, bool)}
