"""Runs the runners' scripts as the sandbox does: a process of their own, a request on stdin, a job folder."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from treadle.core.testrun import REPORT, TestReport, TestRequest, TestResult
from treadle.plugins.test_runs.runners import runner_script

# Importing the plugins that are installed beside the tests takes pytest longer than all else.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


class Ran(NamedTuple):
    """What came of one run."""

    report: TestReport
    code: int
    output: str

    def test(self, name: str) -> TestResult:
        """The test whose id ends with that name."""
        (found,) = (t for t in self.report.tests if t.id.rpartition("::")[2] == name)
        return found

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome of each test by the last part of its id."""
        return {t.id.rpartition("::")[2]: t.outcome for t in self.report.tests}


class Project:
    """A project of a few files, whose tests can be run."""

    def __init__(self, root: Path, jobs: Path) -> None:
        self.root = root
        self._jobs = jobs

    def write(self, **files: str) -> None:
        """Write files; `__` in a name stands for a folder, and `.py` is added: `tests__test_a`."""
        for name, text in files.items():
            path = self.root / (name.replace("__", "/") + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(self, runner: str = "pytest", python: str = sys.executable, pythonpath: str = "", **request: Any) -> Ran:
        """Run the tests as a `TestRequest` with these fields asks."""
        job = self._jobs / str(len(list(self._jobs.iterdir())))
        job.mkdir()
        env = {"PATH": os.defpath, "TREADLE_JOB": str(job), "LANG": "C.UTF-8", "HOME": str(job), **ALONE}
        if pythonpath:
            env["PYTHONPATH"] = pythonpath
        args = ["--cwd-on-path", "--child-tracer", runner_script("child")]
        asked = TestRequest(trace_root=str(self.root), **request)
        done = subprocess.run(
            [python, "-c", runner_script(runner), *args],
            cwd=self.root,
            env=env,
            input=msgspec.json.encode(asked),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=100,
            check=False,
        )
        assert (job / REPORT).exists(), done.stdout.decode(errors="replace")
        report = msgspec.json.decode((job / REPORT).read_bytes(), type=TestReport)
        return Ran(report, done.returncode, done.stdout.decode(errors="replace"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    root, jobs = tmp_path / "project", tmp_path / "jobs"
    root.mkdir()
    jobs.mkdir()
    return Project(root, jobs)


def other_pythons() -> dict[str, str]:
    """The interpreters of other versions on this machine, by version: those of pyenv."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = {}
    for folder in sorted(versions.glob("3.*")):
        name = ".".join(folder.name.split(".")[:2])
        if (folder / "bin/python").is_file() and int(name.split(".")[1]) >= 8:
            found[name] = str(folder / "bin/python")
    return found


@pytest.fixture
def find_python() -> Callable[[str], str]:
    """The path of the Python of a version; skips when the machine has none."""

    def find(version: str) -> str:
        python = other_pythons().get(version)
        if python is None or not os.access(python, os.X_OK):
            pytest.skip(f"no Python {version} on this machine")
        return python

    return find


@pytest.fixture(scope="session")
def shared_pytest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with this environment's pytest and what it needs, all pure Python, for another Python's import path."""
    folder = tmp_path_factory.mktemp("pytest") / "site-packages"
    folder.mkdir()
    for name in ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found = Path(spec.origin)
            found = found.parent if found.name == "__init__.py" else found
            (folder / found.name).symlink_to(found)
            for metadata in found.parent.glob(f"{name}-*.dist-info"):
                (folder / metadata.name).symlink_to(metadata)
    return str(folder)
