"""What tests say of a program's files: run in processes of their own, each run once for each of two orders of sets."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tests.forking_worker import Worker

PLAIN = (Path(__file__).parent / "plain_runner.py").read_text(encoding="utf-8")
"""The script that runs plain test functions."""
TESTS = "test_code.py"
MOST_STEPS = 1_000_000
"""Lines and calls that one test may run; the corpus's own need less than a third of it."""
LIMIT_S = 10.0
"""Seconds for what counting steps does not end: a wait for nothing, an endless computation in C."""
ENDED = ("TestTimeout", "MemoryError")
"""Failures that say more of the limits than of the program."""


CRASHES = {"TypeError", "AttributeError", "NameError", "UnboundLocalError"}
"""Failures that speak of what does not fit together at all, and no wrong result."""


class Outcome(NamedTuple):
    """The names of the tests that passed and that failed; `crashes`: all of these by what does not fit together."""

    passed: tuple[str, ...]
    failed: tuple[str, ...]
    crashes: bool


class Judge:
    """Two processes that run tests, to be used as a context."""

    def __init__(self) -> None:
        self._workers = (Worker(hash_seed=1), Worker(hash_seed=2))
        self._pool = ThreadPoolExecutor(len(self._workers))

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown()
        for worker in self._workers:
            worker.close()

    def outcome(self, files: Mapping[str, str], tests: str) -> Outcome | None:
        """What the tests say of these files; None where they don't all end, can't be run at all, or say one thing under
        one order of sets and another under the other."""
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder, "project")
            write(project, {**files, TESTS: tests})
            jobs = [(worker, project, Path(folder, str(n))) for n, worker in enumerate(self._workers)]
            one, other = self._pool.map(lambda job: _run(*job), jobs)
        return one if one == other else None


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their relative paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _run(worker: Worker, project: Path, own: Path) -> Outcome | None:
    request = {"most_steps": MOST_STEPS, "test_timeout_s": LIMIT_S}
    write(own, {"stdin": json.dumps(request)})
    order = {"folder": str(own), "cwd": str(project), "script": PLAIN, "args": (), "limit": LIMIT_S}
    worker.run({**order, "env": {"TREADLE_JOB": str(own)}})
    report = own / "report.json"
    if not report.exists():
        return None
    answer = json.loads(report.read_text())
    if answer["problems"] or any(t.get("exception") in ENDED for t in answer["tests"]):
        return None
    failed = {t["id"]: t["exception"] for t in answer["tests"] if t["outcome"] == "failed"}
    passed = tuple(t["id"] for t in answer["tests"] if t["id"] not in failed)
    return Outcome(passed, tuple(failed), {*failed.values()} <= CRASHES and bool(failed))
