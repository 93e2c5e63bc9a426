"""What a session's jobs print while they run reaches who watches, and nobody else."""

from __future__ import annotations

import queue
import threading
from typing import Any

import pytest

from tests.loop.conftest import CHECK, SECRET, Bench, change
from tests.loop.test_sessions_with_models import ask
from treadle.core.events import Item, Printed, Progress
from treadle.core.live_output import MOST_JOBS, watcher
from treadle.core.records import Execution, Job, Plan
from treadle.core.redaction import REDACTED

PATIENCE_S = 30.0


class Watching:
    """Reads what is published, and lets a job end once something that it printed was heard."""

    def __init__(self, bench: Bench) -> None:
        self.printed: list[Printed] = []
        self.watched: list[str] = []
        self._heard = threading.Event()
        self._inner = bench.parts.execute
        bench.parts.hooks["treadle_execute"] = self.execute

    def read(self, item: Item) -> None:
        if isinstance(item, Printed):
            self.printed.append(item)
            self._heard.set()

    def execute(self, jobs: tuple[Job, ...], context: Any) -> tuple[Execution, ...]:
        for job in jobs:
            on_output = watcher(context, job.id)
            if on_output is not None:
                self.watched.append(job.id)
                self._heard.clear()
                on_output(1, f"{job.id} has {SECRET}\n".encode())
                assert self._heard.wait(PATIENCE_S), "it is heard before the job ends"
        return self._inner(jobs)


@pytest.fixture
def watching(bench: Bench) -> Watching:
    return Watching(bench)


def tries(number: int, *, asks: bool = False) -> Any:
    def generate(request: Any, context: Any) -> Any:
        if asks:
            ask(context)
        context.execute(tuple(Job(id=f"try-{n}", argv=("true",)) for n in range(number)))
        return change()

    return generate


def test_checks_are_heard_while_they_run_and_a_search_is_not(bench: Bench, watching: Watching) -> None:
    bench.bus.subscribe(watching.read, watching=True)
    bench.parts.hooks["treadle_generate"] = tries(1)
    bench.run()
    assert watching.watched == ["check", "check"]
    assert [(item.session, item.stage, item.text) for item in watching.printed] == [
        (bench.id, stage, f"check has {REDACTED}\n") for stage in ("baseline", "execute")
    ]
    assert not any("check has" in str(event.data) for event in bench.events()), "shown, never logged"


def test_the_tests_of_a_run_are_counted_while_it_goes_on(bench: Bench) -> None:
    told: queue.Queue[Progress] = queue.Queue()
    counted = []

    def read(item: Item) -> None:
        if isinstance(item, Progress):
            told.put(item)

    inner = bench.parts.execute

    def execute(jobs: tuple[Job, ...], context: Any) -> tuple[Execution, ...]:
        (job,) = jobs
        on_output = watcher(context, job.id)
        assert on_output is not None
        on_output(1, b"collected 3 items\n\ntest_a.py ..")
        counted.append(told.get(timeout=PATIENCE_S))
        return inner(jobs)

    bench.parts.hooks["treadle_execute"] = execute
    bench.bus.subscribe(read, watching=True)
    bench.run()
    assert [(item.stage, item.done, item.total, item.text) for item in counted] == [
        (stage, 2, 3, "tests") for stage in ("baseline", "execute")
    ]


def test_what_a_model_has_run_is_heard(bench: Bench, watching: Watching) -> None:
    bench.kind = "run"
    bench.parts.hooks["treadle_plan"] = lambda task: Plan(steps=("do it",), checks=(CHECK,))
    bench.bus.subscribe(watching.read, watching=True)
    bench.parts.hooks["treadle_generate"] = tries(1, asks=True)
    bench.run()
    assert "try-0" in watching.watched


def test_nobody_s_jobs_and_large_batches_go_unwatched(bench: Bench, watching: Watching) -> None:
    bench.bus.subscribe(watching.read)
    bench.run()
    assert watching.watched == []
    bench.bus.subscribe(watching.read, watching=True)
    many = tuple(Job(id=f"check-{n}", argv=("true",)) for n in range(MOST_JOBS + 1))
    bench.parts.hooks["treadle_plan"] = lambda task: Plan(steps=("do it",), checks=many)
    bench.run()
    assert watching.watched == []
