"""Small projects of JavaScript and TypeScript, and Treadle run on them as a person runs it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Ran, Treadle

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "javascript"


class Project:
    """A project in a folder of its own, with the plugin switched on for each command."""

    def __init__(self, treadle: Treadle) -> None:
        self.root = treadle.folder
        self._treadle = treadle

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            place = self.root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def run(self, *arguments: str, stdin: str = "", on: bool = True) -> Ran:
        return self._treadle(*arguments, *(("--on", "javascript") if on else ()), stdin=stdin)


@pytest.fixture
def project(tmp_path: Path, plain_environment: Path) -> Project:
    """An empty project; the test is skipped where there is no Node."""
    if shutil.which("node", path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip("there is no node where jobs look for it")
    root = tmp_path / "project"
    root.mkdir()
    return Project(Treadle(root, tmp_path / "home", plain_environment))


@pytest.fixture
def recorded() -> Callable[[str], str]:
    """What a tool really said, with the project's folder called /project."""
    return lambda name: (CASES / name).read_text(encoding="utf-8")
