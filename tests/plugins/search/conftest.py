"""A real context for the search: jobs run as processes in a copy of the project, two at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from treadle.core.paths import on_disk
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Execution,
    GenerateRequest,
    Job,
    Lesson,
    ModelReply,
    ModelRequest,
    Output,
    Plan,
    Question,
    Task,
    Workspace,
)
from treadle.core.testrun import REPORT, TestReport, TestRequest, report_of
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.planning.runners import runner_script


class ProcessContext:
    """Runs each job with `subprocess` in a fresh copy of the project, and keeps what it answered."""

    def __init__(self, project: Path, **settings: object) -> None:
        self.project = project
        self.batches: list[tuple[tuple[Job, ...], tuple[Execution, ...]]] = []
        self.events: list[tuple[str, dict[str, object]]] = []
        self.shown: list[tuple[int, int | None, str]] = []
        self.stop_after: int | None = None
        self._settings = settings
        self._pool = ThreadPoolExecutor(2)

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        answers = tuple(self._pool.map(self._run, jobs))
        self.batches.append((jobs, answers))
        return answers

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.events.append((kind, data))

    def progress(self, done: int, total: int | None, text: str) -> None:
        self.shown.append((done, total, text))

    def cancelled(self) -> bool:
        return self.stop_after is not None and len(self.batches) >= self.stop_after

    def complete(self, request: ModelRequest) -> ModelReply:
        raise AssertionError("the search asks no model")

    def ask(self, question: Question) -> str:
        raise AssertionError("the search asks no person")

    def settings(self) -> dict[str, object]:
        return self._settings

    def folder(self, scope: Literal["project", "session"]) -> str:
        raise AssertionError("the search keeps no files")

    def log(self, level: str, message: str, **fields: object) -> None:
        pass

    def close(self) -> None:
        self._pool.shutdown()

    def _run(self, job: Job) -> Execution:
        with tempfile.TemporaryDirectory() as folder:
            copy, own = Path(folder, "project"), Path(folder, "job")
            shutil.copytree(self.project, copy)
            own.mkdir()
            for change in job.files:
                assert change.content is not None
                on_disk(copy, change.path).write_bytes(change.content)
            script = own / "script.py"
            script.write_text(job.script)
            argv = [job.python, str(script), *job.args] if job.script else list(job.argv)
            environment = {**os.environ, "TREADLE_JOB": str(own), "PYTHONDONTWRITEBYTECODE": "1", **dict(job.env)}
            stdin = job.stdin.replace(str(self.project).encode(), str(copy).encode())
            limit = job.limits.wall_s if job.limits else None
            begun = time.monotonic()
            with subprocess.Popen(
                argv, cwd=copy, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True,
            ) as process:  # fmt: skip
                try:
                    out, err = process.communicate(stdin, timeout=limit or 60)
                    verdict: Literal["ok", "error", "timeout"] = "ok" if process.returncode == 0 else "error"
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
                    verdict = "timeout"
            report = own / REPORT
            files = (CollectedFile(name=REPORT, content=report.read_bytes()),) if report.exists() else ()
            return Execution(
                job=job.id, verdict=verdict, exit_code=process.returncode, wall_s=time.monotonic() - begun,
                stdout=Output(head=out.decode("utf-8", "replace")), stderr=Output(head=err.decode("utf-8", "replace")),
                files=files,
            )  # fmt: skip


class ReplayContext(ProcessContext):
    """Answers the first batches from another context's record, as a resumed session does from its log."""

    def __init__(self, project: Path, recorded: list[tuple[tuple[Job, ...], tuple[Execution, ...]]]) -> None:
        super().__init__(project)
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

    def __init__(self, root: Path) -> None:
        self.root = root
        self.contexts: list[ProcessContext] = []

    def write(self, **files: str) -> Project:
        """Write files; `__` in a keyword stands for a slash, and `.py` is added."""
        for name, text in files.items():
            path = self.root / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(textwrap.dedent(text).lstrip("\n").encode())
        return self

    def context(self, **settings: object) -> ProcessContext:
        context = ProcessContext(self.root, **settings)
        self.contexts.append(context)
        return context

    def check(self) -> Job:
        return Job(
            id="tests",
            script=runner_script("pytest"),
            args=("--cwd-on-path",),
            python=sys.executable,
            stdin=msgspec.json.encode(TestRequest(args=("-p", "no:cacheprovider"))),
            collect=(REPORT,),
            env=(("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),),
        )

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
        root = str(self.root)
        check = check or self.check()
        return GenerateRequest(
            task=Task(id="t", kind="fix", project=root, python=sys.executable, files=files),
            plan=Plan(steps=(), checks=(check,)),
            workspace=Workspace(id="w", kind="overlay", project=root, root=root, upper=""),
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


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    root = tmp_path / "project"
    root.mkdir()
    made = Project(root)
    yield made
    for context in made.contexts:
        context.close()


@pytest.fixture
def text_of() -> Callable[[Candidate], str]:
    """The new text of a candidate's only file."""

    def text(candidate: Candidate) -> str:
        (change,) = candidate.files
        assert change.content is not None
        return change.content.decode()

    return text
