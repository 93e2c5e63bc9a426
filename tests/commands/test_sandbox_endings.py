"""How `treadle sandbox` ends when it is interrupted, or nobody reads it any more: quietly, and with nothing left."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from typing import Any

import psutil
import pytest

# Strikes as soon as a module is looked for: at a known place of the start, and not after some time.
STRUCK_AT = """
import os, signal, sys
class Strike:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Strike())
sys.argv = ["treadle", "sandbox", "--", "sleep", "30"]
from treadle.__main__ import main
main()
"""
# Strikes when the server has just been started.
STRUCK_AT_THE_SERVER = """
import os, signal, subprocess, sys
class Struck(subprocess.Popen):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        print(self.pid, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
subprocess.Popen = Struck
sys.argv = ["treadle", "sandbox", "--", "sleep", "30"]
from treadle.__main__ import main
main()
"""


def run_source(treadle: Any, source: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", source]
    return subprocess.run(command, cwd=treadle.folder, env=treadle.env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "module",
    [
        "treadle.tui.cli",
        "click",
        "treadle.core.errors",
        "msgspec",
        "treadle.tui.commands.sandbox",
        "treadle.sandbox",
        "treadle.sandbox.run",
    ],
)
def test_ctrl_c_while_it_starts_ends_it_quietly(treadle: Any, module: str) -> None:
    ran = run_source(treadle, STRUCK_AT.format(module=module))
    assert (ran.returncode, ran.stdout) == (130, ""), ran
    assert ran.stderr.strip() in ("", "treadle: interrupted")


def test_ctrl_c_while_its_server_starts_ends_both(treadle: Any) -> None:
    ran = run_source(treadle, STRUCK_AT_THE_SERVER)
    assert (ran.returncode, ran.stderr.strip()) == (130, "treadle: interrupted")
    (server,) = map(int, ran.stdout.split())
    assert not psutil.pid_exists(server)


def test_ctrl_c_while_the_command_runs_leaves_nothing(treadle: Any) -> None:
    started = subprocess.Popen(
        treadle.command("sandbox", "--", "sh", "-c", "echo runs; sleep 30"),
        cwd=treadle.folder,
        env=treadle.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with started:
        assert started.stdout is not None
        assert started.stderr is not None
        assert started.stdout.readline() == b"runs\n"
        below = psutil.Process(started.pid).children(recursive=True)
        assert below
        started.send_signal(signal.SIGINT)
        assert started.wait(30) == 130
        assert started.stderr.read().strip() == b"treadle: interrupted"
    assert not psutil.wait_procs(below, timeout=10)[1]


def test_ctrl_c_ends_it_while_it_waits_for_a_reader(treadle: Any) -> None:
    reader, writer = os.pipe()
    started = subprocess.Popen(
        treadle.command("sandbox", "--", "cat", "/dev/zero"),
        cwd=treadle.folder,
        env=treadle.env,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    with started:
        try:
            assert started.stderr is not None
            until = time.monotonic() + 30
            while select.select([], [writer], [], 0)[1]:  # until the pipe is full
                assert time.monotonic() < until
                time.sleep(0.01)
            started.send_signal(signal.SIGINT)
            # The reader must be there until the Ctrl-C was heard, or the two could not be told apart.
            assert select.select([started.stderr], [], [], 30)[0], "it goes on waiting for its reader"
        finally:
            os.close(writer)
            os.close(reader)
        assert started.wait(30) == 130
        assert started.stderr.read().strip() == b"treadle: interrupted"


@pytest.mark.parametrize(("command", "stream"), [("yes", "stdout"), ("yes >&2", "stderr")])
def test_a_reader_that_leaves_ends_it_as_it_ends_other_programs(treadle: Any, command: str, stream: str) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = subprocess.Popen(
        treadle.command("sandbox", "--", "sh", "-c", command),
        cwd=treadle.folder,
        env=treadle.env,
        stdin=subprocess.DEVNULL,
        **pipes,
    )
    with started:
        read, other = (started.stdout, started.stderr)[:: 1 if stream == "stdout" else -1]
        assert read is not None
        assert other is not None
        assert read.readline() == b"y\n"
        read.close()
        assert started.wait(30) == 128 + signal.SIGPIPE
        assert other.read() == b""
