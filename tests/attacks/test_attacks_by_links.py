"""Names given, taken and exchanged across the border of the job's folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from treadle.sandbox import Policy, Result, close_idle, run

# `own` is below the job's folder, `outside` a folder of the person's with the files `notes` and `moved`.
PRELUDE = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
own, outside = os.environ["TREADLE_JOB"], {outside!r}
os.chdir(own)
for name in ("given", "swapped", "renamed"):
    open(name, "w").write("the job's")
def call(function, *arguments):
    if function(*arguments):
        raise OSError(ctypes.get_errno(), "")
def path(*parts): return os.path.join(*parts).encode()
unnamed = os.open(own, os.O_TMPFILE | os.O_RDWR)
os.write(unnamed, b"the job's")
"""
# name: what is tried, and which file outside tells that it was done
MOVES = {
    "hard link in": ("os.link(outside + '/notes', own + '/taken'); open(own + '/taken', 'a').write('!')", "notes"),
    "hard link out": ("os.link(own + '/given', outside + '/given')", "given"),
    "rename in": ("os.rename(outside + '/moved', own + '/moved')", "moved"),
    "rename out": ("os.rename(own + '/renamed', outside + '/renamed')", "renamed"),
    "replace": ("os.replace(own + '/renamed', outside + '/notes')", "notes"),
    "exchange": ("call(libc.renameat2, -100, path(own, 'swapped'), -100, path(outside, 'notes'), 2)", "notes"),
    "exchange from there": (
        "call(libc.renameat2, -100, path(outside, 'notes'), -100, path(own, 'swapped'), 2)",
        "notes",
    ),
    "a name for a file without one": (
        "call(libc.linkat, -100, f'/proc/self/fd/{unnamed}'.encode(), -100, path(outside, 'planted'), 0x400)",
        "planted",
    ),
    "a file without a name out there": ("os.open(outside, os.O_TMPFILE | os.O_RDWR); os.mkdir(outside + '/x')", "x"),
    "through a link": ("os.symlink(outside, own + '/way'); open(own + '/way/through', 'w').close()", "through"),
    "a link to a file": ("os.symlink(outside + '/notes', own + '/n'); open(own + '/n', 'a').write('!')", "notes"),
    "a folder": ("os.mkdir(own + '/f'); os.rename(own + '/f', outside + '/f')", "f"),
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "notes").write_text("do not touch")
    (folder / "moved").write_text("do not touch")
    yield folder
    close_idle()


def attempt(how: str, home: Path, policy: Policy) -> Result:
    tried = f"try:\n    {MOVES[how][0]}\n"
    told = "except OSError as error:\n    print(errno.errorcode[error.errno])\nelse:\n    print('DONE')"
    return run([sys.executable, "-c", PRELUDE.format(outside=str(home)) + tried + told], policy=policy)


def state(home: Path) -> dict[str, str]:
    return {path.name: path.read_text() if path.is_file() else "a folder" for path in home.iterdir()}


@pytest.mark.parametrize("how", MOVES)
def test_nothing_crosses_the_border(home: Path, how: str) -> None:
    before = state(home)
    # Either of both walls holds by itself; seccomp has no part in it. The folder is shown in the last ones.
    for without, shown in (((), False), (("landlock",), False), (("mountns",), False), (("seccomp",), False),
                           ((), True), (("landlock",), True), (("mountns",), True)):  # fmt: skip
        policy = Policy(read=(str(home),) if shown else (), without=frozenset(without))
        result = attempt(how, home, policy)
        said = result.stdout.data.decode().strip()
        assert said in ("ENOENT", "EACCES", "EROFS", "EPERM", "EXDEV"), (how, without, shown, result)
        assert state(home) == before


@pytest.mark.parametrize("how", MOVES)
def test_each_crosses_it_where_no_wall_is_left(home: Path, how: str) -> None:
    before = state(home)
    result = attempt(how, home, Policy(without=frozenset({"landlock", "mountns"})))
    assert result.stdout.data == b"DONE\n", result
    assert state(home).get(MOVES[how][1]) != before.get(MOVES[how][1])
