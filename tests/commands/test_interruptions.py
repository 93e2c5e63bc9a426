"""What happens to a real `treadle fix` that is interrupted, killed, or run twice at once."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.commands import started_commands

GONE_WITHIN_S = 10
"""Far more than a stop may take; the time that it does take is asserted where it is promised."""


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def start(treadle: Any, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        treadle.command(*arguments),
        cwd=treadle.folder,
        env=treadle.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def read_until(process: subprocess.Popen[bytes], wanted: Callable[[Any], bool]) -> None:
    """Read the JSON lines of a run until one is what is waited for."""
    assert process.stdout is not None
    for line in process.stdout:
        if wanted(json.loads(line)):
            return
    raise AssertionError("the run ended before what was waited for")


def starts(stage: str) -> Callable[[Any], bool]:
    return lambda event: event["kind"] == "stage.started" and event["data"]["stage"] == stage


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def all_gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=GONE_WITHIN_S)
    return not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("stage", ["plan", "baseline", "generate", "execute", "validate"])
def test_ctrl_c_at_any_stage_leaves_nothing_behind_and_the_session_goes_on_later(
    treadle: Any, project: Path, stage: str
) -> None:
    before = snapshot(project)
    process = start(treadle, "fix", "--json")
    read_until(process, starts(stage))
    time.sleep(0.2)
    children = family(process)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    if process.returncode == 0:
        # The stage and all that follows it were done before the signal came.
        assert json.loads(rest.splitlines()[-1])["state"] == "SOLVED"
    else:
        assert process.returncode == 130
        (listed,) = treadle("sessions", "--json").lines[0]
        # It may have come to its end in the moment in which the signal came.
        assert listed["state"] in ("STOPPED", "SOLVED")
        assert not listed["running"]
    assert all_gone(children)
    assert snapshot(project) == before
    resumed = treadle("resume", "last", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.result["files"] == ["stats.py"]


def test_a_killed_run_leaves_no_process_and_is_resumed_without_doing_again_what_was_done(
    treadle: Any, project: Path
) -> None:
    process = start(treadle, "fix", "--json")
    read_until(process, starts("generate"))
    read_until(process, lambda event: event["kind"] == "execute.started")
    children = family(process)
    process.kill()
    process.wait()
    assert all_gone(children)
    (listed,) = treadle("sessions", "--json").lines[0]
    assert listed["interrupted"] is True
    resumed = treadle("resume", "--json")
    assert resumed.code == 0, resumed.err
    stages = [event["data"]["stage"] for event in resumed.lines if event["kind"] == "stage.finished"]
    assert "baseline" not in stages, "it was finished before"
    assert "+    return max(values) - min(values)" in resumed.result["patch"]


def test_two_programs_on_one_project_do_not_harm_each_other(treadle: Any, project: Path) -> None:
    before = snapshot(project)
    both = [start(treadle, "fix", "--json") for _ in range(2)]
    results = [json.loads(process.communicate(timeout=300)[0].splitlines()[-1]) for process in both]
    assert [result["state"] for result in results] == ["SOLVED", "SOLVED"]
    assert results[0]["session"] != results[1]["session"]
    assert results[0]["patch"] == results[1]["patch"]
    assert snapshot(project) == before


def test_a_session_at_work_can_not_be_resumed_by_another_program(treadle: Any, project: Path) -> None:
    (project / "test_slow.py").write_text("import time\n\n\ndef test():\n    time.sleep(60)\n")
    process = start(treadle, "fix", "--json")
    read_until(process, starts("baseline"))
    try:
        ran = treadle("resume", "last")
        assert ran.code == 1
        assert str(process.pid) in ran.err
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def run_on_terminal(
    treadle: Any, *arguments: str, answer: bytes, question: bytes = b"Apply this patch?"
) -> tuple[str, int]:
    """The command on a terminal of 80 columns; `answer` is typed each time it asks the question."""
    env = {**treadle.env, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with started_commands.on_terminal(treadle.command(*arguments), treadle.folder, env) as (terminal, ending):
        seen = b""
        answered = 0
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                if answered and answer == b"\x03":
                    # Python sleeps on over a signal that comes between its last look at signals and its wait for a key.
                    os.write(terminal, answer)
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            seen += data
            if seen.count(question) > answered:
                os.write(terminal, answer)
                answered += 1
        return seen.decode("utf-8", "replace"), ending()


def test_on_a_terminal_a_line_shows_the_progress_and_the_patch_is_applied_when_accepted(
    treadle: Any, project: Path
) -> None:
    shown, code = run_on_terminal(treadle, "fix", answer=b"y\n")
    assert code == 0
    drawn = [line for line in re.split(r"\r\x1b\[2K", shown) if re.match(r"\d\d:\d\d  ", line)]
    assert any("baseline" in line for line in drawn)
    assert any(re.search(r"\d+ / \d+", line) for line in drawn), "candidates tried / total"
    assert all(len(line.split("\r")[0].rstrip()) < 80 for line in drawn)
    assert "max(values) - min(values)" in (project / "stats.py").read_text()


def test_on_a_terminal_nothing_is_applied_when_it_is_not_accepted(treadle: Any, project: Path) -> None:
    before = snapshot(project)
    _, code = run_on_terminal(treadle, "fix", answer=b"\n")
    assert code == 0
    assert snapshot(project) == before
