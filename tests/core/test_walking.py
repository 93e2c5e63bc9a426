"""Folders that somebody else has filled, nested deeper than Python can recurse."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.deep_folders import nested
from treadle.core.config.trust import content_of
from treadle.core.plugin_host import environment_use
from treadle.core.plugin_host.trusted_copy import copy_of
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.walking import copy_folder, walk
from treadle.plugins.execution.copies import PristineCopy
from treadle.plugins.test_runs.test_places import find_tests


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    return nested(tmp_path / "deep")


@pytest.fixture(autouse=True)
def cleared(tmp_path: Path) -> object:
    yield
    for each in list(tmp_path.iterdir()):
        remove_tree(tmp_path, each.name)


def test_folders_come_before_what_they_hold_in_order_and_links_are_not_entered(tmp_path: Path) -> None:
    for name in ("b", "a/z", "a/y", "c"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "a" / "file").touch()
    (tmp_path / "link").symlink_to("a")

    seen = []
    for name, folders, others in walk(tmp_path):
        seen.append((name, list(folders), others))
        folders[:] = [each for each in folders if each != "c"]

    assert seen == [
        (".", ["a", "b", "c"], ["link"]),
        ("a", ["y", "z"], ["file"]),
        ("a/y", [], []),
        ("a/z", [], []),
        ("b", [], []),
    ]


def test_any_depth_is_walked(deep: Path) -> None:
    assert [others for _, _, others in walk(deep) if others] == [["test_bottom.py"]]


def test_what_is_too_deep_for_a_path_is_told_and_the_rest_is_seen(tmp_path: Path) -> None:
    nested(tmp_path / "top", 2_500)
    (tmp_path / "top" / "beside").mkdir()
    failed: list[OSError] = []

    names = [name for name, _, _ in walk(tmp_path / "top", failed.append)]

    assert len(failed) == 1
    assert names[-1] == "beside"


def test_a_deep_folder_is_copied_with_modes_and_links(deep: Path, tmp_path: Path) -> None:
    (deep / "closed").mkdir()
    (deep / "closed" / "file").write_text("x")
    (deep / "closed").chmod(0o500)
    (deep / "link").symlink_to("nowhere")

    copy_folder(deep, tmp_path / "copy")

    assert [name for name, _, _ in walk(deep)] == [name for name, _, _ in walk(tmp_path / "copy")]
    assert stat.S_IMODE((tmp_path / "copy" / "closed").stat().st_mode) == 0o500
    assert (tmp_path / "copy" / "link").readlink() == Path("nowhere")


def test_the_plugins_of_a_project_may_lie_in_deep_folders(tmp_path: Path) -> None:
    project = tmp_path / "project"
    nested(project / ".treadle" / "plugins")

    content = content_of(project, {}, "")

    assert len(content.plugins) == 1
    copy_of(content, tmp_path / "copies")
    copy_of(content, tmp_path / "copies")
    assert len(list((tmp_path / "copies").iterdir())) == 1


def test_an_unused_environment_of_any_depth_is_deleted(deep: Path) -> None:
    assert environment_use.delete_unused(deep)
    assert not deep.exists()


def test_tests_are_found_in_a_project_of_any_depth(deep: Path) -> None:
    (deep / "pyproject.toml").touch()
    found = find_tests(deep)
    assert found is not None and found.files == 1


def test_a_copy_is_restored_from_whatever_depth_a_job_made(tmp_path: Path) -> None:
    root = nested(tmp_path / "root")
    (root / "kept").mkdir()
    (root / "kept" / "file").write_text("before")
    copy = PristineCopy(root, tmp_path / "store")
    nested(root / "made", 2_500)
    (root / "kept" / "file").write_text("after")

    copy.restore()

    assert sorted(each.name for each in root.iterdir()) == ["a", "kept"]
    assert (root / "kept" / "file").read_text() == "before"
