from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.skills import atomic_write as module
from treadle.skills.atomic_write import atomic_write


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def skipped_where_refused(what: str) -> Iterator[None]:
    """The test goes no further where the sandbox that it runs in forbids what it has to begin with."""
    try:
        yield
    except PermissionError as error:
        pytest.skip(f"{what} is forbidden here: {error.strerror}")


def set_mode(path: Path, mode: int) -> None:
    """Some sandboxes refuse set-user-id bits; some say that they change modes, and do not."""
    with skipped_where_refused(f"the mode {mode:o}"):
        path.chmod(mode)
    if mode_of(path) != mode:
        pytest.skip(f"the mode {mode:o} is forbidden here: it stays as it was")


def test_content_is_written_exactly_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    atomic_write(target, b"\x00\r\n\xff")
    assert target.read_bytes() == b"\x00\r\n\xff"
    atomic_write(target, "zwei\r\nZeilen \u00e4\n")
    assert target.read_bytes() == "zwei\r\nZeilen \u00e4\n".encode()
    assert names(tmp_path) == ["a.bin"]


@settings(max_examples=30)
@given(st.binary(max_size=5000), st.binary(max_size=5000))
def test_what_is_written_last_is_read(tmp_path_factory: pytest.TempPathFactory, first: bytes, second: bytes) -> None:
    target = tmp_path_factory.mktemp("atomic") / "f"
    atomic_write(target, first)
    assert target.read_bytes() == first
    atomic_write(target, second)
    assert target.read_bytes() == second


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o444, 0o666])
def test_the_mode_of_the_replaced_file_is_kept_whatever_the_umask(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "f"
    target.write_text("old")
    set_mode(target, mode)
    atomic_write(target, "new")
    assert mode_of(target) == mode


def test_a_new_file_gets_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_text("x")
    atomic_write(tmp_path / "atomic", "x")
    assert mode_of(tmp_path / "atomic") == mode_of(tmp_path / "ordinary")


def test_a_given_mode_wins(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_text("old")
    set_mode(target, 0o755)
    atomic_write(target, "new", mode=0o640)
    assert mode_of(target) == 0o640


def test_special_bits_are_dropped(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_text("old")
    set_mode(target, 0o4755)
    atomic_write(target, "new")
    assert mode_of(target) == 0o755


def test_the_owner_is_kept_where_that_is_allowed(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may give files away")
    target = tmp_path / "f"
    target.write_text("old")
    with skipped_where_refused("giving a file away"):
        os.chown(target, 12345, 23456)
    atomic_write(target, "new")
    assert (target.stat().st_uid, target.stat().st_gid) == (12345, 23456)


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "f"
    real.write_text("old")
    link = tmp_path / "link"
    link.symlink_to("real/f")
    atomic_write(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert names(tmp_path / "real") == ["f"]


def test_a_link_to_nothing_creates_what_it_names(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("later")
    atomic_write(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "later").read_text() == "new"


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError) as caught:
        atomic_write(tmp_path / "a", "new")
    assert caught.value.errno == errno.ELOOP
    assert names(tmp_path) == ["a", "b"]


def test_a_folder_and_a_device_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        atomic_write(tmp_path / "folder", "x")
    with pytest.raises(OSError, match="not a regular file"):
        atomic_write("/dev/null", "x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert names(tmp_path) == ["folder"]


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # which may be no longer than a hundred characters


@pytest.mark.parametrize("make", [os.mkfifo, make_socket])
def test_a_pipe_and_a_socket_are_left_alone(tmp_path: Path, make: Callable[[Path], None]) -> None:
    with skipped_where_refused("making a pipe or a socket"):
        make(tmp_path / "f")
    with pytest.raises(OSError, match="not a regular file"):
        atomic_write(tmp_path / "f", "x")
    assert names(tmp_path) == ["f"]
    assert not stat.S_ISREG((tmp_path / "f").stat().st_mode)


def test_a_missing_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        atomic_write(tmp_path / "none" / "f", "x")


def test_text_that_utf8_cannot_hold_touches_nothing(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_text("old")
    before = target.stat()
    with pytest.raises(UnicodeEncodeError):
        atomic_write(target, "\udc80")
    assert target.stat().st_ino == before.st_ino
    assert names(tmp_path) == ["f"]


def test_a_name_of_the_greatest_length_works(tmp_path: Path) -> None:
    atomic_write(tmp_path / ("n" * 255), "x")
    assert (tmp_path / ("n" * 255)).read_text() == "x"


def test_a_write_that_fails_half_way_leaves_the_old_content_and_no_litter(tmp_path: Path) -> None:
    target = tmp_path / "f"
    target.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError) as caught:
            atomic_write(target, b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert caught.value.errno == errno.EFBIG
    assert target.read_text() == "old"
    assert names(tmp_path) == ["f"]


def test_file_and_folder_reach_the_disk_before_and_after_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what the kernel is asked, and in which order, can show durability without pulling the plug."""
    seen: list[tuple[str, str]] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        seen.append((kind, target.read_text() if target.exists() else "nothing"))
        really(descriptor)

    target = tmp_path / "f"
    monkeypatch.setattr(module.os, "fsync", fsync)
    atomic_write(target, "new")
    assert seen == [("file", "nothing"), ("folder", "new")]


def test_readers_never_see_a_mixture(tmp_path: Path) -> None:
    target = tmp_path / "f"
    atomic_write(target, b"a" * 200_000)
    done = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not done.is_set():
            seen.add(target.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for letter in (b"b", b"c", b"d"):
            atomic_write(target, letter * 200_000)
    finally:
        done.set()
        reader.join()
    seen.add(target.read_bytes())
    assert all(len(content) == 200_000 and len(set(content)) == 1 for content in seen)
    assert names(tmp_path) == ["f"]


def test_an_interrupt_while_writing_leaves_no_litter(tmp_path: Path) -> None:
    program = f"""
import os, signal, sys
from treadle.skills import atomic_write as module
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts background jobs with it ignored
really = os.fsync
def interrupted(descriptor):
    os.kill(os.getpid(), signal.SIGINT)
    really(descriptor)
module.os.fsync = interrupted
try:
    module.atomic_write({str(tmp_path / "f")!r}, "new")
except KeyboardInterrupt:
    print("interrupted")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "interrupted\n"
    assert names(tmp_path) == []
