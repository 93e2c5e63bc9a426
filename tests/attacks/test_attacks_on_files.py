"""Files outside of the project: not read, not written, not even seen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.strays import VARIABLES

Blocked = Callable[..., list[str]]
Control = Callable[[str], None]
UNSEEN = {"ENOENT", "EACCES"}
UNTOUCHED = {"ENOENT", "EACCES", "EROFS", "EPERM", "EXDEV"}


def test_secrets_can_not_be_read(all_blocked: Blocked, works_outside: Control, outside: Path) -> None:
    source = f"""
attempt("key", lambda: open("{outside}/.ssh/id_ed25519").read())
attempt("list", lambda: os.listdir("{outside}"))
attempt("passwd", lambda: open("/etc/passwd").read())
attempt("root", lambda: os.listdir("/"))
"""
    works_outside(source)
    assert set(all_blocked(source)) <= UNSEEN


def test_not_even_stat_tells_of_what_is_outside(all_blocked: Blocked, works_outside: Control, outside: Path) -> None:
    source = f"""
attempt("stat", lambda: os.stat("{outside}/notes.txt"))
attempt("lstat", lambda: os.lstat("{outside}"))
attempt("access", lambda: os.stat("/etc/passwd"))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"ENOENT"}


def test_other_processes_can_not_be_looked_into(all_blocked: Blocked, works_outside: Control) -> None:
    source = f"""
attempt("environ", lambda: open("/proc/{os.getpid()}/environ", "rb").read())
attempt("cmdline", lambda: open("/proc/{os.getpid()}/cmdline", "rb").read())
attempt("mem", lambda: open("/proc/{os.getpid()}/mem", "rb").close())
attempt("init", lambda: open("/proc/1/cmdline", "rb").read())
attempt("kernel", lambda: open("/proc/version").read())
"""
    works_outside(source)
    assert set(all_blocked(source)) <= UNSEEN


def test_nothing_outside_can_be_changed(all_blocked: Blocked, works_outside: Control, outside: Path) -> None:
    victim = outside / "victim.txt"
    source = f"""
attempt("write", lambda: open("{victim}", "w").close())
attempt("append", lambda: open("{victim}", "a").close())
attempt("truncate", lambda: os.truncate("{victim}", 0))
attempt("chmod", lambda: os.chmod("{victim}", 0o777))
attempt("utime", lambda: os.utime("{victim}", (0, 0)))
attempt("new", lambda: open("{outside}/new.txt", "w").close())
attempt("mkdir", lambda: os.mkdir("{outside}/new"))
attempt("rename", lambda: os.rename("{victim}", "{outside}/renamed.txt"))
attempt("link", lambda: os.link("{outside}/notes.txt", "{outside}/linked.txt"))
attempt("unlink", lambda: os.unlink("{outside}/renamed.txt"))
attempt("xattr", lambda: os.setxattr("{outside}/notes.txt", "user.x", b"1"))
"""
    victim.write_text("as it was\n")
    before = victim.stat().st_mtime_ns
    assert set(all_blocked(source)) <= UNTOUCHED
    assert (victim.read_text(), victim.stat().st_mtime_ns) == ("as it was\n", before)
    assert sorted(p.name for p in outside.iterdir()) == [".ssh", "notes.txt", "victim.txt"]
    works_outside(source)
    for made in ("new.txt", "linked.txt"):
        (outside / made).unlink()
    (outside / "new").rmdir()


def test_the_system_can_not_be_changed(all_blocked: Blocked) -> None:
    # No positive control: it would change the machine.
    source = """
attempt("etc", lambda: open("/etc/ld.so.preload", "w").close())
attempt("usr", lambda: open("/usr/bin/planted", "w").close())
attempt("tmp", lambda: open("/tmp/planted", "w").close())
attempt("root", lambda: os.mkdir("/planted"))
attempt("dev", lambda: open("/dev/planted", "w").close())
attempt("chmod", lambda: os.chmod("/usr/bin", 0o777))
attempt("utime", lambda: os.utime("/usr/bin/env", (0, 0)))
attempt("xattr", lambda: os.setxattr("/usr/bin/env", "user.x", b"1"))
"""
    assert set(all_blocked(source)) <= UNTOUCHED


def test_links_and_renames_lead_nowhere(all_blocked: Blocked, outside: Path) -> None:
    source = f"""
os.symlink("{outside}", "way_out")
attempt("through a link", lambda: os.listdir("way_out"))
attempt("write through a link", lambda: open("way_out/new.txt", "w").close())
attempt("hard link in", lambda: os.link("{outside}/notes.txt", "taken.txt"))
attempt("rename in", lambda: os.rename("{outside}/notes.txt", "taken.txt"))
attempt("rename out", lambda: os.rename("module.py", "{outside}/given.py"))
attempt("dots", lambda: open("../../../../../../../../etc/passwd").read())
attempt("own root", lambda: os.chroot("."))
"""
    assert set(all_blocked(source)) <= UNTOUCHED
    assert (outside / "notes.txt").read_text() == "do not touch\n"


def test_no_fifo_socket_or_device_is_left_in_the_project(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
attempt("fifo", lambda: os.mkfifo("fifo"))
attempt("socket", lambda: os.mknod("socket", 0o140600))
"""
    works_outside(source)
    assert set(all_blocked(source)) <= {"EACCES", "EPERM"}


def test_the_environment_holds_nothing_of_the_harness(
    attack: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    result = attack("print(sorted(os.environ))")
    names = set(eval(result.stdout.data)) - VARIABLES.keys()  # type: ignore[attr-defined]
    assert names <= {
        "PATH", "PWD", "HOME", "TMPDIR", "TREADLE_JOB", "LANG", "LC_CTYPE", "USER", "LOGNAME",
        "PYTHONDONTWRITEBYTECODE", "OPENSSL_CONF",
    }  # fmt: skip
