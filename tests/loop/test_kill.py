"""A session of 200+ events is killed after events, and between effects and the event that ends them; `run` then ends
it as if nothing had happened, and what was finished is not done again.

Most of the events are those of batch after batch of one attempt, all alike: of each kind the first and last three of an
attempt are taken, and every 17th between them; of what is rarer, all. Which 17th it is goes by the day, so that in 17
days it is every event; a test that fails prints what TEST_EVENTS_DAY has to be for the same ones again. With
TEST_EVERY_EVENT=1 it is every event at once.
"""

from __future__ import annotations

import json
import os
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import Server
from treadle.core.events import Event
from treadle.core.records import Candidate, Execution, FileChange, Job, Outcome
from treadle.core.store.store import Store

BATCHES = 44
EVERY_EVENT = os.environ.get("TEST_EVERY_EVENT") == "1"
# Seven days do not make up 17: who tests once a week meets every event as well, in 17 weeks.
STRIDE = 17
DAY = int(os.environ.get("TEST_EVENTS_DAY") or datetime.now(UTC).toordinal())
SHARES = 4
"""Tests that the events are shared out to, so that they can run beside each other."""


class KillingStore:
    """The event log of a process that kills itself at its n-th append, just before or just after it."""

    def __init__(self, store: Store, at: int, after: bool) -> None:
        self._store = store
        self._left = at
        self._after = after

    def append(self, *args: Any, **kwargs: Any) -> Event:
        self._left -= 1
        if self._left == 0 and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        event = self._store.append(*args, **kwargs)
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return event

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Search:
    """A generator that tries many variants in batches, and an executor that keeps a file of what it ran."""

    def __init__(self, done: Path) -> None:
        self._done = done

    def generate(self, request: Any, context: Any) -> Candidate | None:
        for batch in range(BATCHES):
            jobs = tuple(Job(id=f"try-{batch}-{n}", argv=("true",)) for n in range(2))
            runs = context.execute(jobs)
            if batch % 7 == 0:
                context.emit("tried", {"batch": batch})
            # The first attempt takes the last but one batch, which fails; the second takes the last.
            if batch == BATCHES - (1 if request.attempts else 2):
                text = f"x = {batch - BATCHES + 2}\n"
                seen = sum(run.cpu_s for run in runs)
                change = FileChange(path="a.py", content=text.encode())
                return Candidate(files=(change,), why=f"batch {batch}, {seen}", rank=batch)
        return None

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        with self._done.open("a") as file:
            file.write(json.dumps([[job.id, len(job.files)] for job in jobs]) + "\n")
        return tuple(self._run(job) for job in jobs)

    def _run(self, job: Job) -> Execution:
        ok = any(file.content == b"x = 1\n" for file in job.files)
        return Execution(job=job.id, verdict="ok" if ok else "error", exit_code=0 if ok else 1, cpu_s=0.1)


def prepare(bench: Any, done: Path) -> None:
    search = Search(done)
    bench.parts.hooks["treadle_generate"] = search.generate
    bench.parts.hooks["treadle_execute"] = search.execute


def run_and_die(bench: Any, session: str, at: int, after: bool) -> None:
    """Run the session in a forked process that kills itself at its n-th append."""
    child = os.fork()
    if child == 0:
        try:
            bench.session(session, KillingStore(bench.open_log(), at, after)).run()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def essence(events: list[Event]) -> list[tuple[str, Any]]:
    """What a run logged, without what is particular to when and how often it was cut off."""
    left_out = ("session.resumed", "stage.settled", "execute.settled", "plugins.called")
    logged = []
    for event in events:
        if event.kind not in left_out:
            data = {key: value for key, value in event.data.items() if key not in ("seconds",)}
            logged.append((event.kind, event.attempt, data))
    return logged


def telling(events: list[Event], day: int = DAY) -> set[int]:
    """The numbers of the events without most of those that come after the like and before the like."""
    alike: dict[tuple[str, int], list[int]] = {}
    for at, event in enumerate(events, 1):
        alike.setdefault((event.kind, event.attempt), []).append(at)
    return {
        at
        for all_of_it in alike.values()
        for at in (*all_of_it[:3], *all_of_it[3 + day % STRIDE : -3 : STRIDE], *all_of_it[-3:])
    }


