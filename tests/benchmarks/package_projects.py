"""Real packages to measure on: their pinned sdists, each unpacked as a project with an environment and a suite.

Everything that comes from outside is fetched by pip, as this machine has it configured.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import msgspec

from treadle.plugins.generation.search.localise import is_source

TOOLS = ("pytest==9.2.0", "coverage==7.17.5")
"""What every environment has besides what the package's own tests need."""
LEAST_LIMIT_S = 60.0


@dataclass(frozen=True)
class Pinned:
    """A released sdist, and what its tests need. Run from the unpacked folder, plain pytest must pass."""

    name: str
    version: str
    sha256: str
    needs: tuple[str, ...] = ()


MEASURED = (
    Pinned("toolz", "1.0.0", "2c86e3d9a04798ac556793bced838816296a2f085017664e4995cb40a1047a02"),
    Pinned(
        "semver", "3.1.2", "bea193552413194252d33ff26ce0962b76669bd1c6fb17e8e203ac37f072feaf", ("pytest-cov==7.1.0",)
    ),
    Pinned("cachetools", "8.0.2", "30ac523adfc118b51d2b2e7bad8a0ddb31370dfe2700c7f10ca224f36ccf81e0"),
    Pinned("tabulate", "0.8.10", "6c57f3f3dd7ac2782770155f3adb2db0b1a269637e42f27599925e64b114f519"),
    Pinned("boltons", "26.2.0", "d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c"),
)
OTHERS = (
    Pinned(
        "itsdangerous",
        "2.2.0",
        "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173",
        ("freezegun==1.5.5",),
    ),
    Pinned("more-itertools", "11.2.1", "cbf08fd0af284dc69718b9b76a8e6203df624d70209ea511e4219d350c856f63"),
)
"""Not among the five: to look at by name. The suite of more-itertools is a slow one."""


class Outcome(msgspec.Struct, frozen=True):
    """What a run of the suite said. `whole`: it came to its end, and every test file could be collected."""

    whole: bool
    failed: tuple[str, ...]
    passed: int
    seconds: float


class Installed(Exception):
    """A package could not be fetched or installed; the text is pip's."""


@dataclass(frozen=True)
class PackageProject:
    """A package's sdist as a project at `folder`, with its own environment in `.venv`, as developers have it."""

    pinned: Pinned
    folder: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / ".venv" / "bin" / "python"

    def sources(self) -> dict[str, str]:
        """The texts of the files in which faults may be, by path."""
        found = {}
        for file in sorted(self.folder.rglob("*.py")):
            path = file.relative_to(self.folder).as_posix()
            if is_source(path):
                found[path] = file.read_bytes().decode()
        return found

    def suite(self, limit_s: float, *options: str, under: tuple[str, ...] = ()) -> Outcome:
        """Run the package's tests as they are, by plain pytest, in this many seconds at most. `under`: a module that
        runs pytest in its turn, with its arguments."""
        report = self.folder.parent / "suite.xml"
        report.unlink(missing_ok=True)
        command = [self.python, "-m", *under, *(("-m",) if under else ()), "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-o", "junit_family=xunit1", f"--junitxml={report}", *options]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=plain_environment(), capture_output=True, timeout=limit_s, check=False
            )
        except subprocess.TimeoutExpired:
            return Outcome(False, (), 0, limit_s)
        return _read(report, done.returncode)

    def executed(self, limit_s: float) -> dict[str, set[int]]:
        """The lines that the suite executes, by path: a fault anywhere else would not be noticed."""
        data, report = self.folder.parent / "coverage", self.folder.parent / "coverage.json"
        self.suite(limit_s, "-o", "addopts=", under=("coverage", "run", f"--data-file={data}"))
        told = ["json", "-q", "--ignore-errors", f"--data-file={data}", "-o", str(report)]
        subprocess.run([self.python, "-m", "coverage", *told], cwd=self.folder, check=True, capture_output=True)
        files = msgspec.json.decode(report.read_bytes())["files"]
        return {path: set(each["executed_lines"]) for path, each in files.items()}


def plain_environment() -> dict[str, str]:
    """This process's variables without those that lead to this project."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**env, "PYTHONDONTWRITEBYTECODE": "1"}


def prepared(pinned: Pinned, folder: Path) -> PackageProject:
    """The package in a folder of its own within `folder`; what is there already stays. Raises `Installed` when pip
    says no, `ValueError` when the sdist is another one than was pinned."""
    own = folder / pinned.name
    project = PackageProject(pinned, own / "project")
    if (own / "ready").exists():
        return project
    own.mkdir(parents=True, exist_ok=True)
    with tarfile.open(_fetched(pinned, own)) as archive:
        archive.extractall(own / "unpacked", filter="data")
    (top,) = (own / "unpacked").iterdir()
    top.rename(project.folder)
    subprocess.run([sys.executable, "-m", "venv", project.folder / ".venv"], check=True)
    _pip(project.python, "install", *TOOLS, *pinned.needs, "-e", str(project.folder))
    (own / "ready").touch()
    return project


def _fetched(pinned: Pinned, folder: Path) -> Path:
    wanted = f"{pinned.name}=={pinned.version}"
    _pip(Path(sys.executable), "download", "--no-deps", "--no-binary", pinned.name, "-d", str(folder), wanted)
    (archive,) = folder.glob("*.tar.gz")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != pinned.sha256:
        raise ValueError(f"{archive.name} is not the sdist that was pinned")
    return archive


def _pip(python: Path, *arguments: str) -> None:
    command = [python, "-m", "pip", "-q", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, env=plain_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Installed(done.stderr)


def _read(report: Path, code: int) -> Outcome:
    if code not in (0, 1) or not report.exists():
        return Outcome(False, (), 0, 0.0)
    (suite,) = ElementTree.parse(report).getroot().iter("testsuite")
    failed = []
    passed = 0
    for case in suite.iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif "skipped" not in kinds:
            passed += 1
    return Outcome(True, tuple(sorted(set(failed))), passed, float(suite.get("time") or 0))


def limit_of(baseline: Outcome) -> float:
    """How long a run may take, in seconds, that a fault makes slower."""
    return max(LEAST_LIMIT_S, 5 * baseline.seconds)
