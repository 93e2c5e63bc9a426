"""Which files can be laid over a folder: the others would be refused by the sandbox, and end the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.records import FileChange
from treadle.core.tree.laying import why_not


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("package/x.py new/folder/x.py file.py link", ""),
        ("-file.py file.py/x.py", ""),  # in that order
        ("-missing.py", ""),
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
    (tmp_path / "file.py").touch()
    (tmp_path / "link").symlink_to("package")
    files = [FileChange(path=name.lstrip("-"), content=None if name[0] == "-" else b"") for name in names.split()]
    why = why_not(files, str(tmp_path))
    assert says in why if says else not why
