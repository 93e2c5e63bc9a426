"""A job leaves a link in a folder that it may write, where the server itself will go for the next one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treadle.sandbox import File, Policy, has_layer, run

PLANT = "import os, sys; os.rmdir(sys.argv[1]); os.symlink(sys.argv[2], sys.argv[1])"


@pytest.mark.parametrize("without", ["", "mountns"])
@pytest.mark.parametrize("prefix", ["", "/old"])
def test_files_are_laid_nowhere_but_in_what_a_job_may_write(tmp_path: Path, without: str, prefix: str) -> None:
    if not has_layer("mountns") and not without:
        pytest.skip("there is no view on this machine")
    shared, victim = tmp_path / "shared", tmp_path / "victim"
    for folder in (shared / "sub", victim):
        folder.mkdir(parents=True)
    (victim / "conf.py").write_text("as it was")
    policy = Policy(write=(str(shared),), without=frozenset({without} - {""}))
    planted = run([sys.executable, "-c", PLANT, str(shared / "sub"), f"{prefix}{victim}"], policy=policy)
    assert planted.verdict == "ok", planted
    assert (shared / "sub").is_symlink()
    files = {"conf.py": File(b"changed")}
    result = run([sys.executable, "-c", "pass"], cwd=str(shared / "sub"), policy=policy, files=files)
    assert result.verdict == "refused", result
    assert (victim / "conf.py").read_text() == "as it was"


def test_a_working_folder_behind_a_link_of_the_person_s_own_is_no_such_thing(tmp_path: Path) -> None:
    """The control: files are laid through a link that was there before, outside of what jobs may write."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    policy = Policy(write=(str(tmp_path / "real"),), read=(str(tmp_path / "link"),))
    source = "print(open('note.txt').read())"
    files = {"note.txt": b"laid over"}
    result = run([sys.executable, "-c", source], cwd=str(tmp_path / "link"), policy=policy, files=files)
    assert result.stdout.data == b"laid over\n", result
