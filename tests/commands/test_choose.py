"""A repair that few tests hold fast: it is not applied by itself, and the person chooses what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

COMPARES = {
    "TREADLE_PLUGINS__VALIDATE_BEHAVIOUR__LONGEST_SUITE_S": "20",
}


def test_the_person_chooses_among_repairs_and_keeps_the_example(treadle: Any, project: Path) -> None:
    (project / "stats.py").write_text("def half(n):\n    return n * 2\n")
    (project / "test_stats.py").write_text("from stats import half\n\n\ndef test_half():\n    assert half(4) == 2\n")
    found = treadle("fix", "--apply", "--exhaustive", "--set", "plugins.search.trust_candidates=12", **COMPARES)
    assert found.code == 5, found.err
    assert "Trust     low" in found.out
    assert "not applied, since the tests say little about it" in found.out
    assert "ok behaviour: otherwise than before on " in found.out
    assert (project / "stats.py").read_text() == "def half(n):\n    return n * 2\n"
    choices = [line for line in found.out.splitlines() if line.strip().startswith(("1. ", "2. ", "3. ", "Choice"))]
    number = next(line.split(".")[0].split()[-1] for line in choices if "becomes `return n // 2`" in line)
    assert f"resume {found.out.split('session ')[1].split()[0]} --choose NUMBER" in found.out

    wrong = treadle("resume", "last", "--choose", "9")
    assert wrong.code == 2
    assert "no change 9 to choose" in wrong.err
    chosen = treadle("resume", "last", "--choose", number, "--keep-example", "--apply")
    assert chosen.code == 0, chosen.err
    assert "chosen by you" in chosen.out
    assert (project / "stats.py").read_text() == "def half(n):\n    return n // 2\n"
    example = (project / "test_half_example.py").read_text()
    assert example.startswith("from stats import half\n")
    assert "2 pass" in chosen.out
    assert treadle("undo").code == 0
    assert not (project / "test_half_example.py").exists()


SHELL = """import subprocess


def said(command):
    return subprocess.run(command, shell=False, capture_output=True, text=True).stdout
"""
SHELL_TESTS = """from shell import said


def test_said():
    assert said("echo $((1 + 1))") == "2\\n"
"""


def test_a_repair_in_which_a_scanner_finds_something_is_not_applied_unseen(treadle: Any, project: Path) -> None:
    for old in project.glob("*.py"):
        old.unlink()
    (project / "shell.py").write_text(SHELL)
    (project / "test_shell.py").write_text(SHELL_TESTS)
    found = treadle("fix", "--apply")
    assert found.code == 5, found.out
    assert "not applied, since a scanner found what a person should look at" in found.out
    assert (project / "shell.py").read_text() == SHELL
