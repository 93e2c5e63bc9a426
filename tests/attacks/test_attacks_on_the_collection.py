"""Files and names that the harness has to handle."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Result, run

Run = Callable[..., Result]


@pytest.mark.parametrize(
    "name", ["a\nb", "x" * 255, "\x1b[31m", "-rf", " ", "caf\u00e9", os.fsdecode(b"\xff\xfe"), "a\\b", "%s{}"]
)
def test_odd_names_are_only_names(attack: Run, name: str) -> None:
    source = f"os.chdir(os.environ['TREADLE_JOB'])\nopen(os.fsdecode({os.fsencode(name)!r}), 'w').write('content')"
    assert attack(source, collect=(name,)).files == {name: b"content"}


@pytest.mark.parametrize("name", ["x" * 256, "d/" * 3000 + "f"])
def test_names_that_no_file_can_have_are_not_found(attack: Run, name: str) -> None:
    result = attack("", collect=(name,))
    assert (result.verdict, result.files) == ("ok", {})


def test_a_file_of_a_terabyte_is_not_read(attack: Run) -> None:
    source = "os.truncate(os.open(os.environ['TREADLE_JOB'] + '/r', os.O_CREAT | os.O_RDWR), 1 << 40)"
    started = time.monotonic()
    result = attack(source, Limits.tier("quick", file_size=1 << 41), collect=("r",))
    assert (result.verdict, result.files) == ("ok", {})
    assert time.monotonic() - started < 10


def test_nobody_writes_any_more_when_a_file_is_read(attack: Run) -> None:
    source = """
path = os.environ["TREADLE_JOB"] + "/r"
if os.fork() == 0:
    os.setsid()
    while True:
        open(path, "a").write("x")
time.sleep(0.2)
"""
    first = attack(source, collect=("r",) * 1)
    assert first.verdict == "ok", first
    assert set(first.files["r"]) == {ord("x")}


def test_folders_links_and_swaps_in_place_of_the_file(attack: Run) -> None:
    source = """
os.chdir(os.environ["TREADLE_JOB"])
os.mkdir("folder"); os.symlink("/proc/self/mem", "mem"); os.symlink("loop", "loop"); os.symlink("/", "root")
os.symlink("/dev/zero", "zero"); os.symlink(os.environ["HOME"], "again"); open("secret", "w").close()
os.chmod("secret", 0)
"""
    names = ("folder", "mem", "loop", "root/usr/bin/env", "zero", "again/secret", ".", "..")
    result = attack(source, collect=names)
    assert (result.verdict, result.files) == ("ok", {})


@pytest.mark.parametrize(
    "argv", [["/" + "x" * 200_000], ["true", "x" * 3_000_000], ["true", *["y" * 1000] * 5000], ["é\n" * 3000]]
)
def test_what_is_too_long_to_start_is_told_at_once(argv: list[str], project: Path) -> None:
    # The reason, with the name in it, once was longer than the pipe that it is told through.
    result = run(argv, policy=Policy(overlay=Overlay(str(project))), limits=Limits.tier("quick", wall_s=10.0))
    assert (result.verdict, result.exit_code) in (("error", 126), ("error", 127)), str(result)[:500]
    assert result.wall_s < 5


def test_an_environment_that_is_too_large_is_told(project: Path) -> None:
    result = run(["true"], env={"X": "x" * 3_000_000}, policy=Policy(overlay=Overlay(str(project))))
    assert (result.verdict, result.exit_code) == ("error", 126), str(result)[:500]
