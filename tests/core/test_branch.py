"""The branch that the header shows, read from git's own files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from treadle.core.tree.branch import branch_of


def git(folder: Path, *arguments: str) -> None:
    own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "trunk")
    git(folder, "commit", "-q", "--allow-empty", "-m", "one")
    return folder


def test_a_branch_is_named_also_from_below(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "mend/spread")
    (repository / "src").mkdir()
    assert branch_of(repository) == branch_of(repository / "src") == "mend/spread"


def test_a_commit_that_is_no_branch_is_named_by_its_first_digits(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    named = branch_of(repository)
    assert len(named) == 8
    git(repository, "rev-parse", "--verify", named)


def test_a_worktree_and_a_submodule_have_branches_of_their_own(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    assert branch_of(tmp_path / "beside") == "beside"
    git(tmp_path, "init", "-q", "-b", "outer", "outer")
    git(tmp_path / "outer", "submodule", "add", "-q", str(repository), "inner")
    git(tmp_path / "outer" / "inner", "checkout", "-q", "-b", "within")
    assert branch_of(tmp_path / "outer" / "inner") == "within"
    assert branch_of(tmp_path / "outer") == "outer"


@pytest.mark.parametrize("content", [None, b"", b"gitdir: nowhere\n", b"gitdir: a\0b\n", b"\xff\xfe"])
def test_where_nothing_can_be_read_there_is_none(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / ".git").write_bytes(content)
    assert branch_of(tmp_path) == ""


@pytest.mark.parametrize("name", [".git", ".git/HEAD"])
def test_nobody_is_waited_for_at_a_pipe(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    assert branch_of(tmp_path) == ""
