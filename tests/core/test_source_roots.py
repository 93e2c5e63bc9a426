"""Where a project's modules are imported from, as its configuration says, whatever lies in its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treadle.core.records import Workspace
from treadle.core.tree.source_roots import source_roots
from treadle.core.tree.workspace import Tree


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    return tmp_path


def roots(project: Path) -> tuple[str, ...]:
    return source_roots(Tree(Workspace(id="", kind="overlay", project=str(project), root=str(project), upper="")))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\npythonpath = it's\n"),
        ("setup.cfg", "[options]\npackage_dir = it's\n[tool:pytest]\npythonpath = \"\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "it\'s"\n'),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\nsources = ["a\\u0000b"]\n'),
        ("pyproject.toml", "[tool.poetry]\npackages = 5\n"),
        ("pyproject.toml", "tool = 5\n"),
        ("pyproject.toml", f"x = {'1' * 5_000}\n"),
    ],
)
def test_what_can_not_be_parsed_says_nothing_and_the_rest_holds(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text)
    (project / "tox.ini").write_text("[pytest]\npythonpath = lib\n")
    assert roots(project) == ("lib",)


@pytest.mark.parametrize("name", ["pytest.ini", "setup.cfg", "pyproject.toml"])
@pytest.mark.parametrize("what", ["folder", "pipe", "link out", "large"])
def test_what_can_not_be_read_says_nothing(project: Path, name: str, what: str) -> None:
    place = project / name
    match what:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case "link out":
            place.symlink_to("/etc/passwd")
        case "large":
            with place.open("wb") as file:
                file.truncate(300 << 20)
    assert roots(project) == (".",)