@pytest.mark.parametrize("after", [False, True], ids=["between an effect and its end", "after an event is logged"])
@pytest.mark.parametrize("share", range(SHARES))
def test_a_run_killed_at_any_event_ends_as_an_undisturbed_one(
    bench: Any, tmp_path: Path, share: int, after: bool
) -> None:
    done = tmp_path / "undisturbed"
    prepare(bench, done)
    expected: Outcome = bench.run()
    assert expected.state == "SOLVED"
    events = bench.events()
    assert len(events) > 200
    assert set.union(*(telling(events, day) for day in range(DAY, DAY + STRIDE))) == set(range(1, len(events) + 1))
    print(f"the events of TEST_EVENTS_DAY={DAY}")
    # The first event is the session's own creation; the last has nothing after it.
    every = range(2, len(events))
    effects = [at for at in range(2, len(events) + 1) if events[at - 1].kind.endswith(".finished")]
    chosen = [at for at in (every if after else effects) if EVERY_EVENT or at in telling(events)]
    kill_at_each(bench, tmp_path, chosen[share::SHARES], after, expected, events)


@pytest.mark.parametrize("after", [False, True], ids=["between an effect and its end", "after an event is logged"])
def test_it_holds_over_postgresql_as_well(bench: Any, tmp_path: Path, postgres: Server, after: bool) -> None:
    bench.setting = postgres.url()
    prepare(bench, tmp_path / "undisturbed")
    expected: Outcome = bench.run()
    events = bench.events()
    effects = [at for at in range(2, len(events)) if after or events[at - 1].kind.endswith(".finished")]
    kill_at_each(bench, tmp_path, effects if EVERY_EVENT else effects[:: len(effects) // 10], after, expected, events)


def kill_at_each(
    bench: Any, tmp_path: Path, chosen: list[int], after: bool, expected: Outcome, events: list[Event]
) -> None:
    """Have a session killed at each of these events of its own, run it again, and compare with the undisturbed one."""
    done = tmp_path / "undisturbed"
    for at in chosen:
        again = tmp_path / f"killed-{at}"
        prepare(bench, again)
        session = bench.create()
        run_and_die(bench, session, at - 1, after)
        outcome = bench.session(session).run()
        assert outcome == expected, f"killed at event {at}"
        assert bench.store.session(session).state == "SOLVED"
        logged = list(bench.store.events(session))
        assert essence(logged) == essence(events), f"killed at event {at}"
        cut_off = sum(event.kind == "execute.settled" for event in logged)
        batches = again.read_text().splitlines()
        assert len(batches) <= len(done.read_text().splitlines()) + cut_off, "what was finished was done again"


def test_a_run_killed_again_and_again_still_ends(bench: Any, tmp_path: Path) -> None:
    prepare(bench, tmp_path / "once")
    expected = bench.run()
    prepare(bench, tmp_path / "again")
    session = bench.create()
    for _ in range(3):
        run_and_die(bench, session, 40, after=False)
    assert bench.session(session).run() == expected


@pytest.mark.parametrize("attempts", [0, 1])
def test_why_there_is_no_change_is_the_same_wherever_it_was_killed(bench: Any, attempts: int) -> None:
    bench.kind = "run"

    def generate(request: Any, context: Any) -> Candidate | None:
        if len(request.attempts) < attempts:
            return Candidate(files=(FileChange(path="a.py", content=b"x = 2\n"),), why="a guess")
        context.note("The coder found nothing.")
        return None

    bench.parts.hooks["treadle_generate"] = generate
    expected = bench.run()
    assert expected.reason.endswith("The coder found nothing")
    events = bench.events()
    left = next(at for at, event in enumerate(events, 1) if event.kind == "note.left")
    for at in range(left, len(events) - 1):
        session = bench.create()
        run_and_die(bench, session, at, after=True)
        assert bench.session(session).run() == expected, f"killed after event {at + 1}"
