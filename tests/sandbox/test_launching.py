"""A server that is launched ahead: used by the next that needs one, ended with its program, no one else's in a fork."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from treadle import sandbox
from treadle.sandbox import launching


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    sandbox.close_idle()
    yield
    sandbox.close_idle()


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}


def test_the_next_run_uses_it() -> None:
    before = children()
    sandbox.prepare()
    (ahead,) = children() - before
    assert sandbox.run(["/bin/true"]).verdict == "ok"
    assert children() - before == {ahead}
    sandbox.close_idle()
    assert children() <= before


def test_no_second_one_is_launched_while_one_waits() -> None:
    before = children()
    for _ in range(3):
        sandbox.prepare()
    assert len(children() - before) == 1
    sandbox.close_idle()
    assert children() <= before


def test_one_that_was_ended_meanwhile_is_replaced() -> None:
    before = children()
    sandbox.prepare()
    (ahead,) = children() - before
    os.kill(ahead, signal.SIGKILL)
    psutil.Process(ahead).wait(5)
    assert sandbox.run(["/bin/true"]).verdict == "ok"


def test_what_it_does_is_what_any_other_does() -> None:
    policy = sandbox.Policy(read=("/etc",))
    command = [sys.executable, "-c", "import os; print(os.getcwd(), sorted(os.environ), os.listdir('/etc') != [])"]
    plain = sandbox.run(command, policy=policy)
    sandbox.close_idle()
    sandbox.prepare()
    prepared = sandbox.run(command, policy=policy)
    assert (prepared.verdict, prepared.stdout.head, prepared.layers) == ("ok", plain.stdout.head, plain.layers)


def test_it_ends_with_its_program_however_that_ends() -> None:
    program = (
        "import os, psutil\nfrom treadle import sandbox\nsandbox.prepare()\n"
        "print(psutil.Process().children()[0].pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    pid = int(ended.stdout)
    gone, _ = psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=10)
    assert gone or not psutil.pid_exists(pid)


def test_a_fork_has_none_and_leaves_the_other_one_alone() -> None:
    before = children()
    sandbox.prepare()
    (ahead,) = children() - before
    pid = os.fork()
    if pid == 0:
        os._exit(0 if launching._ahead.take() is None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert sandbox.run(["/bin/true"]).verdict == "ok"
    assert ahead in children()
