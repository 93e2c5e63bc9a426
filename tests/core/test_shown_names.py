"""File names that a terminal would obey: shown so that they can't pass for others, and the same on the disk."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from treadle.core import paths
from treadle.core.approval import as_shown, concerns
from treadle.core.concerns import said
from treadle.core.errors import UnsafePath, UnsafeReply
from treadle.core.patches.patch import Patch, apply, unified_diff
from treadle.core.records import Candidate, FileChange, Plan, Workspace
from treadle.core.replies.file_names import safe_name
from treadle.core.tree.workspace import Tree
from treadle.tui.safe_text import clean, clean_line, visible_line

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
NAMES = {
    "\x1b[31mred.py": r'"\033[31mred.py"',
    "a\x9b2Jb.py": r'"a\302\2332Jb.py"',
    "a\u202eyp.exe": r'"a\342\200\256yp.exe"',
    "tab\tin.py": r'"tab\011in.py"',
    "two  spaces.py": r'"two\040\040spaces.py"',
    "plain ü.py": "plain ü.py",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_no_other_name(name: str) -> None:
    assert paths.shown(name) == NAMES[name]
    assert clean_line(paths.shown(name)) == NAMES[name]


@pytest.mark.parametrize("name", [name for name in NAMES if CONTROL.search(name)])
def test_a_name_with_control_characters_is_refused_wherever_it_is_to_be_written(name: str, tmp_path: Path) -> None:
    patch = Patch(files=(FileChange(path=paths.encode(name), content=b"x = 1\n"),))
    with pytest.raises(UnsafePath, match="it holds a control character"):
        apply(patch, tmp_path, tmp_path / "journal")
    with pytest.raises(UnsafeReply):
        safe_name(f"pkg/{name}")


@pytest.mark.parametrize("name", [name for name in NAMES if not CONTROL.search(name)])
def test_the_diff_shows_the_name_and_git_finds_the_file_by_it(name: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    patch = Patch(files=(FileChange(path=paths.encode(name), content=b"x = 1\n"),))
    diff = unified_diff(patch, Tree(Workspace(id="", kind="overlay", project=str(root), root=str(root), upper="")))
    assert clean(diff) == diff
    apply(patch, root, tmp_path / "journal")
    assert [place.name for place in root.iterdir()] == [name]
    (root / name).unlink()
    subprocess.run(["git", "apply", "-"], cwd=root, input=diff.encode(), check=True)
    assert [place.name for place in root.iterdir()] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_the_question_names_the_file_that_is_meant(name: str, tmp_path: Path) -> None:
    change = FileChange(path=name, content=b"x = 1\n")
    tree = Tree(Workspace(id="", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper=""))
    candidate, plan = Candidate(files=(change,), why="so"), Plan(steps=(), checks=(), files=("other.py",))
    for mode in ("ask", "review"):
        (asked,) = concerns(mode, (), candidate, plan, tree, by_model=True)  # type: ignore[arg-type]
        assert visible_line(said(asked)).startswith(NAMES[name])
    assert visible_line(as_shown([change])[0][0]) == f"{NAMES[name]}:"


def test_what_a_terminal_would_obey_is_seen_in_a_question() -> None:
    assert visible_line("run \x1b[2Jrm\r -rf\x07 \u202e now") == r"run \033[2Jrm\015 -rf\007 \342\200\256 now"
    assert visible_line("a\n\tb") == "a b"
