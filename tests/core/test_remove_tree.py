from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from treadle.core.tree.remove_tree import remove_tree


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


def test_a_tree_is_removed_and_its_neighbours_stay(parent: Path) -> None:
    for name in ("gone", "stays"):
        (parent / name / "a" / "b").mkdir(parents=True)
        (parent / name / "a" / "file").write_text("x")

    remove_tree(parent, "gone")

    assert [p.name for p in parent.iterdir()] == ["stays"]
    assert (parent / "stays" / "a" / "file").exists()


def test_what_a_link_points_to_stays(parent: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "kept").mkdir(parents=True)
    (outside / "file").write_text("kept")
    tree = parent / "tree" / "deep"
    tree.mkdir(parents=True)
    (tree / "to folder").symlink_to(outside)
    (tree / "to file").symlink_to(outside / "file")
    (tree / "loop").symlink_to(tree)
    os.mkfifo(tree / "pipe")
    (parent / "link").symlink_to(outside)

    remove_tree(parent, "tree")
    remove_tree(parent, "link")

    assert list(parent.iterdir()) == []
    assert sorted(p.name for p in outside.iterdir()) == ["file", "kept"]


def test_a_parent_that_was_replaced_by_a_link_is_refused(parent: Path, tmp_path: Path) -> None:
    (parent / "tree").mkdir()
    (tmp_path / "link").symlink_to(parent)

    with pytest.raises(OSError, match="link"):
        remove_tree(tmp_path / "link", "tree")

    assert (parent / "tree").is_dir()


def test_folders_without_permissions_are_no_obstacle(parent: Path) -> None:
    closed = parent / "tree" / "work" / "work"
    (closed / "inner").mkdir(parents=True)
    (closed / "inner" / "file").write_text("x")
    (closed / "inner").chmod(0o500)
    closed.chmod(0)
    closed.parent.chmod(0o500)

    remove_tree(parent, "tree")

    assert list(parent.iterdir()) == []


def test_a_tree_deeper_than_paths_and_recursion_allow_is_removed(parent: Path) -> None:
    here = os.open(parent, os.O_RDONLY)
    for name in ["tree"] + ["d" * 10] * 1100:
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)

    remove_tree(parent, "tree")

    assert list(parent.iterdir()) == []


def test_file_names_that_are_not_utf8_are_no_obstacle(parent: Path) -> None:
    odd = parent / "tree" / os.fsdecode(b"\xff\xfe")
    odd.mkdir(parents=True)
    (odd / "\n").write_text("x")

    remove_tree(parent, "tree")

    assert list(parent.iterdir()) == []


def test_removing_what_is_not_there_does_nothing(parent: Path) -> None:
    remove_tree(parent, "nothing")
    assert stat.S_ISDIR(parent.stat().st_mode)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../sessions"])
def test_only_an_entry_of_the_folder_itself_can_be_named(parent: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name of an entry"):
        remove_tree(parent, name)
