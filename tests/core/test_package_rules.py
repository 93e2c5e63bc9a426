"""The person's lists of packages: what is not asked about, and what no change may declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.approval import new_dependencies
from treadle.core.packages.rules import PackageRules
from treadle.core.records import Candidate, FileChange, Workspace
from treadle.core.tree.workspace import Tree


@pytest.mark.parametrize(
    ("declared", "allow", "deny", "asked", "denied"),
    [
        ("acme", (), (), ["acme"], []),
        ("acme>=1", ("acme",), (), [], []),
        ("Acme_Tools", ("acme.tools",), (), [], []),
        ("acme @ https://x.example/acme.whl", ("acme",), (), ["acme"], []),
        ("acme", ("acme",), ("ACME",), ["acme"], ["acme"]),
        ("acme\nother", ("acme",), ("*",), ["other"], ["other"]),
        ("acme @ https://x.example/acme.whl", ("acme",), ("*",), ["acme"], ["acme"]),
        ("six>=2", (), ("*", "six"), [], []),
    ],
)
def test_a_new_package_is_asked_about_allowed_or_denied_by_its_name(
    declared: str, allow: tuple[str, ...], deny: tuple[str, ...], asked: list[str], denied: list[str], tmp_path: Path
) -> None:
    (tmp_path / "requirements.txt").write_text("six\n")
    tree = Tree(Workspace(id="w", kind="copy", project=str(tmp_path), root=str(tmp_path), upper=""))
    content = f"six\n{declared}\n".encode()
    candidate = Candidate(files=(FileChange(path="requirements.txt", content=content),), why="")
    rules = PackageRules(allow, deny)
    concerns = new_dependencies(candidate, tree, (), rules)
    assert [each.about.partition(" @ ")[0] for each in concerns] == asked
    findings = tuple(rules.findings(candidate, tree))
    assert [each.message.split()[2] for each in findings] == denied
    assert {each.severity for each in findings} <= {"deny"}
