"""The command as a person runs it: a process of its own, with a state folder of the test's own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import quick_sessions
from tests.commands import started_commands
from tests.commands.scripted_agent import Agent
from tests.plugins.models.scripted_service import serving

ROOT = started_commands.ROOT

STATS = '''\
"""Statistics of a list of numbers."""


def mean(values):
    return sum(values) / len(values)


def spread(values):
    """The difference between the largest and the smallest value."""
    return max(values) + min(values)


def middle(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2
'''

TESTS = """\
import pytest

from stats import mean, middle, spread


def test_mean():
    assert mean([1, 2, 3]) == 2


@pytest.mark.parametrize("values, expected", [([1, 5], 4), ([3, 3], 0), ([-2, 2, 9], 11)])
def test_spread(values, expected):
    assert spread(values) == expected


def test_middle():
    assert middle([3, 1, 2]) == 2
    assert middle([4, 1, 2, 3]) == 2.5
"""


@dataclass
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def result(self) -> Any:
        return self.lines[-1]


class Treadle:
    """Runs `python -m treadle` in a folder."""

    def __init__(self, folder: Path, home: Path, environment: Path | None = None) -> None:
        """`environment`: the Python environment that the person has activated."""
        self.folder = folder
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREADLE_", "PYTEST_"))}
        self.env = {**kept, "PYTHONPATH": str(ROOT), "TREADLE_HOME": str(home), "TREADLE_DEBUG": "1"}
        self.env |= quick_sessions.ENVIRONMENT
        self.env.pop("VIRTUAL_ENV", None)
        if environment is not None:
            self.env["VIRTUAL_ENV"] = str(environment)

    def command(self, *arguments: str) -> list[str]:
        return [*started_commands.AS_MODULE, *arguments]

    def __call__(self, *arguments: str, stdin: str | bytes = b"", **env: str) -> Ran:
        return self.ran(self.command(*arguments), stdin, **env)

    def ran(self, command: Sequence[str], stdin: str | bytes = b"", **env: str) -> Ran:
        """What this command did, there."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        code, out, err = started_commands.run(command, self.folder, {**self.env, **env}, given)
        return Ran(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project whose `spread` is wrong: three tests fail, two pass."""
    return write_project(tmp_path / "project")


@pytest.fixture(scope="session")
def _solved_and_kept(tmp_path_factory: pytest.TempPathFactory, plain_environment: Path) -> tuple[Treadle, Path]:
    folder = tmp_path_factory.mktemp("solved")
    treadle = Treadle(write_project(folder / "now" / "project"), folder / "now" / "home", plain_environment)
    ran = treadle("fix")
    assert ran.code == 0, ran
    shutil.copytree(folder / "now", folder / "kept", symlinks=True)
    return treadle, folder / "kept"


@pytest.fixture
def solved(_solved_and_kept: tuple[Treadle, Path]) -> Treadle:
    """A project in which one session has found its patch. Each test has it as it was then."""
    treadle, kept = _solved_and_kept
    shutil.rmtree(treadle.folder.parent)
    shutil.copytree(kept, treadle.folder.parent, symlinks=True)
    return treadle


def write_project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "stats.py").write_text(STATS)
    (folder / "test_stats.py").write_text(TESTS)
    (folder / "pyproject.toml").write_text('[project]\nname = "stats"\nversion = "1"\n')
    return folder


@pytest.fixture
def treadle(project: Path, tmp_path: Path, plain_environment: Path) -> Treadle:
    return Treadle(project, tmp_path / "home", plain_environment)


HEAD = "import os\nfrom treadle import Finding, Lesson, hookimpl\n"


@pytest.fixture
def install(tmp_path: Path, treadle: Any) -> Any:
    """Lays a distribution with one plugin on the import path of the command, as pip would."""

    def install(name: str, source: str, *, package: str = "") -> None:
        folder = tmp_path / f"packages{package}"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}_plugin.py").write_text(HEAD + source)
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package or name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[treadle]\n{name} = {name}_plugin\n")
        treadle.env["PYTHONPATH"] = f"{treadle.env['PYTHONPATH'].split(':')[0]}:{folder}"

    return install


@pytest.fixture
def agent(treadle: Treadle) -> Iterator[Agent]:
    """The command before a service, to which a test says what it will answer."""
    with serving() as service:
        yield Agent(treadle, service)
