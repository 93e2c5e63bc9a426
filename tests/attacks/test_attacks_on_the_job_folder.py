"""Where no mount holds the job's folder in its place, and no Landlock, a job can put something else there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from treadle.sandbox import Policy, Result, close_idle, run

WEAK = [{"landlock", "mountns"}, {"landlock", "userns"}]
# What the names below are: the job's folder, the one that the harness made for all of this server's jobs, the outside.
NAMES = """
import os
job = os.environ["TREADLE_JOB"]
parent, name = os.path.split(job)
outside = {outside!r}
"""
FOLDER_SWAPPED = """
os.rename(job, outside + "/moved")
os.symlink(outside, job)
"""
# The last name of the folder stays what the harness expects, but the way there is another.
PARENT_SWAPPED = """
os.rename(parent, outside + "/moved")
os.mkdir(f"{outside}/{name}")
open(f"{outside}/{name}/report.json", "w").write("planted")
os.symlink(outside, parent)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder of the person's, with a file of the name that the harness collects, and a folder kept from writing."""
    folder = tmp_path / "home"
    (folder / "locked").mkdir(parents=True)
    (folder / "report.json").write_text("outside")
    (folder / "locked").chmod(0o500)
    close_idle()
    yield folder
    close_idle()
    (folder / "locked").chmod(0o700)


def swap(home: Path, how: str, without: set[str]) -> Result:
    source = NAMES.format(outside=str(home)) + how
    argv = [sys.executable, "-c", source]
    return run(argv, policy=Policy(without=frozenset(without)), collect=("report.json",))


@pytest.mark.parametrize("without", WEAK, ids=["landlock and mountns", "landlock and userns"])
@pytest.mark.parametrize("how", [FOLDER_SWAPPED, PARENT_SWAPPED], ids=["its folder", "the folder above"])
def test_a_link_in_place_of_the_folder_is_not_followed(home: Path, how: str, without: set[str]) -> None:
    swapped = swap(home, how, without)
    # The positive control: the swap itself was possible. Both a file and a whole tree were then followed once.
    assert swapped.verdict == "ok", swapped
    assert (home / "moved").is_dir()
    assert swapped.files == {}
    again = run([sys.executable, "-c", "import os; print(os.getcwd())"], policy=Policy(without=frozenset(without)))
    assert str(home) not in again.stdout.data.decode(), again
    close_idle()
    assert (home / "locked").stat().st_mode & 0o777 == 0o500
    assert (home / "report.json").read_text() == "outside"


@pytest.mark.parametrize("without", ["mountns", "userns", ""])
def test_one_of_both_layers_keeps_the_folder_in_its_place(home: Path, without: str) -> None:
    for how in (FOLDER_SWAPPED, PARENT_SWAPPED):
        swapped = swap(home, how, {without} - {""})
        assert swapped.verdict == "error", swapped
        assert b"Error" in swapped.stderr.data
    assert not (home / "moved").exists()


@pytest.mark.parametrize("without", WEAK, ids=["landlock and mountns", "landlock and userns"])
def test_a_folder_that_its_owner_may_not_enter_is_removed(home: Path, without: set[str], tmp_path: Path) -> None:
    source = """
import os
os.chdir(os.environ["TREADLE_JOB"])
os.makedirs("deep/er")
open("deep/er/file", "w").close()
os.mkdir("shut", 0)
print(os.getcwd())
"""
    result = run([sys.executable, "-c", source], policy=Policy(without=frozenset({*without, "seccomp"})))
    assert result.verdict == "ok", result
    assert not Path(result.stdout.data.decode().strip()).exists()
