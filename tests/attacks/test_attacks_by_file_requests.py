"""Requests on a descriptor: what changes a file that was opened for reading, and what copies from file to file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Policy, run

Blocked = Callable[..., list[str]]
Control = Callable[..., None]

# Each sets again what is there, so that a control changes nothing. Not every file system has such flags.
ATTRIBUTES = """
import fcntl
SETFLAGS, GETFLAGS, FSSETXATTR, FSGETXATTR = 0x40086602, 0x80086601, 0x401C5820, 0x801C581F
def again(place, get, set_, size):
    file = os.open(place, os.O_RDONLY)
    values = bytearray(size)
    fcntl.ioctl(file, get, values)
    fcntl.ioctl(file, set_, bytes(values))
attempt("flags", lambda: again({place}, GETFLAGS, SETFLAGS, 8))
attempt("attributes", lambda: again({place}, FSGETXATTR, FSSETXATTR, 28))
"""


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """A file of the person's that a policy shows to jobs."""
    (tmp_path / "shown").mkdir()
    file = tmp_path / "shown" / "notes.txt"
    file.write_text("as it was\n")
    return file


def test_a_file_that_may_only_be_read_keeps_its_attributes(
    all_blocked: Blocked, works_outside: Control, shown: Path
) -> None:
    try:
        works_outside(ATTRIBUTES.format(place=repr(str(shown))))
    except AssertionError:
        pytest.skip("this file system has no such attributes")
    # In the project, and in the library, which both belong to whom the job runs as when tests run as root.
    for place in ("'module.py'", "os.__file__"):
        assert set(all_blocked(ATTRIBUTES.format(place=place))) <= {"EPERM", "EROFS"}


@pytest.mark.parametrize("without", ["", "seccomp", "mountns", "landlock"])
def test_any_one_layer_may_be_missing_for_that(shown: Path, works_outside: Control, prelude: str, without: str) -> None:
    source = ATTRIBUTES.format(place=repr(str(shown)))
    try:
        works_outside(source)
    except AssertionError:
        pytest.skip("this file system has no such attributes")

    def tried(*layers: str) -> str:
        policy = Policy(read=(str(shown.parent),), without=frozenset(layers) - {""})
        said = run([sys.executable, "-c", prelude + source], policy=policy).stdout.data.decode()
        assert len(said.splitlines()) == 2, said
        return said

    assert "ESCAPED" not in tried(without)
    # The positive control: without both walls it is done. Real root runs these as nobody, who does not own the file.
    if os.geteuid():
        assert "BLOCKED" not in tried("seccomp", "mountns")


COPIES = """
own = os.open(os.environ.get("TREADLE_JOB", ".") + "/own", os.O_RDWR | os.O_CREAT)
os.write(own, bytes(4096))
pipe = os.pipe()
os.write(pipe[1], b"x" * 64)
fcntl = __import__("fcntl")
def target(): return os.open("{victim}", os.O_WRONLY)
attempt("sendfile", lambda: os.sendfile(target(), own, 0, 1))
attempt("copy", lambda: os.copy_file_range(own, target(), 1, 0, 0))
attempt("splice", lambda: os.splice(pipe[0], target(), 1))
"""


def test_nothing_is_copied_to_outside_by_the_kernel(
    all_blocked: Blocked, works_outside: Control, outside: Path
) -> None:
    victim = outside / "copied.txt"
    victim.write_text("as it was")
    try:
        assert set(all_blocked(COPIES.format(victim=victim))) == {"ENOENT"}
        assert victim.read_text() == "as it was"
        works_outside(COPIES.format(victim=victim))
        assert victim.read_text() != "as it was"
    finally:
        victim.unlink()


def test_what_may_only_be_read_takes_nothing_by_a_descriptor(all_blocked: Blocked) -> None:
    # No positive control: a descriptor that only reads takes nothing anywhere. FICLONE is 0x40049409.
    source = """
own = os.open(os.environ["HOME"] + "/own", os.O_RDWR | os.O_CREAT)
os.write(own, bytes(4096))
pipe = os.pipe()
os.write(pipe[1], b"x" * 64)
fcntl = __import__("fcntl")
file = os.open({place}, os.O_RDONLY)
attempt("sendfile", lambda: os.sendfile(file, own, 0, 1))
attempt("copy", lambda: os.copy_file_range(own, file, 1, 0, 0))
attempt("splice", lambda: os.splice(pipe[0], file, 1))
attempt("clone", lambda: fcntl.ioctl(file, 0x40049409, own))
attempt("allocate", lambda: os.posix_fallocate(file, 0, 1))
"""
    for place in ('"module.py"', "os.__file__"):
        said = all_blocked(source.replace("{place}", place))
        assert set(said) <= {"EBADF", "EOPNOTSUPP", "EXDEV", "EINVAL"}, said


def test_a_large_input_takes_nothing_by_another_way(all_blocked: Blocked) -> None:
    # A large input lies in a file in memory; sealed, so that no other way to open it writes there.
    source = """
attempt("write", lambda: os.write(os.open("/proc/self/fd/0", os.O_RDWR), b"x"))
attempt("truncate", lambda: os.truncate("/proc/self/fd/0", 0))
attempt("grow", lambda: os.posix_fallocate(0, 0, 1 << 20))
attempt("map", lambda: __import__("mmap").mmap(0, 4096))
"""
    assert set(all_blocked(source, stdin=b"x" * 100_000)) <= {"EPERM", "EACCES", "EBADF"}
