"""Marks by which an overlay hides, moves and redirects files, set by a job in the folder that takes its writes.

The kernel believes them when the folder is mounted again, and whoever reads the changes out of it believes them too.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Result, has_layer, run

pytestmark = pytest.mark.skipif(not has_layer("overlay"), reason="no overlay is possible here")
Run = Callable[..., Result]

MARK = """
import errno, os
os.mkdir("folder")
open("folder/file", "w").close()
def attempt(what, action):
    try:
        action()
        print("DONE", what)
    except OSError as error:
        print("REFUSED", what, errno.errorcode[error.errno])
for space in ("user.overlay.", "trusted.overlay."):
    attempt("opaque", lambda: os.setxattr("folder", space + "opaque", b"y"))
    attempt("whiteout", lambda: os.setxattr("folder/file", space + "whiteout", b"y"))
    attempt("redirect", lambda: os.setxattr("folder", space + "redirect", b"/../../etc"))
    attempt("metacopy", lambda: os.setxattr("folder/file", space + "metacopy", b""))
    attempt("origin", lambda: os.setxattr("folder", space + "origin", b"x"))
attempt("a device that hides", lambda: os.mknod("kept.py", 0o020000, 0))
attempt("a device that hides a new name", lambda: os.mknod("folder/hidden", 0o020000, 0))
attempt("a whiteout by rename", lambda: [os.rename("kept.py", "moved.py")])
"""
WEAKER = [frozenset[str](), frozenset({"seccomp"}), frozenset({"landlock"}), frozenset({"seccomp", "landlock"})]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "kept.py").write_text("KEPT = 1\n")
    (folder / "other.py").write_text("OTHER = 1\n")
    return folder


@pytest.fixture
def tried(project: Path) -> Run:
    def run_it(source: str, without: frozenset[str], limits: Limits | None = None) -> Result:
        policy = Policy(overlay=Overlay(str(project), str(project.parent / "upper")), without=without)
        return run([sys.executable, "-c", source], cwd=str(project), policy=policy, limits=limits)

    return run_it


def marks(folder: Path) -> dict[str, set[str]]:
    """The marks of an overlay on each path below the folder that has any."""
    found = {}
    for path in folder.rglob("*"):
        names = {name for name in os.listxattr(path, follow_symlinks=False) if ".overlay." in name}
        if names:
            found[path.name] = names
    return found


@pytest.mark.parametrize("without", WEAKER, ids=lambda names: ",".join(sorted(names)) or "all layers")
def test_no_mark_is_a_job_s_own(tried: Run, project: Path, without: frozenset[str]) -> None:
    result = tried(MARK, without)
    assert result.verdict == "ok", result
    upper = project.parent / "upper"
    said = result.stdout.data.decode()
    if "seccomp" not in without:
        assert "DONE" not in said.replace("DONE a whiteout by rename", ""), said
    # Without the filter newer kernels keep such a mark of a job's under another name, where it means nothing.
    for path, names in marks(upper).items():
        assert all(name.startswith("user.overlay.overlay.") or name == "user.overlay.origin" for name in names), (
            path,
            names,
        )
    # A whiteout says that the name is gone, and that is what the job did; for what it made there is none.
    devices = {path.name for path in upper.rglob("*") if stat.S_ISCHR(path.lstat().st_mode)}
    assert devices <= {"kept.py"}, devices
    # What is mounted again shows what the job left, and nothing of the machine's.
    again = tried("import os\nprint(sorted(os.listdir('.')), sorted(os.listdir('folder')))", frozenset())
    assert again.stdout.data == b"['folder', 'moved.py', 'other.py'] ['file']\n", again
    assert (project / "kept.py").read_text() == "KEPT = 1\n"


def test_a_mark_of_one_s_own_would_hide_a_file(tried: Run, project: Path) -> None:
    # The positive control: the same mark, set in that folder from outside.
    assert tried("import os\nos.mkdir('folder')\nopen('folder/file', 'w').close()", frozenset()).verdict == "ok"
    (project / "folder").mkdir()
    (project / "folder" / "below").touch()
    look = "import os\nprint(sorted(os.listdir('folder')))"
    assert tried(look, frozenset()).stdout.data == b"['below', 'file']\n"
    os.setxattr(project.parent / "upper" / "folder", "user.overlay.opaque", b"y")
    # A server with other layers, since the first one may remember what it saw.
    assert tried(look, frozenset({"utsns"})).stdout.data == b"['file']\n"


def test_the_folders_of_the_overlay_are_out_of_reach(tried: Run, project: Path) -> None:
    upper = project.parent / "upper"
    source = f"""
import os
for path in ({str(upper)!r}, {str(upper) + ".work"!r}, {str(upper) + ".work/work"!r}, "/lower", "/box", "/old"):
    for act in (os.listdir, os.stat, lambda p: open(p + "/planted", "w")):
        try:
            act(path)
            print("ESCAPED", path)
        except OSError:
            pass
print("end")
"""
    assert tried(source, frozenset()).stdout.data == b"end\n"
    assert sorted(path.name for path in upper.iterdir()) == []


LATE = """
import os, time
writer = os.open("late", os.O_CREAT | os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    while True:
        os.write(writer, b"x" * 512)
        time.sleep(0.001)
while os.fstat(writer).st_size < 16384:
    time.sleep(0.01)
print("it wrote on" if os.waitpid(-1, os.WNOHANG) == (0, 0) else "it has ended")
"""
SLOW_WRITER = Limits.tier("quick", file_size=16 << 20)  # far more than it writes until the wall limit


@pytest.mark.parametrize("without", ["", "pidns"])
def test_nobody_writes_there_after_the_result(tried: Run, project: Path, without: str) -> None:
    result = tried(LATE, frozenset({without} - {""}), SLOW_WRITER)
    # The positive control is within: it wrote every millisecond, and had not ended by itself.
    assert (result.verdict, result.stdout.data) == ("ok", b"it wrote on\n"), result
    late = project.parent / "upper" / "late"
    size = late.stat().st_size
    assert size >= 16384
    for _ in range(25):
        time.sleep(0.02)
        assert late.stat().st_size == size
