"""What is too deep or too much for whoever has to handle it afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Result, run

Run = Callable[..., Result]
DEEP = 4_000  # a path of more than PATH_MAX, and more folders than Python may recurse

# Each step down takes longer than the one before, since Landlock looks at all folders above: so the chain is put
# together from short ones, the deepest first.
DEEP_FOLDERS = f"""
import os
def chain(place):
    os.chdir(place)
    for _ in range({DEEP // 100}):
        os.mkdir("under")
        os.chdir("under")
        for _ in range(99):
            os.mkdir("d")
            os.chdir("d")
        if os.path.exists(place + "/deep"):
            os.rename(place + "/deep", "d")
        os.chdir(place)
        os.rename("under", "deep")
    steps = 0
    os.chdir("deep")
    while True:
        steps += 1
        try:
            os.chdir("d")
        except FileNotFoundError:
            return steps
"""


def test_very_deep_folders_do_no_harm(attack: Run) -> None:
    started = time.monotonic()
    source = DEEP_FOLDERS + "print(chain(os.environ['HOME']), chain(os.path.abspath(os.environ['PWD'])))"
    assert attack(source).stdout.data == b"%d %d\n" % (DEEP, DEEP)
    assert attack("print('still here', os.listdir(os.environ['HOME']))").stdout.data.startswith(b"still here")
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("without", ["mountns", "userns", "mountns,landlock"])
def test_very_deep_folders_are_removed_without_mounts(without: str) -> None:
    policy = Policy(without=frozenset(without.split(",")))
    source = DEEP_FOLDERS + "print(os.environ['HOME'], chain(os.environ['HOME']))"
    result = run([sys.executable, "-c", source], policy=policy)
    home, steps = result.stdout.data.decode().split()
    assert int(steps) == DEEP, result
    assert not Path(home).exists()


def test_no_name_reaches_the_end_of_them(tmp_path: Path) -> None:
    # The positive control: a plain process makes them as well, and whoever then goes by names does not get there.
    source = DEEP_FOLDERS + f"chain({str(tmp_path)!r})\nos.stat({str(tmp_path / 'deep')!r} + '/d' * {DEEP - 1})"
    try:
        plain = subprocess.run([sys.executable, "-c", source], capture_output=True, check=False)
        assert b"File name too long" in plain.stderr, plain
    finally:
        subprocess.run(["/bin/rm", "-rf", str(tmp_path / "deep")], check=True)


GIGABYTE = """
block = b"x" * (1 << 20)
for _ in range(1024):
    at = 0
    while at < len(block):
        at += os.write(1, block[at:])
"""


def peak() -> int:
    """The most memory that this process has had since the last `forget_peak`, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def test_a_gigabyte_without_a_newline_is_stopped_at_once(attack: Run) -> None:
    attack("print(1)")
    forget_peak()
    before = peak()
    result = attack(GIGABYTE + "os.write(2, b'ESCAPED')", Limits.tier("quick", wall_s=60.0))
    assert result.verdict == "output", result
    assert result.stderr.data == b""
    assert result.wall_s < 30
    assert peak() - before < 32 << 20, "the harness took what the job said"


@pytest.mark.parametrize("streaming", [False, True])
def test_a_permitted_gigabyte_is_not_kept_either(project: Path, streaming: bool) -> None:
    # The positive control: under a limit that allows it the whole of it comes, and still only its ends are kept.
    heard = 0

    def hear(stream: int, data: bytes) -> None:
        nonlocal heard
        heard += len(data)

    forget_peak()
    before = peak()
    result = run(
        [sys.executable, "-c", "import os\n" + GIGABYTE],
        policy=Policy(overlay=Overlay(str(project))),
        limits=Limits.tier("standard", output=2 << 30),
        on_output=hear if streaming else None,
    )
    assert result.verdict == "ok", result
    assert result.stdout.dropped + len(result.stdout.head) + len(result.stdout.tail) == 1 << 30
    assert heard == (1 << 30 if streaming else 0)
    assert peak() - before < 64 << 20, "the harness took what the job said"
