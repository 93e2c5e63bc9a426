"""A session is gone on with in a copy of it, over each back end of the event log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.event_logs import EventLogs
from treadle.core.acceptance import Acceptance, last_applied
from treadle.core.config.settings import RetentionSettings
from treadle.core.errors import PatchConflict, StoreBusy, UsageError
from treadle.core.events import Event
from treadle.core.forking import applied_by, fork
from treadle.core.metrics import Metrics, measure, measured, series_of
from treadle.core.model_use import use_of
from treadle.core.patches import bases
from treadle.core.places import Places
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_use import with_use
from treadle.core.records import Attempt, Candidate, FileChange, Outcome, Task, Verdict
from treadle.core.store.retention import clean
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.store import Store
from treadle.core.tree.workspace import digest
from treadle.tui.control.control import LogReader
from treadle.tui.story.story import Story

DAY = 86_400.0


class Clock:
    now = 1_795_827_912.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(logs: EventLogs, clock: Clock) -> Iterator[Store]:
    with logs.open(clock) as store:
        yield store


@pytest.fixture
def places(logs: EventLogs) -> Places:
    logs.places.project.mkdir()
    (logs.places.project / "a.py").write_bytes(b"old\n")
    return logs.places


def task_of(places: Places) -> Task:
    return Task(id="t", kind="fix", project=str(places.project), python="python3", text="the leap years")


def outcome_of(places: Places) -> Outcome:
    candidate = Candidate(files=(FileChange(path="a.py", content=b"new\n", base=digest(b"old\n")),), why="")
    passed = Attempt(number=1, candidate=candidate, verdict=Verdict(state="passed"))
    return Outcome(task=task_of(places), state="SOLVED", attempts=(passed,))


def solved(store: Store, places: Places) -> str:
    session = store.create_session(task_of(places)).id
    for kind, data in (
        ("session.created", {"task": msgspec.to_builtins(task_of(places)), "choices": {"plugins": {"x": True}}}),
        ("execute.started", {"key": "k", "jobs": 4}),
        ("note", {"text": "a line that is long enough to be packed, " * 50}),
        ("complete.finished", {"key": "c", "model": "a/b", "usage": {"input": 7, "output": 3}, "usd": 0.5}),
        ("plugins.called", {"plugins": {"x": {"calls": 3, "faults": 0, "p50_ms": 1.0, "p95_ms": 2.0}}}),
        ("session.state", {"state": "SOLVED"}),
        ("session.ended", {"state": "SOLVED", "reason": "found it", "diff": "the diff"}),
    ):
        store.append(session, kind, data, attempt=1, parent=1)
    return session


def forked(store: Store, places: Places, session: str) -> SessionRow:
    return fork(store, places, session, "t2")


def told(events: Any) -> list[tuple[Any, ...]]:
    return [(e.seq, e.time, e.kind, e.attempt, e.parent, e.data) for e in events]


def test_a_fork_has_the_events_as_they_are_and_says_whose_they_were(store: Store, places: Places, clock: Clock) -> None:
    session = solved(store, places)
    before = store.session(session), told(store.events(session))
    clock.now += 100

    copy = forked(store, places, session)

    assert (store.session(session), told(store.events(session))) == before
    assert (copy.parent, copy.state, copy.started, copy.title) == (session, "SOLVED", clock.now, before[0].title)
    assert copy.ended == before[0].ended
    assert copy.task == msgspec.structs.replace(before[0].task, id="t2")
    created, *others = store.events(copy.id)
    assert told(others) == before[1][1:]
    said = before[1][0][-1]
    plain = said["task"] | {"id": "t2"}
    assert created.data == said | {"task": plain, "forked_from": session, "copied": 7}

    assert store.append(copy.id, "note", {}).seq == 8
    assert store.last_seq(session) == 7
    assert next(store.events(forked(store, places, copy.id).id)).data["copied"] == 8


def test_a_fork_is_found_by_the_words_of_its_original(store: Store, places: Places) -> None:
    session = solved(store, places)
    copy = forked(store, places, session).id

    assert {row.id for row in store.sessions(search="leap found")} == {session, copy}
    store.purge(session)
    assert [hit.session.id for hit in store.search("leap")] == [copy]


def test_its_outputs_are_there_as_long_as_either_session_is(store: Store, places: Places, clock: Clock) -> None:
    session = solved(store, places)
    ref = store.put_output(session, "what a job printed")
    copy = forked(store, places, session).id

    store.purge(session)
    assert store.get_output(ref) == "what a job printed"
    store.purge(copy)
    assert store.get_output(ref) is None

    session = solved(store, places)
    ref = store.put_output(session, "what a job printed")
    clock.now += DAY
    forked(store, places, session)
    store.expire_outputs(clock.now)
    assert store.get_output(ref) is None, "it is no newer for the copy"


def test_a_fork_of_an_old_session_is_not_old(store: Store, places: Places, clock: Clock) -> None:
    settings = RetentionSettings()
    session = solved(store, places)
    store.star(session)
    clock.now += 400 * DAY
    copy = forked(store, places, session)
    assert not copy.starred

    assert clean(store, places, settings, clock.now + 1, force=True).sessions == 0
    assert clean(store, places, settings, clock.now + 400 * DAY, force=True).sessions == 1
    assert store.session_ids() == {session}


def test_what_cant_be_forked_is_said_and_leaves_nothing(store: Store, places: Places) -> None:
    session = solved(store, places)
    with store.lock(session), pytest.raises(StoreBusy, match=f"session {session} is at work and can't be forked"):
        forked(store, places, session)
    empty = store.create_session(task_of(places)).id
    with pytest.raises(UsageError, match="has not begun"):
        forked(store, places, empty)
    assert store.session_ids() == {session, empty}


# ---------------------------------------------------------------- what happened once counts once


def story_of(store: Store, session: str) -> Story:
    story = Story(LogReader(lambda: store, session))
    kinds = ("session.created", "complete.finished")
    story.fold_all(event for event in store.events(session) if event.kind in kinds)
    return story


def test_what_happened_once_counts_once(store: Store, places: Places, clock: Clock) -> None:
    session = solved(store, places)
    before = measure(store)
    assert (before.sessions, before.jobs, before.model_tokens) == (1, 4, 10)
    clock.now += 2 * DAY
    copy = forked(store, places, session).id
    assert measure(store) == before
    assert use_of(store.events(copy)).requests == 0
    assert story_of(store, copy).use.requests == 0
    assert story_of(store, session).use.requests == 1
    (info,) = with_use((PluginInfo(name="x", version="1", source="", module="x", state="enabled"),), store)
    assert info.calls == 3

    store.append(copy, "patch.applied", {"files": ["a.py"]})
    assert (measure(store).sessions, measure(store).by_state, measure(store).applies) == (1, {"SOLVED": 1}, 1)
    assert series_of(measured(store), lambda event: event.session)[copy] == Metrics(applies=1)
    store.append(copy, "execute.started", {"key": "k2", "jobs": 2})
    store.append(copy, "session.state", {"state": "UNSOLVED"})
    after = measure(store)
    assert (after.sessions, after.jobs, after.by_state) == (2, 6, {"SOLVED": 1, "UNSOLVED": 1})

    def day(event: Event) -> str:
        return f"{event.time // DAY:.0f}"

    by_day = series_of(measured(store), day)
    assert [found.jobs for found in by_day.values()] == [4, 2], "each day has what happened on it"
    by_session = series_of(measured(store), lambda event: event.session)
    assert by_session[session] == before
    assert by_session[copy] == Metrics(sessions=1, jobs=2, applies=1, by_state={"UNSOLVED": 1}, success_rate=0.0)


# ---------------------------------------------------------------- the person's files


def test_what_the_original_has_applied_is_the_originals(store: Store, places: Places) -> None:
    root, session = places.project, solved(store, places)
    file = root / "a.py"

    def acceptance(of: str) -> Acceptance:
        return Acceptance(store, places, root, of)

    assert acceptance(session).apply(outcome_of(places))
    copy = forked(store, places, session).id
    far = forked(store, places, copy).id

    assert not any(event.kind.startswith("patch.") for event in store.events(copy))
    assert not acceptance(copy).is_applied()
    assert last_applied(store, places, root) == session
    assert [applied_by(store, places, root, each) for each in (session, copy, far)] == [session] * 3
    assert not acceptance(copy).apply(outcome_of(places)), "the files are as it makes them already"
    with pytest.raises(UsageError, match="not applied"):
        acceptance(copy).undo()
    assert file.read_bytes() == b"new\n"

    acceptance(session).undo()
    assert applied_by(store, places, root, copy) is None
    assert acceptance(copy).apply(outcome_of(places))
    assert applied_by(store, places, root, session) is None
    with pytest.raises(PatchConflict):
        acceptance(session).apply(Outcome(task=task_of(places), state="SOLVED", attempts=(_other(),)))
    acceptance(copy).undo()
    assert file.read_bytes() == b"old\n"


def _other() -> Attempt:
    candidate = Candidate(files=(FileChange(path="a.py", content=b"else\n", base=digest(b"old\n")),), why="")
    return Attempt(number=1, candidate=candidate, verdict=Verdict(state="passed"))


def test_what_is_kept_beside_the_log_comes_along_and_no_link_does(store: Store, places: Places, tmp_path: Path) -> None:
    session = solved(store, places)
    bases.keep(places.session(session), [b"old\n"])
    own = places.make_plugin_session_folder("mine", session)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("hunter2")
    (own / "deep" / "er").mkdir(parents=True)
    (own / "deep" / "er" / "kept").write_text("kept")
    (own / "file").symlink_to(secret / "key")
    (own / "folder").symlink_to(secret)
    os.mkfifo(own / "pipe")
    (own / "upper").mkdir()
    (own / "upper" / "file").write_text("what a job wrote")
    store.append(session, "workspace.opened", {"root": str(places.project), "upper": str(own / "upper")})

    copy = forked(store, places, session).id

    assert bases.Bases(places, copy).find(digest(b"old\n")) == b"old\n"
    there = places.plugin_session_folder("mine", copy)
    assert sorted(path.relative_to(there).as_posix() for path in there.rglob("*")) == [
        "deep",
        "deep/er",
        "deep/er/kept",
    ]
    (there / "deep" / "er" / "kept").write_text("otherwise")
    assert (own / "deep" / "er" / "kept").read_text() == "kept"
