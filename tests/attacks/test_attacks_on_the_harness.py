"""What a job leaves behind, what it says of itself, and what happens when somebody dies."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from treadle.sandbox import Limits, Overlay, Policy, Pool, Result, Script, run

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]

DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(0.1)
    os._exit(0)
time.sleep(0.2)
print("done", flush=True)
"""


def test_a_daemon_that_holds_the_pipe_neither_survives_nor_delays(attack: Run, survivors: Survivors) -> None:
    result = attack(DAEMON)
    assert (result.verdict, result.stdout.data) == ("ok", b"done\n")
    assert result.wall_s < 15
    assert survivors() == []


def test_cancelling_ends_the_whole_tree_at_once(attack: Run, survivors: Survivors) -> None:
    cancel, seen = threading.Event(), []

    def cancel_once_both_run() -> None:
        until = time.monotonic() + 15
        while len(seen) < 2 and time.monotonic() < until:
            time.sleep(0.05)
            seen[:] = survivors()
        cancel.set()

    canceller = threading.Thread(target=cancel_once_both_run)
    canceller.start()
    result = attack(DAEMON + "time.sleep(600)", Limits.tier("quick", wall_s=60.0), cancel=cancel)
    canceller.join()
    assert len(seen) >= 2, "the job and its daemon"
    assert result.verdict == "killed", result
    assert survivors() == []


def test_only_plain_files_are_collected(attack: Run, outside: Path) -> None:
    source = f"""
os.chdir(os.environ["TREADLE_JOB"])
open("plain", "w").write("content")
os.symlink("{outside}/notes.txt", "link")
os.symlink("{outside}", "folder")
os.mkdir("nested"); open("nested/deep", "w").write("deep")
"""
    names = ("plain", "link", "folder/notes.txt", "nested", "nested/deep", "missing", "../escape", "/etc/passwd", "")
    result = attack(source, collect=names)
    assert result.files == {"plain": b"content", "nested/deep": b"deep"}, result


def test_a_fifo_does_not_hang_the_collection(project: Path) -> None:
    # Landlock forbids to make one, so without it: opening it as a plain reader would wait for ever.
    policy = Policy(without=frozenset({"landlock"}))
    source = "import os; os.mkfifo(os.environ['TREADLE_JOB'] + '/report.json')"
    result = run([sys.executable, "-c", source], policy=policy, collect=("report.json",))
    assert (result.verdict, result.files) == ("ok", {})


def test_a_collected_file_is_bounded(attack: Run) -> None:
    source = "open(os.environ['TREADLE_JOB'] + '/r', 'wb').truncate(100 << 20)"
    result = attack(source, Limits.tier("quick", file_size=200 << 20), collect=("r",))
    assert (result.verdict, result.files) == ("ok", {})


def test_laying_files_follows_no_link_of_the_project(tmp_path: Path, outside: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "out").symlink_to(outside)
    (project / "notes").symlink_to(outside / "notes.txt")
    policy = Policy(overlay=Overlay(str(project)))
    through = run(["true"], policy=policy, cwd=str(project), files={"out/planted": b"x"})
    assert through.verdict == "refused", through
    replaced = run(["cat", "notes"], policy=policy, cwd=str(project), files={"notes": b"replaced\n"})
    assert replaced.stdout.data == b"replaced\n", replaced
    assert (outside / "notes.txt").read_text() == "do not touch\n"
    assert not (outside / "planted").exists()


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "."])
def test_names_that_climb_are_refused(project: Path, policy: Policy, name: str) -> None:
    result = run(["true"], policy=policy, cwd=str(project), files={name: b"x"})
    assert result.verdict == "refused", result


def test_a_job_does_not_find_what_an_earlier_one_left(attack: Run) -> None:
    leave = """
for folder in (".", os.environ["HOME"], "/dev/shm"):
    open(folder + "/left", "w").close()
sys.modules["os"].planted = True
"""
    assert attack(leave).verdict == "ok"
    look = """
print([os.path.exists(folder + "/left") for folder in (".", os.environ["HOME"], "/dev/shm")], hasattr(os, "planted"))
"""
    assert attack(look).stdout.data == b"[False, False, False] False\n"


def test_a_job_holds_no_descriptor_but_its_streams(attack: Run) -> None:
    source = """
open_ones = []
for number in range(200):
    try:
        os.fstat(number)
        open_ones.append(number)
    except OSError:
        pass
print(open_ones)
"""
    result = attack(source)
    assert json.loads(result.stdout.data) == [0, 1, 2], result


def test_an_exit_code_and_a_printed_report_are_only_the_job_s_own_word(attack: Run) -> None:
    # A candidate and its reporter share a process, so this class can't be closed: what can be held is that the
    # verdict is about the exit alone, and that a report that was not written is not there.
    result = attack("print('{\"complete\": true}'); os._exit(0)", collect=("report.json",))
    assert (result.verdict, result.files) == ("ok", {})


def test_a_forged_record_of_the_server_is_only_text(attack: Run) -> None:
    source = r"os.write(1, struct.pack('=II', 20, 0) + b'{\"verdict\": \"ok\"}'); sys.exit(3)"
    result = attack(source)
    assert (result.verdict, result.exit_code) == ("error", 3)


@pytest.mark.parametrize("victim", ["server", "zygote"])
def test_a_pool_outlives_its_server(policy: Policy, victim: str) -> None:
    others = set(psutil.Process().children())
    with Pool(workers=1, policy=policy) as pool:
        assert pool.run(Script("print(1)")).verdict == "ok"
        (server,) = set(psutil.Process().children()) - others
        (zygote,) = server.children()
        killed = server if victim == "server" else zygote
        killed.kill()
        psutil.wait_procs([zygote], timeout=20)
        assert not killed.is_running() or killed.status() == psutil.STATUS_ZOMBIE
        again = pool.run(Script("print(2)"))
        if again.verdict == "killed":
            again = pool.run(Script("print(2)"))
        assert again.stdout.data == b"2\n", again
        (serving,) = set(psutil.Process().children()) - others
        assert [child.is_running() for child in serving.children()] == [True]
        assert zygote not in serving.children()
        assert victim == "zygote" or serving != server


def test_git_in_what_a_job_left_runs_nothing_of_it(project: Path, policy: Policy, tmp_path: Path) -> None:
    upper = tmp_path / "upper"
    kept = Policy(overlay=Overlay(str(project), str(upper)))
    plant = """
mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch /tmp/owned' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout
printf '[core]\\n\\tfsmonitor = "touch owned"\\n' > .git/config
"""
    assert run(["sh", "-c", plant], policy=kept, cwd=str(project)).verdict == "ok"
    # It lies in the upper folder alone: the person's tree, in which git would read it, has none of it.
    assert (upper / ".git" / "config").exists()
    assert not (project / ".git").exists()
