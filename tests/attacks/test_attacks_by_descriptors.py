"""Ways to a file that do not go by its name, and what a file can be made to do for others."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Overlay, Policy, run

Blocked = Callable[..., list[str]]
Control = Callable[..., None]
UNTOUCHED = {"ENOENT", "EACCES", "EROFS", "EPERM", "EXDEV", "ETXTBSY"}
UP = "../" * 20


def test_a_kept_folder_leads_nowhere(all_blocked: Blocked, works_outside: Control, outside: Path) -> None:
    source = f"""
kept = os.open(".", os.O_RDONLY)
os.chdir("/")
attempt("up", lambda: os.open("{UP}{outside}/notes.txt", os.O_RDONLY, dir_fd=kept))
attempt("up and list", lambda: os.listdir(os.open("{UP}{outside}", os.O_RDONLY, dir_fd=kept)))
os.fchdir(kept)
attempt("from there", lambda: os.stat("{UP}{outside}"))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"ENOENT"}


def test_the_parent_s_folders_and_descriptors_are_closed(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
parent = f"/proc/{os.getppid()}"
attempt("root", lambda: os.listdir(parent + "/root"))
attempt("cwd", lambda: os.listdir(parent + "/cwd"))
attempt("exe", lambda: os.readlink(parent + "/exe"))
attempt("descriptors", lambda: os.listdir(parent + "/fd"))
attempt("maps", lambda: len(open(parent + "/maps").read()) or 1 / 0)
attempt("mem", lambda: open(parent + "/mem", "rb").close())
attempt("namespaces", lambda: os.readlink(parent + "/ns/mnt"))
"""
    works_outside(source)
    assert set(all_blocked(source)) <= {"ENOENT", "EACCES", "EPERM"}


def test_nothing_in_proc_can_be_written(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
attempt("mem", lambda: open("/proc/self/mem", "r+b").close())
attempt("oom", lambda: open("/proc/self/oom_score_adj", "w").close())
attempt("name", lambda: open("/proc/self/comm", "w").close())
attempt("memory to be freed", lambda: open("/proc/self/clear_refs", "w").close())
"""
    works_outside(source)
    assert set(all_blocked(source)) <= UNTOUCHED


def test_the_interpreter_can_not_be_changed(all_blocked: Blocked) -> None:
    # No positive control: it would change the interpreter that runs these tests.
    source = """
program = os.path.realpath(sys.executable)
os.symlink(program, "link")
file = os.open(program, os.O_RDONLY)
fcntl = __import__("fcntl")
attempt("exe", lambda: open("/proc/self/exe", "r+b"))
attempt("write", lambda: open(program, "r+b"))
attempt("open again", lambda: os.open(f"/proc/self/fd/{file}", os.O_RDWR))
attempt("chmod", lambda: os.chmod("link", 0o777))
attempt("fchmod", lambda: os.fchmod(file, 0o777))
attempt("utime", lambda: os.utime("link"))
attempt("chown", lambda: os.chown("link", os.getuid(), os.getgid()))
attempt("xattr", lambda: os.setxattr("link", "user.x", b"1"))
attempt("remove xattr", lambda: os.removexattr("link", "user.x"))
"""
    assert set(all_blocked(source)) <= UNTOUCHED


def test_rarer_ways_to_move_a_file(all_blocked: Blocked, outside: Path) -> None:
    # The positive controls are in test_attacks_by_links: these are the same ways to places that it does not try.
    source = f"""
library = os.path.dirname(os.__file__)
def exchange(other):
    if libc.renameat2(-100, b"module.py", -100, other.encode(), 2):
        raise OSError(ctypes.get_errno(), "")
home = os.environ["HOME"]
unnamed = os.open(home, os.O_TMPFILE | os.O_RDWR)
attempt("exchange", lambda: exchange("{outside}/notes.txt"))
attempt("exchange with a module", lambda: exchange(os.__file__))
attempt("give a name outside", lambda: os.link(f"/proc/self/fd/{{unnamed}}", library + "/planted.py"))
attempt("link out", lambda: os.link("module.py", "{outside}/planted.py"))
attempt("link into the library", lambda: os.link("module.py", library + "/planted.py"))
attempt("link from the library", lambda: os.link(os.__file__, home + "/taken.py", follow_symlinks=False))
attempt("rename the project", lambda: os.rename(os.getcwd(), home + "/project"))
attempt("rename home", lambda: os.rename(home, home + "2"))
"""
    blocked = set(all_blocked(source))
    assert blocked <= UNTOUCHED | {"EBUSY"}, blocked
    assert (outside / "notes.txt").read_text() == "do not touch\n"


def test_a_file_s_handle_opens_nothing(all_blocked: Blocked) -> None:
    # No positive control: only a superuser may open one outside.
    source = """
handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
mount = ctypes.c_int()
def name():
    if libc.name_to_handle_at(-100, b"/", handle, ctypes.byref(mount), 0):
        raise OSError(ctypes.get_errno(), "")
def by_handle():
    if libc.open_by_handle_at(-100, handle, os.O_RDONLY) < 0:
        raise OSError(ctypes.get_errno(), "")
attempt("name", name)
attempt("open", by_handle)
"""
    assert set(all_blocked(source)) == {"EPERM"}


def test_a_file_that_all_may_read_can_not_be_kept_from_others(
    all_blocked: Blocked, works_outside: Control, works_without: Control
) -> None:
    # A lease stops everybody else's open for writing for 45 s.
    source = """
import fcntl
open(os.environ.get("TREADLE_JOB", ".") + "/own", "w").close()
own = os.open(os.environ.get("TREADLE_JOB", ".") + "/own", os.O_RDONLY)
attempt("lease", lambda: fcntl.fcntl(own, 1024, fcntl.F_RDLCK))
attempt("notes of a folder", lambda: fcntl.fcntl(os.open(".", os.O_RDONLY), 1026, 2))
"""
    works_without(source, "seccomp")
    assert set(all_blocked(source)) == {"EPERM"}


SET_ID = """
open("tool", "w").close()
own = os.open("tool", os.O_RDONLY)
attempt("chmod", lambda: os.chmod("tool", 0o4755))
attempt("fchmod", lambda: os.fchmod(own, 0o2755))
attempt("open", lambda: os.open("tool2", os.O_WRONLY | os.O_CREAT, 0o4755))
attempt("mknod", lambda: os.mknod("tool3", 0o100000 | 0o4755))
"""


def test_no_set_id_program_is_left_for_others(all_blocked: Blocked, works_outside: Control) -> None:
    works_outside(SET_ID)
    assert set(all_blocked(SET_ID)) == {"EPERM"}


@pytest.mark.parametrize("without", ["", "seccomp"])
def test_no_set_id_program_is_left_in_a_kept_folder(tmp_path: Path, without: str) -> None:
    (tmp_path / "project").mkdir()
    policy = Policy(
        overlay=Overlay(str(tmp_path / "project"), str(tmp_path / "upper")), without=frozenset({without} - {""})
    )
    source = """
import os
for make in (lambda: os.chmod("tool", 0o4755), lambda: os.close(os.open("other", os.O_CREAT | os.O_WRONLY, 0o6755))):
    open("tool", "w").close()
    try:
        make()
    except PermissionError:
        pass
"""
    result = run([sys.executable, "-c", source], cwd=str(tmp_path / "project"), policy=policy)
    assert result.verdict == "ok", result
    set_id = [p.name for p in (tmp_path / "upper").iterdir() if p.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)]
    assert bool(set_id) == (without == "seccomp"), set_id


