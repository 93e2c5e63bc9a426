"""What differs between a revision and the files as they are: what was, what is, and what nobody looked at."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from treadle.core.errors import UsageError
from treadle.core.records import FileChange
from treadle.core.tree.since_revision import Since, since

WHO = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(cwd: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_NOSYSTEM": "1", **WHO}
    subprocess.run(["git", *words], cwd=cwd, env=env, check=True, capture_output=True)


def write(folder: Path, **files: bytes) -> None:
    for name, content in files.items():
        place = folder / name.replace("__", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write(folder, same=b"1", changed=b"\x00old\n", gone__a=b"a", moved=b"m", place=b"p", large=b"l", run=b"r")
    (folder / "place").chmod(0o755)
    (folder / "link").symlink_to("same")
    (folder / ".gitignore").write_text("ignored*\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def looked(project: Path, revision: str = "HEAD", below: str = "", largest: int = 100, most: int = 1000) -> Since:
    return since(project, revision, below, largest=largest, most=most)


def test_all_that_differs_is_told_as_it_was_and_as_it_is(project: Path) -> None:
    # Of this one git can't say without reading it that it is as it was.
    os.utime(project / "same", ns=(1, 1))
    write(project, changed=b"\x00new\n", ignored=b"i", new__b=b"b", env__x=b"x", **{"env/pyvenv.cfg": b""})
    (project / "gone/a").unlink()
    (project / "moved").rename(project / "moved there")
    (project / "moved there").chmod(0o755)
    git(project, "add", "moved there", "moved")
    git(project, "commit", "-qm", "second")
    found = looked(project, "HEAD^")
    assert {change.path: change.content for change in found.before} == {
        "changed": b"\x00old\n", "gone/a": b"a", "moved": b"m", "moved there": None, "new/b": None
    }  # fmt: skip
    assert [(c.path, c.content, c.executable) for c in found.now] == [
        ("gone/a", None, False), ("moved", None, False), ("changed", b"\x00new\n", False),
        ("moved there", b"m", True), ("new/b", b"b", False),
    ]  # fmt: skip
    assert found.notes == ()
    assert not any(change.executable for change in found.before)
    write(project, place=b"was executable and still is")
    assert looked(project, below="place").before == (FileChange(path="place", content=b"p", executable=True),)
    assert [change.path for change in looked(project, "HEAD^", "gone").now] == ["gone/a"]


def test_what_is_left_out_is_named_with_the_reason(project: Path, tmp_path: Path) -> None:
    (project / "link").unlink()
    (project / "link").symlink_to("changed")
    (project / "place").unlink()
    write(project, place__inside=b"x", large=b"l" * 101)
    (project / "run").chmod(0o755)
    (project / "nested").mkdir()
    git(project / "nested", "init", "-q")
    write(project, nested__x=b"x")
    found = looked(project)
    assert found.now == () == found.before
    assert sorted(note.removeprefix("not looked at, since ") for note in found.notes) == [
        "a file took the place of a folder, or a folder that of a file: place, place/inside",
        "it has more than 100 bytes: large",
        "it is a link, or was one: link",
        "it is a repository of its own: nested/",
        "only whether it may be executed differs: run",
    ]


def test_names_are_those_of_the_project_that_lies_below_the_repositorys_top(project: Path) -> None:
    write(project, changed=b"other", gone__a=b"other")
    assert [change.path for change in looked(project / "gone").now] == ["a"]


@pytest.mark.parametrize("revision", ["nowhere", "--all", "", "HEAD:changed"])
def test_what_is_no_revision_is_told_with_what_to_do(project: Path, revision: str) -> None:
    with pytest.raises(UsageError, match=r"there is no revision .*fetch-depth"):
        looked(project, revision)


def test_without_a_repository_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in no git repository"):
        looked(tmp_path)


def test_more_than_is_looked_at_together_is_refused(project: Path) -> None:
    write(project, changed=b"x" * 50, same=b"y" * 50)
    with pytest.raises(UsageError, match="more bytes than are looked at together"):
        looked(project, most=99)


def test_a_clone_that_lacks_what_was_there_says_so(project: Path) -> None:
    write(project, changed=b"other")
    for loose in (project / ".git/objects").glob("??/*"):
        if subprocess.run(["git", "cat-file", "-p", loose.parent.name + loose.name], cwd=project, capture_output=True,
                          check=True).stdout == b"\x00old\n":  # fmt: skip
            loose.unlink()
    with pytest.raises(UsageError, match="does not hold changed as it was"):
        looked(project)
