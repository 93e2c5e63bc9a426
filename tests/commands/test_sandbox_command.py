from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["true"], 0),
        (["sh", "-c", "exit 7"], 7),
        (["no-such-command-here"], 127),
        (["/usr"], 126),
        (["sh", "-c", "kill -KILL $$"], 137),
        (["sh", "-c", "kill -TERM $$"], 143),
    ],
)
def test_the_exit_code_is_the_commands_own_as_shells_give_it(treadle: Any, command: list[str], code: int) -> None:
    assert treadle("sandbox", "--", *command).code == code


def test_a_limit_that_ends_it_gives_124_as_timeout_does(treadle: Any) -> None:
    ran = treadle("sandbox", "--wall", "0.5", "--", "sleep", "30")
    assert ran.code == 124
    assert "timeout" in ran.err


def test_a_layer_that_nobody_knows_is_a_usage_error(treadle: Any) -> None:
    ran = treadle("sandbox", "--require", "no-such-layer", "--", "true")
    assert ran.code == 2
    assert "no-such-layer" in ran.err
    assert "landlock" in ran.err


def test_output_and_input_pass_through(treadle: Any) -> None:
    ran = treadle("sandbox", "--", "sh", "-c", "cat; echo oops >&2", stdin="hello\n")
    assert (ran.out, ran.err, ran.code) == ("hello\n", "oops\n", 0)


def test_the_folder_can_be_read_but_not_written_and_home_is_not_there(treadle: Any, project: Path) -> None:
    assert "def spread" in treadle("sandbox", "--", "cat", "stats.py").out
    assert treadle("sandbox", "--", "sh", "-c", "echo x > stats.py").code != 0
    assert "def spread" in (project / "stats.py").read_text()
    assert treadle("sandbox", "--", "ls", str(Path.home())).code != 0


def test_a_path_can_be_opened_for_writing(treadle: Any, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o777)
    ran = treadle("sandbox", "--write", str(place), "--", "sh", "-c", f"echo made > {place}/file")
    assert ran.code == 0, ran.err
    assert (place / "file").read_text() == "made\n"


def test_only_the_named_variables_are_handed_over(treadle: Any) -> None:
    ran = treadle("sandbox", "--env", "MINE", "--env", "SET=1", "--", "env", MINE="yes", SECRET_TOKEN="hidden")
    assert "MINE=yes" in ran.out
    assert "SET=1" in ran.out
    assert "hidden" not in ran.out
    assert treadle("sandbox", "--env", "NOT_THERE", "--", "true").code == 2


def test_the_report_names_the_layers(treadle: Any) -> None:
    ran = treadle("sandbox", "--report", "--", "true")
    assert "rlimits" in ran.err
    assert ran.out == ""


def test_what_can_not_be_executed_is_named(treadle: Any, project: Path) -> None:
    (project / "noise").write_bytes(b"\x00\x01")
    (project / "noise").chmod(0o755)
    for command, code in (("./noise", 126), (".", 126), ("no-such-command", 127)):
        ran = treadle("sandbox", "--", command)
        assert (ran.code, f"can't execute '{command}'" in ran.err) == (code, True), ran.err


def test_a_command_answers_while_its_input_is_open(treadle: Any) -> None:
    started = subprocess.Popen(
        treadle.command("sandbox", "--", "cat"),
        cwd=treadle.folder,
        env=treadle.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert started.stdin is not None
    assert started.stdout is not None
    with started:
        for word in (b"one\n", b"two\n"):
            started.stdin.write(word)
            started.stdin.flush()
            assert started.stdout.readline() == word
        started.stdin.close()
        assert started.wait(30) == 0


def test_a_command_that_reads_nothing_ends_while_its_input_is_open(treadle: Any) -> None:
    read_end, write_end = os.pipe()
    command = treadle.command("sandbox", "--", "echo", "done")
    ran = subprocess.run(
        command, cwd=treadle.folder, env=treadle.env, stdin=read_end, capture_output=True, timeout=60, check=False
    )
    os.close(read_end)
    os.close(write_end)
    assert (ran.returncode, ran.stdout) == (0, b"done\n")