def test_no_stray_descriptor_takes_what_a_job_writes(all_blocked: Blocked) -> None:
    # No positive control: it is about numbers that a plain process does not have either. 3 was the pipe for trouble.
    source = """
attempt("trouble", lambda: os.write(3, b'["exec x", 2, "forged"]'))
attempt("any other", lambda: [os.write(n, b"x") for n in range(4, 1024)])
"""
    assert set(all_blocked(source)) == {"EBADF"}


def test_the_person_s_files_can_not_be_watched(all_blocked: Blocked, works_outside: Control, outside: Path) -> None:
    source = f"""
def watch(path):
    if libc.inotify_add_watch(libc.inotify_init(), path.encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "")
attempt("a folder", lambda: watch("{outside}"))
attempt("the machine's", lambda: watch("/etc/passwd"))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"ENOENT"}


def test_the_machine_s_shared_memory_is_another(all_blocked: Blocked, works_outside: Control) -> None:
    name = f"/dev/shm/treadle-test-{os.getpid()}"
    Path(name).write_text("of another")
    source = f"attempt('read', lambda: open({name!r}).read())\nattempt('stat', lambda: os.stat({name!r}))"
    try:
        works_outside(source)
        assert set(all_blocked(source)) == {"ENOENT"}
    finally:
        Path(name).unlink()
