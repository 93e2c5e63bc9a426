"""Which files can be laid over a folder: the others would be refused by the sandbox, and end the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.errors import WorkspaceError
from treadle.core.records import FileChange
from treadle.core.tree.laying import lay_over, why_not


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("package/x.py new/folder/x.py file.py link", ""),
        ("-file.py file.py/x.py", ""),  # in that order
        ("-missing.py", ""),
        ("-link link/own.py/x.py link/y.py", ""),  # it led elsewhere
        ("package", "package can't be written: it is a folder"),
        ("file.py/x.py", "file.py/x.py can't be written: file.py is no folder"),
        ("link/x.py", "link is no folder"),
        ("a a/b", "a is no folder"),
        ("a/b a", "a can't be written: it is a folder"),
        ("-missing/x.py", "missing/x.py can't be deleted: there is no such folder"),
    ],
)
def test_a_file_is_no_folder(tmp_path: Path, names: str, says: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "own.py").touch()
    (tmp_path / "file.py").touch()
    (tmp_path / "link").symlink_to("package")
    files = [FileChange(path=name.lstrip("-"), content=None if name[0] == "-" else b"") for name in names.split()]
    why = why_not(files, str(tmp_path))
    assert says in why if says else not why


def test_a_change_needs_no_more_new_folders_than_can_be_kept_in_mind(tmp_path: Path) -> None:
    # Each name of these would ask for two thousand.
    deep = [FileChange(path=f"{number}/{'a/' * 2_000}x", content=b"") for number in range(8)]
    assert "in more than 10,000 new folders" in why_not(deep, str(tmp_path))
    beside = [FileChange(path=f"{'a/' * 2_000}{number}", content=b"") for number in range(2_000)]
    assert not why_not(beside, str(tmp_path))


@pytest.mark.parametrize("name", ["link/x.py", "file.py/x.py", "package"])
def test_nothing_is_laid_through_a_link_or_where_it_has_no_place(tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    (root / "package").mkdir(parents=True)
    (root / "file.py").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.py").touch()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WorkspaceError):
        lay_over(root, (FileChange(path=name, content=b"x"),))
    lay_over(root, (FileChange(path="link/x.py", content=None), FileChange(path="file.py/x.py", content=None)))
    assert (tmp_path / "elsewhere/x.py").read_bytes() == b""
