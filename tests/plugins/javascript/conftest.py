"""Small projects of JavaScript and TypeScript, and Treadle run on them as a person runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases" / "javascript"


class Project:
    """A project in a folder of its own, with the plugin switched on for each command."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREADLE_", "PYTEST_"))}
        self._env = {**kept, "PYTHONPATH": str(ROOT), "TREADLE_HOME": str(home)}
        self._env.pop("VIRTUAL_ENV", None)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            place = self.root / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def run(self, *arguments: str, stdin: str = "", on: bool = True) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "treadle", *arguments, *(("--on", "javascript") if on else ())]
        return subprocess.run(
            command, cwd=self.root, env=self._env, input=stdin, capture_output=True, text=True, check=False
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project; the test is skipped where there is no Node."""
    if shutil.which("node", path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip("there is no node where jobs look for it")
    root = tmp_path / "project"
    root.mkdir()
    return Project(root, tmp_path / "home")


@pytest.fixture
def recorded() -> Callable[[str], str]:
    """What a tool really said, with the project's folder called /project."""
    return lambda name: (CASES / name).read_text(encoding="utf-8")
