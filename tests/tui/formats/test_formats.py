"""The verdict of a check as code hosts read it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from treadle.core.contributions import ScanRule
from treadle.core.records import Attempt, Candidate, FileChange, Finding, Outcome, Signal, Task, Verdict
from treadle.tui.formats.complaints import Complaint, complaints_of
from treadle.tui.formats.github import github
from treadle.tui.formats.sarif import sarif
from treadle.tui.result import Result

RULES = {"shell": ScanRule(name="shell", summary="gives a command to a shell", severity="ask", advice="use a list")}
TASK = Task(id="t", kind="check", project="/p", python="")


def result(state: str = "UNSOLVED", **more: Any) -> Result:
    return Result(session="s", task="check", state=state, exit_code=1, **more)


def finding(severity: Any, path: str = "a.py", line: int = 2) -> Finding:
    return Finding(rule="shell", path=path, line=line, severity=severity, message="a shell", advice="use a list")


def outcome(*signals: Signal, findings: tuple[Finding, ...] = ()) -> Outcome:
    attempt = Attempt(
        number=1,
        candidate=Candidate(files=(FileChange(path="a.py", content=b""),), why=""),
        findings=findings,
        signals=signals,
        verdict=Verdict(state="failed", reasons=tuple(s.summary for s in signals if s.worse)),
    )
    return Outcome(task=TASK, state="UNSOLVED", attempts=(attempt,))


def against(kind: str, *details: str, worse: int = 1) -> Signal:
    return Signal(kind=kind, ok=False, summary=f"{kind} speaks", details=details, worse=worse)


def test_findings_and_what_validators_say_become_complaints_at_their_places() -> None:
    told = complaints_of(
        outcome(
            against("lint", "a.py:5: Undefined name `x` (F821)"),
            against("compile", "pkg/b.py: line 7: invalid syntax"),
            against(
                "tests", "passed before, failed now: t/test_a.py::test_b[a:1] (boom)", "still fails: t/test_a.py::c"
            ),
            against("resources"),
            against("types", "a.py:1: old", worse=0),
            findings=(finding("deny"), finding("note", path=".", line=0)),
        ),
        "sub",
    )
    assert [(each.rule, each.level, each.path, each.line) for each in told] == [
        ("shell", "error", "sub/a.py", 2),
        ("shell", "note", "", 0),
        ("validate-lint", "error", "sub/a.py", 5),
        ("validate-compile", "error", "sub/pkg/b.py", 7),
        ("validate-tests", "error", "sub/t/test_a.py", 0),
        ("validate-resources", "error", "", 0),
    ]
    assert told[-1].message == "resources speaks"


def test_sarif_holds_what_its_schema_asks_for() -> None:
    """https://docs.oasis-open.org/sarif/sarif/v2.1.0/, sections 3.13 to 3.27, and what a code host wants of it."""
    complaints = (
        Complaint(rule="shell", level="warning", message="a shell", path="pkg/a b%25.py", line=3, advice="use a list"),
        Complaint(rule="mine", level="note", message="m", path="a.py", advice="think"),
        Complaint(rule="validate-resources", level="error", message="slow"),
        Complaint(rule="shell", level="error", message="again", path="a.py", line=1),
    )
    whole = json.loads(sarif(result(notes=("not looked at: x",)), complaints, RULES, "first.py"))
    assert whole["version"] == "2.1.0" and whole["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = whole["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Treadle" and driver["version"]
    rules = driver["rules"]
    assert [rule["id"] for rule in rules] == ["shell", "mine", "validate-resources"]
    assert rules[0]["help"] == {"text": "use a list"} and rules[0]["defaultConfiguration"] == {"level": "warning"}
    assert rules[1]["help"] == {"text": "think"}
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True and invocation["exitCode"] == 1
    assert invocation["toolExecutionNotifications"] == [{"level": "note", "message": {"text": "not looked at: x"}}]
    places = []
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["level"] in ("error", "warning", "note") and found["message"]["text"]
        (location,) = found["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        places.append((place["artifactLocation"]["uri"], place["region"]["startLine"]))
    assert places == [("pkg/a%20b%25.py", 3), ("a.py", 1), ("first.py", 1), ("a.py", 1)]


@pytest.mark.parametrize(("state", "level", "successful"), [("OVER_BUDGET", "error", False), ("SOLVED", "note", True)])
def test_sarif_without_complaints_says_why(state: str, level: str, successful: bool) -> None:
    run = json.loads(sarif(result(state, reason="because"), (), {}))["runs"][0]
    assert run["results"] == [] == run["tool"]["driver"]["rules"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is successful
    assert invocation["toolExecutionNotifications"] == [{"level": level, "message": {"text": "because"}}]


def test_workflow_commands_are_a_line_each_whatever_stands_in_them() -> None:
    complaints = (
        Complaint(rule="shell", level="warning", message="50% a\n::error::b\x1b[0m\x85", path="a,b:c.py", line=3),
        Complaint(rule="mine", level="note", message="m"),
    )
    assert github(result(reason="r", notes=("n\r",)), complaints).split("\n") == [
        "::warning file=a%2Cb%3Ac.py,line=3,title=Treadle%3A shell::50%25 a%0A::error::b[0m",
        "::notice title=Treadle%3A mine::m",
        "::notice title=Treadle::n%0D",
        "",
    ]
    assert github(result("OVER_BUDGET", reason="too long"), ()) == "::error title=Treadle::too long\n"
    assert github(result("SOLVED", reason="nothing differs"), ()) == ""
