"""Programs that run as their owner, whoever starts them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from treadle.sandbox import Policy, Result, run

Run = Callable[..., Result]
OWNER = 54_399  # nobody's number, so that gaining it harms nobody
ONLY_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a program that runs as somebody else")


@pytest.fixture
def program(project: Path) -> Iterator[Path]:
    """`id` as a program that runs as OWNER, in the project that jobs see."""
    place = project / "set-id"
    shutil.copy(shutil.which("id") or "/usr/bin/id", place)
    os.chown(place, OWNER, OWNER)
    place.chmod(0o6755)
    yield place
    place.unlink()


@pytest.fixture
def shown() -> Iterator[Path]:
    """The same in a folder that everybody can reach, for a job that runs as nobody."""
    folder = Path(tempfile.mkdtemp(prefix="treadle-test-"))
    folder.chmod(0o755)
    place = folder / "set-id"
    shutil.copy(shutil.which("id") or "/usr/bin/id", place)
    os.chown(place, OWNER, OWNER)
    place.chmod(0o6755)
    yield place
    shutil.rmtree(folder)


@ONLY_ROOT
def test_a_job_of_root_s_stays_who_it_is(attack: Run, program: Path) -> None:
    source = """
before = os.getresuid(), os.getresgid()
for flags in ("-u", "-g"):
    print(subprocess.run(["./set-id", flags], capture_output=True, text=True).stdout.strip())
print(*os.getresuid(), *os.getresgid())
"""
    gained = subprocess.run([str(program), "-u"], capture_output=True, check=True).stdout
    assert gained == b"%d\n" % OWNER, "the positive control"
    result = attack(source)
    assert str(OWNER).encode() not in result.stdout.data, result
    assert result.stdout.data.split()[:2] == [b"0", b"0"], result


@ONLY_ROOT
@pytest.mark.parametrize("without", ["", "mountns", "userns", "seccomp", "landlock"])
def test_a_job_of_nobody_s_stays_who_it_is(shown: Path, without: str) -> None:
    source = f"""
import os, subprocess
print(subprocess.run([{str(shown)!r}, "-u"], capture_output=True, text=True).stdout.strip(), os.getuid())
child = os.open({str(shown)!r}, os.O_RDONLY)
if os.fork() == 0:
    os.execve(child, ["id", "-g"], {{}})
os.wait()
"""
    policy = Policy(read=(str(shown.parent),), without=frozenset({without} - {""}))
    result = run([sys.executable, "-c", source], policy=policy)
    said = result.stdout.data.split()
    assert len(said) == 3 and str(OWNER).encode() not in said, result
    assert said[0] == said[1], result
    plain = subprocess.run(
        [str(shown), "-u"], user=65_534, group=65_534, extra_groups=[], capture_output=True, check=True
    )
    assert plain.stdout == b"%d\n" % OWNER, "the positive control"


@pytest.mark.parametrize("without", ["", "userns", "seccomp", "landlock"])
def test_no_program_gains_anything(without: str) -> None:
    # For users who can't make such a program: what the kernel goes by. The positive control is a plain process.
    probe = "import ctypes; print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0))"
    policy = Policy(without=frozenset({without} - {""}))
    assert run([sys.executable, "-c", probe], policy=policy).stdout.data == b"1\n"
    plain = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True)
    if plain.stdout == b"1\n":
        pytest.skip("nothing gains anything where these tests run either")
    assert plain.stdout == b"0\n"
