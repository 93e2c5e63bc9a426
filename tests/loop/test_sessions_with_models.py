"""What a session asks of models: once, and in a replay of nobody."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from tests.loop.conftest import CHECK, Bench, change
from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.errors import StoreError, TreadleError
from treadle.core.events import Event
from treadle.core.model_use import use_of
from treadle.core.models.messages import Message, ModelRequest
from treadle.core.records import Candidate, Execution, FileChange, Job, Outcome, Plan, Signal
from treadle.core.replay import Recording

TEST = FileChange(path="test_a.py", content=b"def test_a(): pass\n")


def ask(context: Any, text: str = "what now?") -> str:
    reply = context.complete(ModelRequest(role="coder", messages=(Message(text=text),)))
    return str(reply.text)


def requests_kept(bench: Bench) -> list[str]:
    """Keep a list of the requests that are put into the store from here on."""
    put: list[str] = []
    real = bench.store.put_output

    def put_output(session: str, text: str) -> str:
        put.extend([text] if '"role"' in text else [])
        return real(session, text)

    bench.store.put_output = put_output  # type: ignore[method-assign]
    return put


def replay(bench: Bench, text: str = "what now?") -> Outcome:
    """The latest session once more, in which the generator asks with this text."""
    recording = Recording.of(bench.id, bench.events())
    bench.parts.hooks["treadle_generate"] = lambda request, context: change() if ask(context, text) else None
    return bench.session(bench.create(), replayed=recording).run()


@pytest.fixture
def asking(bench: Bench) -> Bench:
    bench.parts.hooks["treadle_generate"] = lambda request, context: change() if ask(context) else None
    return bench


def test_a_request_is_kept_when_it_is_asked_and_not_again_when_its_reply_is_in_the_log(asking: Bench) -> None:
    def generate(request: Any, context: Any) -> Candidate | None:
        ask(context)
        if not asking.parts.runs[1:]:
            asking.parts.runs.append("stopped")
            assert asking.work is not None
            asking.work.stop()
        ask(context, "and now?")
        return change()

    asking.parts.hooks["treadle_generate"] = generate
    put = requests_kept(asking)
    assert asking.run().state == "STOPPED"
    assert len(put) == 1
    assert asking.again().state == "SOLVED"
    assert len(put) == 2
    assert len(asking.parts.asked) == 2


class Newer:
    """An event log in which a newer version has logged why replies stopped."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def events(self, session: str, after: int = 0) -> Iterator[Event]:
        for event in self._store.events(session, after):
            result = event.data.get("result") if event.kind == "complete.finished" else None
            newer = {**event.data, "result": {**result, "stop": "bored"}} if result else event.data
            yield msgspec.structs.replace(event, data=newer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_what_another_version_has_logged_ends_the_run_and_is_no_fault_of_whoever_asked(asking: Bench) -> None:
    def generate(context: Any) -> Candidate:
        ask(context)
        assert asking.work is not None
        asking.work.stop()
        ask(context, "and now?")
        return change()

    asking.parts.hooks["treadle_generate"] = generate
    assert asking.run().state == "STOPPED"
    with pytest.raises(StoreError, match=r"can't be read: .*'bored'.* Another version of Treadle has logged it"):
        asking.session(asking.id, store=Newer(asking.store)).run()
    assert not asking.faults
    assert len(asking.parts.asked) == 1


def test_a_replay_asks_nobody_and_its_requests_can_be_read(asking: Bench) -> None:
    assert asking.run().state == "SOLVED"
    put = requests_kept(asking)
    assert replay(asking).state == "SOLVED"
    assert len(asking.parts.asked) == 1
    started = next(event for event in asking.events() if event.kind == "complete.started")
    assert len(put) == 1
    assert asking.store.get_output(started.data["request"]) == put[0]


def swallowing(context: Any) -> None:
    with contextlib.suppress(TreadleError):
        ask(context, "something else")


def insisting(context: Any) -> None:
    ask(context, "something else")


@pytest.mark.parametrize("says", [swallowing, insisting])
@pytest.mark.parametrize("hook", ["treadle_start", "treadle_scan", "treadle_validate", "treadle_reflect"])
def test_a_replay_stops_where_it_takes_another_way_whatever_whoever_asked_makes_of_it(
    asking: Bench, hook: str, says: Callable[[Any], None]
) -> None:
    asking.parts.hooks["treadle_execute"] = lambda jobs: tuple(
        Execution(job=job.id, verdict="error", exit_code=1) for job in jobs
    )
    asked: dict[str, Any] = {
        "treadle_start": lambda session, context: says(context),
        "treadle_scan": lambda candidate, context: says(context) or (),
        "treadle_validate": lambda candidate, context: says(context) or (),
        "treadle_reflect": lambda attempts, context: says(context),
    }
    assert asking.run().state == "NEEDS_PERSON"
    count = len(asking.parts.asked)
    asking.parts.hooks[hook] = asked[hook]
    outcome = replay(asking)
    assert outcome.state == "STOPPED"
    assert "takes another way from here" in outcome.reason
    assert len(asking.parts.asked) == count
    assert ("workspace.opened" in asking.kinds()) == (hook != "treadle_start")


def test_a_replay_of_what_is_kept_no_more_asks_nobody(asking: Bench) -> None:
    outcome = asking.session(asking.create(), replayed=Recording("gone")).run()
    assert outcome.state == "STOPPED"
    assert "session gone, which this one replays, is kept no more" in outcome.reason
    assert not asking.parts.asked


class Clock:
    """A clock that stands still until it is put forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("asks_more", [False, True])
def test_a_replay_ends_where_the_time_was_used_up_then_however_fast_it_is(bench: Bench, asks_more: bool) -> None:
    clock = Clock()
    bench.clock, bench.stage_timeout_s = clock, 1e6
    slow = True

    def generate(request: Any, context: Any) -> Candidate:
        ask(context)
        if slow:
            clock.now += 1_000
        if asks_more:
            ask(context, "and now?")
        return change()

    bench.parts.hooks["treadle_generate"] = generate
    then = bench.run()
    assert (then.state, "has worked for 1,000 s" in then.reason) == ("OVER_BUDGET", True)
    slow, first = False, bench.id
    recording = Recording.of(bench.id, bench.events())
    again = bench.session(bench.create(), replayed=recording).run()
    assert (again.state, again.reason) == (then.state, then.reason)
    assert len(bench.parts.asked) == 1
    bench.wall_s = 10_000
    assert bench.session(first).run().state == "SOLVED"
    whole = Recording.of(first, list(bench.store.events(first)))
    assert bench.session(bench.create(), replayed=whole).run().state == "SOLVED"


@pytest.mark.parametrize("budget", ["jobs", "executions"])
def test_a_replay_ends_where_a_budget_of_runs_was_used_up_then_however_much_is_left_now(
    asking: Bench, budget: str
) -> None:
    asking.kind = "run"
    asking.jobs = 1 if budget == "jobs" else 10
    asking.amounts = {"day": {"executions": 0}} if budget == "executions" else {}
    then = asking.run()
    assert then.state == "OVER_BUDGET"
    assert "execute.failed" in asking.kinds()
    asking.jobs, asking.amounts = 10, {}
    recording = Recording.of(asking.id, asking.events())
    again = asking.session(asking.create(), replayed=recording).run()
    assert (again.state, again.reason) == (then.state, then.reason)


def test_what_nobody_answered_is_asked_again_by_a_resume_and_raised_again_in_a_replay(asking: Bench) -> None:
    asking.models = ModelsSettings(coder=RoleSettings(use=("nobody/brings-it",)))
    rested = asking.run()
    assert (rested.state, len(asking.parts.asked)) == ("NEEDS_PERSON", 0)
    (failed,) = (event for event in asking.events() if event.kind == "complete.failed")
    assert (failed.data["trouble"], failed.data["stage"]) == ("no model", "generate")
    assert failed.data["message"] == rested.reason
    recording, session = Recording.of(asking.id, asking.events()), asking.id
    asking.models = ModelsSettings()
    assert asking.again().state == "SOLVED"
    assert [kind for kind in asking.kinds() if kind.startswith("complete.")] == [
        "complete.started",
        "complete.failed",
        "complete.settled",
        "complete.finished",
    ]
    again = asking.session(asking.create(), replayed=recording).run()
    assert (again.state, again.reason) == (rested.state, rested.reason)
    whole = Recording.of(session, list(asking.store.events(session)))
    assert asking.session(asking.create(), replayed=whole).run().state == "SOLVED"
    assert len(asking.parts.asked) == 1


def test_neither_a_replay_nor_a_copy_of_one_counts_as_a_request(asking: Bench) -> None:
    assert asking.run().state == "SOLVED"
    assert use_of(asking.events()).requests == 1
    recording, session = Recording.of(asking.id, asking.events()), asking.id
    id = asking.store.create_session(asking.task()).id
    asking.store.append(id, "session.created", {"replays": session})
    assert asking.session(id, replayed=recording).run().state == "SOLVED"
    assert use_of(asking.store.events(id)).requests == 0
    copy = asking.store.copy_session(id, asking.task()).id
    heard = next(event for event in asking.events() if event.kind == "complete.finished")
    asking.store.append(copy, heard.kind, heard.data | {"key": "later"})
    assert use_of(asking.store.events(copy)).requests == 0


@pytest.mark.parametrize(("files", "count"), [((TEST,), 2), ((FileChange(path="a.py", content=b"x = 1\n"),), 1)])
def test_a_run_of_written_tests_counts_as_a_run_of_what_a_model_wrote(
    asking: Bench, files: tuple[FileChange, ...], count: int
) -> None:
    def validate(candidate: Candidate, context: Any) -> tuple[Signal, ...]:
        context.execute((Job(id="own", argv=("true",), files=files),))
        return ()

    asking.kind = "run"
    asking.parts.hooks["treadle_plan"] = lambda task: Plan(steps=("do it",), checks=(CHECK,), tests=(TEST,))
    asking.parts.hooks["treadle_generate"] = lambda request: change()
    asking.parts.hooks["treadle_validate"] = validate
    asking.amounts = {"session": {"executions": count}}
    assert asking.run().state == "SOLVED"
    asking.amounts = {"session": {"executions": count - 1}}
    assert asking.run().state == "OVER_BUDGET"
