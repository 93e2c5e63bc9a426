"""What can't be run as asked is refused with its reason, and what changed under a server is seen."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treadle.sandbox import Command, Overlay, Policy, Pool, Process, Script, run
from treadle.sandbox.server import nursery

PRINTS = "print(open({!r}).read())"


@pytest.mark.parametrize(("place", "why"), [("nowhere", "does not exist"), ("file", "is no folder")])
def test_a_folder_that_is_none_is_named(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "file").touch()
    folder = str(tmp_path / place)
    results = [run(["true"], cwd=folder), run(["true"], policy=Policy(overlay=Overlay(folder)))]
    with Pool(workers=1, cwd=folder) as pool:
        results.append(pool.run("pass"))
    for result in results:
        assert result.verdict == "refused"
        assert folder in result.message
        assert why in result.message


def test_a_relative_folder_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(["pwd"], cwd="sub").stdout.data.decode().strip() == str(tmp_path / "sub")
    with Pool(workers=1, policy=Policy(read=(str(tmp_path),))) as pool:
        assert pool.run(Command(("pwd",), cwd="sub")).stdout.data.decode().strip() == str(tmp_path / "sub")


def test_paths_may_be_path_objects_where_the_sandbox_makes_text_of_them(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("said")
    result = run(["cat", tmp_path / "text"], cwd=tmp_path, policy=Policy(read=(str(tmp_path),)))
    assert result.stdout.data == b"said"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"read": "/usr"}, "read is a collection"),
        ({"require": "landlock"}, "require is a collection"),
        ({"write": (Path("/tmp"),)}, r"write str\(path\)"),
        ({"overlay": "/tmp"}, "write Overlay"),
    ],
)
def test_a_policy_of_another_kind_says_what_to_write(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Policy(**arguments)


def test_a_list_does_as_well() -> None:
    listed = Policy(read=["/opt"], require={"landlock"})  # type: ignore[arg-type]
    assert listed == Policy(read=("/opt",), require=frozenset({"landlock"}))
    assert hash(listed)


def test_an_argument_of_another_kind_is_named() -> None:
    with Pool(workers=1) as pool, pytest.raises(TypeError, match="not 5"):
        pool.run(Command(("echo", 5)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="int"):
        run(["echo", 5])  # type: ignore[list-item]


def test_a_file_that_is_replaced_is_seen_by_the_next_job(tmp_path: Path) -> None:
    shown, other = tmp_path / "shown", tmp_path / "other"
    shown.write_text("old")
    with Pool(workers=1, policy=Policy(read=(str(shown),))) as pool:
        assert pool.run(PRINTS.format(str(shown))).stdout.data == b"old\n"
        other.write_text("new")
        other.replace(shown)
        assert pool.run(PRINTS.format(str(shown))).stdout.data == b"new\n"


def test_modules_that_never_end_to_be_imported_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "_START_S", 0.1)
    ours, zygote = socket.socketpair()
    harness, other = socket.socketpair()
    with ours, zygote, harness, other:
        assert "importing neverending ahead took longer" in nursery._wait_until_ready(
            ours, harness.fileno(), ["neverending"]
        )
        other.close()
        assert "gone away" in nursery._wait_until_ready(ours, harness.fileno(), [])


def in_a_fork(action: Callable[[], object]) -> str:
    """What the action raises in a fork of this process, as text; "" for nothing, "hung" when it takes too long."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.alarm(10)
            action()
        except Exception:  # noqa: BLE001 - told to the test
            os.write(write_end, traceback.format_exc()[-2000:].encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as told:
        text = told.read().decode()
    return text if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0 else "hung"


def test_a_fork_is_told_that_the_pool_is_not_its_own() -> None:
    with Pool(workers=1) as pool:
        assert pool.run("pass").ok
        for action in (lambda: pool.run("pass"), lambda: pool.submit("pass"), pool.warm):
            assert "belongs to the process that made it" in in_a_fork(action)
        assert in_a_fork(pool.close) == ""
        assert pool.run("pass").ok  # the fork has ended nothing


def test_a_fork_does_not_wait_for_a_command_of_another_process() -> None:
    with Process([sys.executable, "-c", "input()"]) as process:
        assert "another process" in in_a_fork(process.wait)
        assert "another process" in in_a_fork(lambda: list(process))


def test_a_fork_holds_no_server(tmp_path: Path) -> None:
    """Else a server would not see that its own harness has gone, for as long as the fork lives."""
    with Pool(workers=1) as pool:
        assert pool.run("pass").ok
        read_end, write_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(write_end)
            os.read(read_end, 1)
            os._exit(0)
        began = time.monotonic()
        pool.close()
        took = time.monotonic() - began
        os.close(write_end)
        os.close(read_end)
        os.waitpid(pid, 0)
    assert took < 4, "the server was waited for, and killed after 5 s"


def test_a_folder_that_only_jobs_see_can_be_worked_in(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    policy = Policy(overlay=Overlay(str(project)), require=frozenset({"overlay"}))
    result = run(["ls"], cwd=project / "new", files={"new/file": b"x"}, policy=policy)
    if result.verdict == "refused" and "overlay" in result.message:
        pytest.skip("this machine has no overlay: treadle doctor says why")
    assert result.stdout.data == b"file\n", result


def test_what_can_not_be_executed_is_named_and_the_server_lives_on() -> None:
    too_long = "a" * 200_000
    with Pool(workers=1) as pool:
        result = pool.run(Script("pass", env={"PYTHONHASHSEED": "0", "X": too_long}))
        assert (result.verdict, result.exit_code) == ("error", 126)
        assert "Argument list too long" in result.message
        assert pool.run("pass").ok
    odd = run(["echo", "\ud800"])
    assert odd.verdict == "error"
    assert "surrogates not allowed" in odd.message


@pytest.mark.parametrize("kind", ["unconnected", "datagrams", "network", "closed"])
def test_a_socket_that_leads_elsewhere_is_not_handed_over(kind: str) -> None:
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    made = {
        "unconnected": lambda: socket.socket(socket.AF_UNIX),
        "datagrams": lambda: pair[0],
        "network": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "closed": closed,
    }[kind]()
    with made, pair[0], pair[1], pytest.raises(ValueError, match="socketpair"):
        run(["cat"], stdin=made)


def closed() -> socket.socket:
    ours, other = socket.socketpair()
    ours.close()
    other.close()
    return ours


@pytest.mark.parametrize("content", ["text", 5])
def test_the_content_of_a_file_is_bytes(content: object) -> None:
    with pytest.raises(TypeError, match="'name' must be bytes"):
        run(["true"], files={"name": content})  # type: ignore[dict-item]
