from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bare_context import BareContext
from treadle.core.records import (
    Candidate,
    CollectedFile,
    Execution,
    FileChange,
    GenerateRequest,
    Job,
    Plan,
    Signal,
    Task,
    Workspace,
)
from treadle.core.tree.laying import lay_over
from treadle.core.walking import copy_folder
from treadle.plugins.validation import mypy as mypy_plugin

STRICT = "[tool.mypy]\nstrict = true\n"


class Here(BareContext):
    """Runs jobs in plain subprocesses, each in a copy of the project with its files laid over it."""

    def __init__(self, project: Path, folder: Path) -> None:
        super().__init__({"longest_s": 60.0})
        self._project = project
        self._folder = folder
        self.jobs: list[Job] = []

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        return tuple(map(self._run, jobs))

    def _run(self, job: Job) -> Execution:
        place, own = self._folder / f"{len(self.jobs)}-copy", self._folder / f"{len(self.jobs)}-own"
        self.jobs.append(job)
        copy_folder(self._project, place)
        lay_over(place, job.files)
        own.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", job.script, *job.args],
            input=job.stdin,
            cwd=place,
            env=os.environ | {"TREADLE_JOB": str(own)},
            capture_output=True,
            check=False,
        )
        files = tuple(CollectedFile(name=name, content=(own / name).read_bytes()) for name in job.collect)
        verdict = "error" if done.returncode else "ok"
        return Execution(job=job.id, verdict=verdict, exit_code=done.returncode, files=files)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def judged(context: Here, project: Path, python: str = sys.executable, **files: str) -> tuple[Signal, ...]:
    workspace = Workspace(id="w", kind="copy", project=str(project), root=str(project), upper="")
    changes = tuple(FileChange(path=f"{name}.py", content=text.encode()) for name, text in files.items())
    task = Task(id="t", kind="check", project=str(project), python=python)
    request = GenerateRequest(task=task, plan=Plan(steps=(), checks=()), workspace=workspace, baseline=())
    return mypy_plugin.treadle_validate(Candidate(files=changes, why=""), workspace, request, context)


def test_only_what_mypy_did_not_say_before_speaks_against_a_change(project: Path, tmp_path: Path) -> None:
    (project / "pyproject.toml").write_text(STRICT + 'exclude = ["^made"]\n')
    (project / "a.py").write_text('x: int = "old"\ny: int = "gone"\n')
    (project / "b.py").write_text("import a\nz: str = a.x\n")
    context = Here(project, tmp_path)
    bad = "v: int = 'excluded'\n"
    (signal,) = judged(context, project, a='\nx: int = "old"\n\ndef f(): pass\n', made=bad)
    assert (signal.kind, signal.ok, signal.worse, signal.better) == ("types", False, 1, 1)
    assert signal.details == ("a.py:4: Function is missing a return type annotation  [no-untyped-def]",)
    assert [job.id for job in context.jobs] == ["mypy", "mypy-before"]


class Prepared(Here):
    """Answers jobs with what mypy is to have said."""

    def __init__(self, project: Path, *said: str, exit_code: int = 1) -> None:
        super().__init__(project, project)
        self._said = iter(said)
        self._exit_code = exit_code

    def _run(self, job: Job) -> Execution:
        self.jobs.append(job)
        files = tuple(CollectedFile(name=name, content=next(self._said).encode()) for name in job.collect)
        return Execution(job=job.id, verdict="error", exit_code=self._exit_code, files=files)


def test_where_the_project_names_what_is_checked_all_of_it_counts(project: Path) -> None:
    (project / "mypy.ini").write_text("[mypy]\nfiles = a.py, b.py\n")
    (project / "a.py").write_text("x = 1\n")
    context = Prepared(project, "b.py:2:5: error: wrong on line 3\nb.py:2: note: see\n", "b.py:1: error: other\n")
    (signal,) = judged(context, project, a="x = 2\n")
    assert (signal.details, signal.worse, signal.better) == (("b.py:2: wrong on line 3",), 1, 1)
    assert [json.loads(job.stdin)["files"] for job in context.jobs] == [[], []]


def test_what_stands_in_the_project_is_judged_as_it_stands_and_alone(project: Path) -> None:
    (project / "mypy.ini").write_text("[mypy]\nfiles = a.py, b.py\n")
    (project / "a.py").write_text("x = 1\n")
    context = Prepared(project, "a.py:1: error: wrong\nb.py:1: error: wrong too\n")
    (signal,) = judged(context, project, a="x = 1\n")
    assert signal.details == ("a.py:1: wrong",)
    assert len(context.jobs) == 1


@pytest.mark.parametrize(
    ("config", "uses"),
    [
        ({"pyproject.toml": STRICT}, True),
        ({"pyproject.toml": "[tool.ruff]\n", "setup.cfg": "[mypy]\n"}, True),
        ({".mypy.ini": "[mypy]\n"}, True),
        ({"pyproject.toml": "[tool.mypy", "setup.cfg": "mypy"}, False),
        ({"pyproject.toml": "tool = 3", "mypy.ini": "[other]\n"}, False),
        ({}, False),
    ],
)
def test_a_project_uses_mypy_where_it_says_so(project: Path, config: dict[str, str], uses: bool) -> None:
    for name, text in config.items():
        (project / name).write_text(text)
    assert (mypy_plugin.used_in(project) is not None) is uses


def test_nothing_is_run_where_it_is_not_used_or_not_installed(
    project: Path, tmp_path: Path, plain_environment: Path
) -> None:
    context = Here(project, tmp_path)
    assert judged(context, project, a="x = 1\n") == ()
    (project / "pyproject.toml").write_text(STRICT)
    assert judged(context, project, python=str(plain_environment / "bin/python"), a="x = 1\n") == ()
    assert context.jobs == []


def test_a_mypy_that_does_not_come_to_its_end_is_told_and_judges_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text(STRICT)
    context = Prepared(project, "a.py:1: error: invalid syntax\n", "", exit_code=2)
    assert judged(context, project, a="def f(:\n") == ()
    assert context.notes == ["types were not compared: mypy did not come to its end (error)"]
