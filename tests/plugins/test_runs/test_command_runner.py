"""Any test command leaves a report, with the lines that the Python processes below it executed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from treadle.plugins.test_runs.runners import runner_script

PROGRAM = "import lib\n\ndef unused():\n    return 0\n\nlib.double(2)\nraise SystemExit(CODE)\n"
LIBRARY = "FACTOR = 2\n\ndef double(x):\n    return x * FACTOR\n"


@pytest.mark.parametrize(("code", "outcome"), [(0, "passed"), (3, "failed")])
def test_the_exit_code_is_kept_and_says_the_outcome(project: Any, code: int, outcome: str) -> None:
    ran = project.run("command", args=("sh", "-c", f"echo said; exit {code}"), nonce="n")
    assert ran.code == code and ran.outcomes == {"command": outcome} and "said" in ran.output
    assert ran.report.complete and ran.report.nonce == "n" and ran.report.runner == "command"


def test_a_signal_is_told_as_a_shell_tells_it(project: Any) -> None:
    ran = project.run("command", args=("sh", "-c", "kill -9 $$"))
    assert ran.code == 137 and ran.test("command").message == "signal 9 ended the command"


def test_a_command_that_is_not_there_is_no_pass(project: Any) -> None:
    ran = project.run("command", args=("no-such-command",))
    assert ran.code == 127 and "no-such-command" in ran.test("command").message


def test_a_command_that_takes_too_long_is_killed_with_what_it_started(project: Any) -> None:
    ran = project.run("command", args=("sh", "-c", "sleep 3600 & echo $!; wait"), test_timeout_s=1.0)
    assert ran.code == 124 and ran.outcomes == {"command": "failed"}
    with pytest.raises(ProcessLookupError):
        wait_until_gone(int(ran.output.split()[0]))


def wait_until_gone(pid: int) -> None:
    # The killed process is gone as soon as whoever adopted it has reaped it.
    for _ in range(100):
        os.kill(pid, 0)
        time.sleep(0.1)


def check_lines(project: Any, python: str) -> None:
    project.write(program=PROGRAM.replace("CODE", "1"), lib=LIBRARY)
    ran = project.run("command", python=python, args=("sh", "-c", "python program.py"), trace=True)
    assert ran.code == 1, ran.output
    assert ran.test("command").lines == {"program.py": (1, 3, 6, 7), "lib.py": (4,)}
    assert ran.report.imported == {"lib.py": (1, 3)} and ran.report.outside == ()


def test_the_lines_of_python_processes_below_are_seen(project: Any) -> None:
    check_lines(project, sys.executable)


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13"])
def test_the_lines_are_the_same_under_every_python(
    project: Any, version: str, find_python: Callable[[str], str]
) -> None:
    check_lines(project, find_python(version))


def test_the_lines_of_forked_workers_are_seen(project: Any) -> None:
    project.write(
        lib=LIBRARY,
        program="import multiprocessing, lib\nprocess = multiprocessing.get_context('fork').Process(\n"
        "    target=lib.double, args=(1,))\nprocess.start()\nprocess.join()\n",
    )
    assert project.run("command", args=(sys.executable, "program.py"), trace=True).test("command").lines["lib.py"] == (
        4,
    )


def test_an_untraced_command_has_no_lines(project: Any) -> None:
    project.write(program=PROGRAM.replace("CODE", "0"), lib=LIBRARY)
    ran = project.run("command", args=(sys.executable, "program.py"))
    assert ran.test("command").lines == {} and ran.code == 0


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13"])
@pytest.mark.parametrize("runner", ["pytest", "command", "child"])
def test_each_runner_is_source_that_old_pythons_understand(
    runner: str, version: str, find_python: Callable[[str], str]
) -> None:
    check = "import sys; compile(sys.stdin.read(), 'runner', 'exec')"
    text = runner_script(runner)
    assert "import treadle" not in text and "from treadle" not in text
    subprocess.run([find_python(version), "-c", check], input=text, text=True, check=True)
