"""The limits of `treadle sandbox`: as flags, in the report, and in what is said when one ended the command."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner

from treadle.sandbox import Limits, Result, Stream
from treadle.tui.commands.sandbox import sandbox
from treadle.tui.sandboxing.limit_flags import FLAGS, TIERS, in_force, over_limit

EVERY_LAYER = ("memory", "mountns", "rlimits")


def said(treadle: Any, *arguments: str) -> str:
    """The last line that is Treadle's own."""
    return str(treadle("sandbox", *arguments).err.splitlines()[-1])


def test_every_limit_that_a_person_can_meet_has_a_flag() -> None:
    assert {each.limit for each in FLAGS} == set(vars(Limits())) - {"keep"}, "`keep` is for programs that ask later"


def test_the_help_shows_each_limit_in_each_tier(treadle: Any) -> None:
    shown = " ".join(treadle("sandbox", "--help").out.split())
    assert "--memory SIZE Memory of all its processes. [512M / 2G / 8G]" in shown
    for each in FLAGS:
        assert " / ".join(each.shown(Limits.tier(tier)) for tier in TIERS) in shown


def test_the_report_names_the_limits_in_force(treadle: Any) -> None:
    ran = treadle("sandbox", "--report", "--tier", "quick", "--memory", "300M", "--wall", "1m", "--", "true")
    shown = " ".join(ran.err.split())
    assert "limits: --wall 60 --cpu 30 --memory 300M --output 8M --disk 128M --file-size 64M" in shown
    assert "--processes 64 --open-files 256" in shown
    assert all(len(line) <= 80 for line in ran.err.splitlines())
    assert not re.search(r"(--[\w-]*|-)$", ran.err, re.MULTILINE), "a flag stands on one line with its value"


def test_a_limit_that_lacks_its_layer_is_not_shown_as_if_it_held() -> None:
    assert ";" not in in_force(Limits(), EVERY_LAYER)
    lacking = in_force(Limits(), ("rlimits",))
    assert "--disk is not in force without `mountns`" in lacking
    assert "--memory holds for each process by itself without `memory`" in lacking


def test_a_limit_is_not_said_to_be_looked_at_where_nobody_looks() -> None:
    assert "--processes is looked at every 25 ms only without `rlimits`" in in_force(Limits(), ("memory", "mountns"))
    lacking = in_force(Limits(), ("mountns",))
    assert "25 ms" not in lacking
    assert "--processes is not in force without `rlimits` and `memory`" in lacking
    assert "--memory is not in force without `memory` and `rlimits`" in lacking


@pytest.mark.parametrize(
    ("flags", "script", "expected"),
    [
        (("--memory", "64M"), "python3 -c 'bytearray(1 << 30)'", "64 MB of memory; allow more with --memory 128M"),
        (("--wall", "0.5"), "sleep 30", "0.5 s; allow more with --wall 1"),
        (("--cpu", "1"), "while :; do :; done", "1 s of processor time; allow more with --cpu 2"),
        (("--output", "100K"), "exec cat /dev/zero", "100 KB; allow more with --output 200K"),
        (("--disk", "1M"), "head -c 9000000 /dev/zero > $TMPDIR/x", "1 MB; allow more with --disk 2M"),
        (
            ("--file-size", "1000"),
            "head -c 9000000 /dev/zero > $TMPDIR/x; exit $?",
            "a file of more than 1000 bytes; allow more with --file-size 2000",
        ),
        (
            ("--open-files", "10"),
            'python3 -c \'[open("/dev/null") for n in range(20)]; x = [open("/dev/null") for n in range(20)]\'',
            "10 files open; allow more with --open-files 20",
        ),
        (
            ("--processes", "5"),
            "exec python3 -c 'import os, time\nfor n in range(9): os.fork() or time.sleep(1)\ntime.sleep(1)'",
            "5 processes and threads; allow more with --processes 10",
        ),
    ],
)
def test_a_limit_that_ended_it_is_named_with_its_value_and_the_flag_that_allows_more(
    treadle: Any, flags: tuple[str, str], script: str, expected: str
) -> None:
    assert said(treadle, *flags, "--", "sh", "-c", script).endswith(expected)


def test_more_is_never_more_than_there_can_be() -> None:
    most = Limits(wall_s=604_800.0)
    assert over_limit(Result("timeout"), most).endswith("--wall 604800")
    assert over_limit(Result("error", exit_code=1), most) == ""
    assert "--disk" in over_limit(Result("files", exit_code=1, stderr=Stream(b"No space left on device")), most)


@pytest.mark.parametrize(
    ("ending", "said", "flag"),
    [
        ({"signal": 25}, b"", "--file-size"),
        ({"exit_code": 153}, b"File size limit exceeded\n", "--file-size"),
        ({"exit_code": 1}, b"sh: File size limit exceeded\nmake: *** [all] Error 153\n", "--file-size"),
        ({"exit_code": 153}, b"", "--file-size"),
        ({"exit_code": 153}, b"No space left on device", "--disk"),
        ({"signal": 9}, b"", "--disk"),
        ({"exit_code": 1}, b"Too many open files", "--open-files"),
        ({"exit_code": 1}, b"Too many open files; trying once more\nNo space left on device", "--disk"),
        ({"exit_code": 1}, b"Too many open files" + b"." * 2048, "--disk"),
    ],
)
def test_which_limit_of_files_it_was_its_end_and_its_last_words_tell(
    ending: dict[str, int], said: bytes, flag: str
) -> None:
    told = over_limit(Result("files", stderr=Stream(said[:20], said[20:]), **ending), Limits())
    assert f"allow more with {flag} " in told


@pytest.mark.parametrize("value", ["-5", "0", "nan", "inf", "", "1e30", "3M", "1Q", "1bib", "b", "9" * 5000, "9000T"])
def test_a_size_that_is_none_is_told_in_one_line(value: str) -> None:
    expect_one_line("--memory", value)


@pytest.mark.parametrize("value", ["-5", "0", "nan", "inf", "", "1e300", "1x", "1e-9", "8d", "5 minutes"])
def test_a_time_that_is_none_is_told_in_one_line(value: str) -> None:
    expect_one_line("--wall", value)


@pytest.mark.parametrize("value", ["-1", "0", "1.5", "x", "", "9" * 20, "3", "10M"])
def test_a_number_that_is_none_is_told_in_one_line(value: str) -> None:
    expect_one_line("--open-files", value)


def expect_one_line(flag: str, value: str) -> None:
    ran = CliRunner().invoke(sandbox, [flag, value, "--", "echo", "ran"])
    told = ran.output.splitlines()[-1]
    assert ran.exit_code == 2
    assert f"Invalid value for '{flag}'" in told
    assert re.search(r"write for example|the (least|most) is|is no whole number", told)
    assert len(told) < 200


@pytest.mark.parametrize(
    ("flag", "value", "shown"),
    [
        ("--memory", "1.5GiB", "--memory 1536M"),
        ("--memory", "64 mb", "--memory 64M"),
        ("--disk", "1t", "--disk 1T"),
        ("--wall", "2m", "--wall 120"),
        ("--wall", "90s", "--wall 90"),
        ("--cpu", ".5", "--cpu 0.5"),
    ],
)
def test_amounts_are_read_as_people_write_them(treadle: Any, flag: str, value: str, shown: str) -> None:
    assert shown + " " in " ".join(treadle("sandbox", "--report", flag, value, "--", "true").err.split())
