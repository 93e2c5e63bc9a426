"""A real context for the search: jobs run as processes in a copy of the project, two at a time.

A run of a small suite costs a few hundredths of a second.
"""

from __future__ import annotations

import queue
import shutil
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec

from tests.bare_context import BareContext, OwnFolder
from tests.forking_worker import Worker
from treadle.core.paths import on_disk
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Execution,
    GenerateRequest,
    Job,
    Lesson,
    Output,
    Plan,
    Task,
    Workspace,
)
from treadle.core.testrun import TestReport, report_of
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import pytest_job


class Workers:
    """Two of them, shared by all contexts."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(2)
        self.free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for _ in range(2):
            self.free.put(Worker())

    def close(self) -> None:
        self.pool.shutdown()
        while not self.free.empty():
            self.free.get().close()


class ProcessContext(OwnFolder, BareContext):
    """Runs each job with `subprocess` in a fresh copy of the project, and keeps what it answered."""

    def __init__(self, project: Path, workers: Workers, **settings: object) -> None:
        super().__init__({"trust_s": 0, **settings})
        self.project = project
        self._workers = workers
        self.batches: list[tuple[tuple[Job, ...], tuple[Execution, ...]]] = []
        self.events: list[tuple[str, dict[str, object]]] = []
        self.shown: list[tuple[int, int | None, str]] = []
        self.stop_after: int | None = None

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        answers = tuple(self._workers.pool.map(self._run, jobs))
        self.batches.append((jobs, answers))
        return answers

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.events.append((kind, data))

    def progress(self, done: int, total: int | None, text: str) -> None:
        self.shown.append((done, total, text))

    def cancelled(self) -> bool:
        return self.stop_after is not None and len(self.batches) >= self.stop_after

    def _run(self, job: Job) -> Execution:
        with tempfile.TemporaryDirectory() as folder:
            copy, own = Path(folder, "project"), Path(folder, "job")
            shutil.copytree(self.project, copy)
            own.mkdir()
            for change in job.files:
                assert change.content is not None
                on_disk(copy, change.path).write_bytes(change.content)
            (own / "stdin").write_bytes(job.stdin.replace(str(self.project).encode(), str(copy).encode()))
            order = {
                "folder": str(own),
                "script": job.script,
                "cwd": str(copy),
                "args": job.args,
                "env": {"TREADLE_JOB": str(own), "PYTHONDONTWRITEBYTECODE": "1", **dict(job.env)},
                "limit": (job.limits.wall_s if job.limits else None) or 60.0,
            }
            begun = time.monotonic()
            worker = self._workers.free.get()
            try:
                code = worker.run(order)
            finally:
                self._workers.free.put(worker)
            files = tuple(
                CollectedFile(name=name, content=(own / name).read_bytes())
                for name in job.collect
                if (own / name).exists()
            )
            return Execution(
                job=job.id,
                verdict="timeout" if code is None else "error" if code else "ok",
                exit_code=code,
                wall_s=time.monotonic() - begun,
                stdout=Output(head=(own / "output").read_text("utf-8", "replace")),
                files=files,
            )


class ReplayContext(ProcessContext):
    """Answers the first batches from another context's record, as a resumed session does from its log."""

    def __init__(
        self, project: Path, workers: Workers, recorded: list[tuple[tuple[Job, ...], tuple[Execution, ...]]]
    ) -> None:
        super().__init__(project, workers)
        self._recorded = list(recorded)

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        if not self._recorded:
            return super().execute(jobs)
        asked, answers = self._recorded.pop(0)
        assert jobs == asked
        self.batches.append((jobs, answers))
        return answers


class Project:
    """A small project on disk with its pytest check, and the search run on it."""

    def __init__(self, root: Path, workers: Workers) -> None:
        self.root = root
        self.workers = workers

    def write(self, **files: str) -> Project:
        """Write files; `__` in a keyword stands for a slash, and `.py` is added."""
        for name, text in files.items():
            path = self.root / (name.replace("__", "/", 1) + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(textwrap.dedent(text).lstrip("\n").encode())
        return self

    def context(self, **settings: object) -> ProcessContext:
        return ProcessContext(self.root, self.workers, **settings)

    @property
    def workspace(self) -> Workspace:
        """The project itself, as an overlay that nothing was written to."""
        root = str(self.root)
        return Workspace(id="w", kind="overlay", project=root, root=root, upper="")

    def task(self, files: tuple[str, ...] = ()) -> Task:
        return Task(id="t", kind="fix", project=str(self.root), python=sys.executable, files=files)

    def check(self, *args: str) -> Job:
        """The job that the planner makes for pytest."""
        invocation = Invocation(pytest=True, args=("-p", "no:cacheprovider", *args), cwd_on_path=True)
        job = pytest_job(invocation, self.task(), self.workspace)
        return msgspec.structs.replace(job, env=(*job.env, ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")))

    def request(
        self,
        context: ProcessContext,
        *,
        check: Job | None = None,
        lessons: tuple[Lesson, ...] = (),
        attempts: tuple[Attempt, ...] = (),
        files: tuple[str, ...] = (),
        rung: Literal["generate", "repair", "another"] = "generate",
    ) -> GenerateRequest:
        check = check or self.check()
        return GenerateRequest(
            task=self.task(files),
            plan=Plan(steps=(), checks=(check,)),
            workspace=self.workspace,
            baseline=context.execute((check,)),
            lessons=lessons,
            attempts=attempts,
            rung=rung,
        )

    def repair(self, **settings: object) -> Candidate | None:
        """Run the search from the baseline on."""
        context = self.context(**settings)
        return treadle_generate(request=self.request(context), context=context)

    def report_with(self, candidate: Candidate) -> TestReport:
        """The whole suite's report with the candidate's files in place."""
        context = self.context()
        job = msgspec.structs.replace(self.check(), files=candidate.files)
        report = report_of(context.execute((job,))[0])
        assert report is not None
        return report
