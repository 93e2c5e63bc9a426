"""`treadle check --against REV`: the verdict on what differs from a revision until now, for people and for CI."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

WHO = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(project: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_NOSYSTEM": "1", **WHO}
    subprocess.run(["git", *words], cwd=project, env=env, check=True, capture_output=True)


@pytest.fixture
def committed(project: Path) -> Path:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-qm", "first")
    return project


def test_only_what_the_change_made_worse_counts(treadle: Any, committed: Path) -> None:
    """Three tests fail in it already, and go on doing so."""
    (committed / "more.py").write_text("from stats import mean\n\nMEAN = mean([1])\n")
    ran = treadle("check", "--against", "HEAD", "--json")
    assert ran.code == 0, ran.out + ran.err
    assert (ran.result["files"], ran.result["patch"]) == (["more.py"], "")
    assert (len(ran.result["still_failing"]), ran.result["broken_now"]) == (3, [])
    checks = [line for line in ran.lines if line["kind"] == "execute.started"]
    assert {line["data"]["stage"] for line in checks[:2]} == {"baseline", "execute"}

    git(committed, "add", ".")
    git(committed, "commit", "-qm", "second")
    text = (committed / "stats.py").read_text()
    (committed / "stats.py").write_text(text.replace("sum(values) / len", "missing(values) / len"))
    (committed / "more.py").write_text("import os\n\nos.system(input())\n")
    worse = treadle("check", "--against", "HEAD^", "--format", "github")
    assert worse.code == 1, worse.out + worse.err
    said = worse.out.splitlines()
    assert all(line.startswith("::") for line in said)
    assert any(line.startswith("::warning file=more.py,line=3,title=Treadle%3A shell::") for line in said)
    assert any("test_stats.py::test_mean" in line and line.startswith("::error file=test_stats.py,") for line in said)
    assert any(line.startswith("::error file=stats.py,line=5,title=Treadle%3A validate-lint::") for line in said)
    assert not any("test_spread" in line for line in said)
    assert (committed / "stats.py").read_text() != text, "nothing is written to the project"


def test_without_a_difference_there_is_nothing_against_it(treadle: Any, committed: Path) -> None:
    same = treadle("check", ".", "--against", "main")
    assert (same.code, same.out) == (0, "Nothing differs from main.\n")
    document = treadle("check", "--against", "main", "--format", "sarif")
    assert document.code == 0
    (run,) = json.loads(document.out)["runs"]
    assert run["results"] == [] and run["invocations"][0]["executionSuccessful"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--against", "nowhere"], "there is no revision 'nowhere'"),
        (["-", "--against", "main"], "leave one of them out"),
        ([], "say what to check"),
        (["stats.py", "--json", "--format", "sarif"], "two forms of one verdict"),
    ],
)
def test_what_can_not_be_checked_is_told_with_what_to_do(
    treadle: Any, committed: Path, words: list[str], says: str
) -> None:
    ran = treadle("check", *words)
    assert ran.code == 2 and says in ran.err
