"""What speaks against a change, or is to be looked at, each with its place: what every format tells in its own way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from treadle.core.records import Attempt, Finding, Outcome, Record, Signal

Level = Literal["error", "warning", "note"]

_LEVELS: dict[str, Level] = {"deny": "error", "ask": "warning", "note": "note"}
# `a.py:2: ...`, `a.py: line 2: ...` and the names of tests, `tests/test_a.py::test_b`.
_PLACE = re.compile(r"(?P<path>[^\s:][^:]*?\.\w+):(?::|(?P<line>\d+):| line (?P<further>\d+):)")
_WORDS_BEFORE = re.compile(r"^(?:vanished|fails|still fails|problem|(?:passed|failed) before, [^:]* now): ")


class Complaint(Record, frozen=True, kw_only=True):
    """One of them. `rule` is a scan rule's name, or `validate-KIND` for what a validator says; `path` is empty where it
    is about the whole, `line` counts from 1, 0 is the whole file."""

    rule: str
    level: Level
    message: str
    path: str = ""
    line: int = 0
    advice: str = ""


def complaints_of(outcome: Outcome, folder: str = "") -> tuple[Complaint, ...]:
    """Those of the last attempt: its findings, then what validators say against it. `folder` is the project's in its
    repository, whose own names are told."""
    if not outcome.attempts:
        return ()
    attempt = outcome.attempts[-1]
    findings = map(_of_finding, attempt.findings)
    said = (each for signal in _against(attempt) for each in _of_signal(signal))
    return tuple(_placed_in(folder, each) for each in (*findings, *said))


def _placed_in(folder: str, complaint: Complaint) -> Complaint:
    if not folder or not complaint.path:
        return complaint
    return msgspec.structs.replace(complaint, path=f"{folder}/{complaint.path}")


def _against(attempt: Attempt) -> Iterator[Signal]:
    """The signals for which it failed: where a change is all that is wanted, what was so before does not count."""
    return (s for s in attempt.signals if not s.ok and s.summary in attempt.verdict.reasons)


def _of_finding(finding: Finding) -> Complaint:
    return Complaint(
        rule=finding.rule,
        level=_LEVELS[finding.severity],
        message=finding.message,
        path="" if finding.path == "." else finding.path,
        line=finding.line,
        advice=finding.advice,
    )


def _of_signal(signal: Signal) -> Iterator[Complaint]:
    """A complaint for each detail that names a place, one for the whole where none does."""
    rule = f"validate-{signal.kind}"
    placed = [(detail, place) for detail in signal.details if (place := _place_in(detail)) is not None]
    if not placed:
        message = "\n".join((signal.summary, *signal.details))
        yield Complaint(rule=rule, level="error", message=message)
    for detail, (path, line) in placed:
        if not detail.startswith("still fails: "):
            yield Complaint(rule=rule, level="error", message=detail, path=path, line=line)


def _place_in(detail: str) -> tuple[str, int] | None:
    found = _PLACE.match(_WORDS_BEFORE.sub("", detail))
    return (found["path"], int(found["line"] or found["further"] or 0)) if found else None
