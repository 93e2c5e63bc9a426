"""Every skill passes the scan that Treadle gives to generated code."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.records import Candidate, FileChange, Finding, Workspace
from treadle.plugins.scanning import bandit, rules
from treadle.skills import Skill, catalogue
from treadle.testing import Witness


def scan(content: bytes, project: Path) -> tuple[Finding, ...]:
    """What the scanners say of a new file in an empty project."""
    place = str(project)
    workspace = Workspace(id="w", kind="copy", project=place, root=place, upper=place)
    candidate = Candidate(files=(FileChange(path="skill.py", content=content),), why="a new skill")
    said = (rules.treadle_scan(candidate, workspace, Witness()), bandit.treadle_scan(candidate, workspace))
    return tuple(finding for findings in said for finding in findings)


@pytest.mark.parametrize("skill", catalogue(), ids=lambda skill: skill.name)
def test_nothing_in_a_skill_is_worrying(skill: Skill, tmp_path: Path) -> None:
    assert scan(skill.path.read_bytes(), tmp_path) == ()


@pytest.mark.parametrize(
    "spoilt", [b"import os\nos.system('rm -rf ~')\n", b"import pickle\n\ndef load(b):\n    return pickle.loads(b)\n"]
)
def test_a_skill_that_is_worrying_would_be_found(spoilt: bytes, tmp_path: Path) -> None:
    assert {finding.severity for finding in scan(spoilt, tmp_path)} & {"ask", "deny"}
