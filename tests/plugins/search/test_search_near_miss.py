"""What the search makes of an attempt that nearly holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.records import Attempt, Candidate, Confidence, FileChange, Rival, Verdict, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.near_miss import laid_over, takes_back


def test_each_change_to_choose_from_is_one_of_the_project_as_the_attempt_is():
    first = (FileChange(path="a.py", content=b"1", base="project"), FileChange(path="b.py", content=b"new"))
    attempt = Attempt(number=1, candidate=Candidate(files=first, why="w"), verdict=Verdict(state="failed"))

    def mended(content: bytes) -> tuple[FileChange, ...]:
        return (FileChange(path="a.py", content=content, base="attempt"),)

    trust = Confidence(level="low", rivals=(Rival(files=mended(b"3"), why="w"),))
    found = laid_over(attempt, Candidate(files=mended(b"2"), why="w", confidence=trust))
    assert found.files == (FileChange(path="a.py", content=b"2", base="project"), first[1])
    assert found.confidence is not None
    assert found.confidence.rivals[0].files == (FileChange(path="a.py", content=b"3", base="project"), first[1])


@pytest.mark.parametrize(
    ("tried", "found", "taken_back"),
    [
        ("a\nB\nc\nd\n", "a\nb\nc\nd\n", True),
        ("A\nb\nc\nD\n", "A\nb\nc\nd\n", True),
        ("a\nb\nnew\nc\nd\n", "a\nb\nc\nd\n", True),
        ("a\nB\nc\nd\n", "a\nBB\nc\nd\n", False),
        ("a\nb\nnew\nc\nd\n", "a\nb\nnewer\nc\nd\n", False),
        ("a\nB\nc\nd\n", "a\nB\nc\nD\n", False),
        ("a\nd\n", "a\nc\nd\n", False),
    ],
)
def test_to_take_back_what_was_changed_is_no_mend(tmp_path: Path, tried: str, found: str, taken_back: bool):
    (tmp_path / "a.txt").write_text("a\nb\nc\nd\n")
    tree = Tree(Workspace(id="w", root=str(tmp_path), kind="overlay", upper="", project=str(tmp_path)))

    def candidate(text: str) -> Candidate:
        return Candidate(files=(FileChange(path="a.txt", content=text.encode()),), why="w")

    attempt = Attempt(number=1, candidate=candidate(tried), verdict=Verdict(state="failed"))
    assert takes_back(attempt, candidate(found), tree) is taken_back
