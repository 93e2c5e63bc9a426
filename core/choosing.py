"""A person says which of several changes they mean that all checks hold with, and may keep the example as a test.

What they choose is tried as a change that they have made themselves.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable

from treadle.core import paths
from treadle.core.errors import UnsafePath, UsageError
from treadle.core.records import Attempt, Confidence, FileChange, Outcome
from treadle.core.testrun import report_of

_NAME = re.compile(r"(\w+)\(")
_LONGEST_NAME = 60
_LOOKED_AT = 1_000  # characters of a call that nobody has bounded, for the name of a function


def choices(outcome: Outcome | None) -> Confidence | None:
    """What there is to choose from: the confidence of the change that holds, None where nothing disagrees with it."""
    return _choices_of(outcome.winner) if outcome is not None else None


def _choices_of(attempt: Attempt | None) -> Confidence | None:
    confidence = attempt.candidate.confidence if attempt is not None else None
    return confidence if confidence is not None and confidence.rivals and confidence.disagreements else None


def chosen(
    outcome: Outcome | None, number: int, *, keeps_example: bool, exists: Callable[[str], bool]
) -> tuple[tuple[FileChange, ...], str]:
    """The files of the change of that number, 1 being the one that holds and the others its rivals, and what it
    changes. With `keeps_example`, the first example that can be written as a test is one of them; `exists` says whether
    the project has a file. Raises `UsageError` where there is no such choice, and no such example."""
    confidence = choices(outcome)
    if confidence is None or outcome is None or outcome.winner is None:
        earlier = next((a.number for a in (outcome.attempts if outcome else ()) if _choices_of(a)), None)
        if earlier is not None:
            raise UsageError(
                f"attempt {earlier}, of which there was a choice, holds no longer: go back to it first, "
                f"with --from {earlier}"
            )
        raise UsageError(
            "there is nothing to choose from: no other change was found that every test passes with; "
            'with --reject "WORDS" another is made'
        )
    last = len(confidence.rivals) + 1
    if not 1 <= number <= last:
        raise UsageError(f"there is no change {number} to choose: they have the numbers from 1 to {last}")
    candidate = outcome.winner.candidate
    change = candidate if number == 1 else confidence.rivals[number - 2]
    if not keeps_example:
        return change.files, change.why
    for each in confidence.disagreements:
        text = each.tests[number - 1] if number <= len(each.tests) else ""
        if text:
            path = _free_place(outcome.winner, outcome, each.call, exists)
            return (*change.files, FileChange(path=path, content=text.encode())), change.why
    raise UsageError("none of the examples can be written as a test: their values are no plain ones")


def _free_place(attempt: Attempt, outcome: Outcome, call: str, exists: Callable[[str], bool]) -> str:
    """Where the new test goes: beside the test that failed if that is in the project, under a name that no file has."""
    reports = (report_of(execution) for execution in (*outcome.baseline, *attempt.executions))
    ids = [test.id for report in reports if report is not None for test in (*report.failing, *report.tests)]
    folder = next((i.partition("::")[0].rpartition("/")[0] for i in ids if "::" in i), "")
    found = _NAME.search(call[:_LOOKED_AT])
    stem = f"test_{found.group(1)[:_LONGEST_NAME] if found else 'examples'}"
    with contextlib.suppress(UnsafePath):  # a report is the project's own, and may name anything
        stem = paths.check_writable(f"{folder}/{stem}.py".lstrip("/")).removesuffix(".py")
    names = (f"{stem}_example{number or ''}.py" for number in itertools.count())
    return next(name for name in names if not exists(name))
