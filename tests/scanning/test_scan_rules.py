from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from treadle.core.records import FileChange, Finding
from treadle.plugins.scanning.rules import findings_of

SNIPPETS = tomllib.loads((Path(__file__).parents[1] / "cases" / "scan_snippets.toml").read_text(encoding="utf-8"))[
    "snippet"
]


def scan(code: str | bytes, path: str = "main.py", before: str | None = None) -> tuple[Finding, ...]:
    content = code.encode() if isinstance(code, str) else code
    return findings_of(FileChange(path=path, content=content), before.encode() if before is not None else None)


def worst(findings: tuple[Finding, ...]) -> str:
    found = {finding.severity for finding in findings}
    return next((severity for severity in ("deny", "ask", "note") if severity in found), "none")


def rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet["id"])
def test_each_labelled_snippet_gets_its_severity(snippet: dict[str, str]) -> None:
    findings = scan(snippet["code"], snippet.get("path", "main.py"))
    assert worst(findings) == snippet["severity"], findings
