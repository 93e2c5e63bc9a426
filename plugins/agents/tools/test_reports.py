"""What a test run found, told in few words: how many of each kind, then each failure with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from treadle.core.counting import counted
from treadle.core.errors import ReplyError
from treadle.core.nearest import did_you_mean
from treadle.core.replies.file_text import as_shown, text_of
from treadle.core.testrun import TestReport, TestResult
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools.capped import clipped
from treadle.plugins.agents.tools.tool import ToolError

_SHOWN = 10
"""Failures that are shown with their message; of the others only the ids are."""
_NAMED = 60
_FRAMES = 5
_MESSAGE = 1_200
"""Characters of a failure's message."""
_OUTCOMES = ("failed", "error", "passed", "xpassed", "xfailed", "skipped")


@dataclass(frozen=True)
class Narrowed:
    """The tests that are asked for: ids, or what they begin with (a file, a class, a test without its parameters);
    empty for all."""

    tests: tuple[str, ...] = ()

    def holds(self, test: str) -> bool:
        """Whether the test is one of them."""
        return not self.tests or any(
            test == each or test.startswith((f"{each}::", f"{each}[", f"{each}/")) for each in self.tests
        )

    def refuse_unknown(self, reports: Iterable[TestReport]) -> None:
        """Raise `ToolError` when what is asked for is in no report, unless problems kept tests from being found."""
        found = list(reports)
        known = [test.id for report in found for test in report.tests]
        for each in self.tests:
            if not any(Narrowed((each,)).holds(test) for test in known) and not any(r.problems for r in found):
                raise ToolError(f"no test is called {each!r}; {did_you_mean(each, known)}run without tests for all")


def report_text(report: TestReport, draft: Draft, narrowed: Narrowed) -> str:
    """The report for a model to read."""
    tests = [test for test in report.tests if narrowed.holds(test.id)]
    failing = [*report.problems, *(test for test in tests if test.outcome in ("failed", "error"))]
    counts: Counter[str] = Counter(test.outcome for test in tests)
    said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _OUTCOMES if counts[outcome]) or "no tests"
    if report.problems:
        said += f", {counted(len(report.problems), 'problem')} outside of tests"
    lines = [said]
    for test in failing[:_SHOWN]:
        lines += ["", *_failure(test, draft)]
    rest = failing[_SHOWN:]
    if rest:
        named = [test.id or "outside of tests" for test in rest[:_NAMED]]
        lines += ["", f"{len(rest)} more fail; run them by their ids to see why:", *named]
        lines += [f"[... {len(rest) - _NAMED} more ...]"] if len(rest) > _NAMED else []
    return "\n".join(lines)


def _failure(test: TestResult, draft: Draft) -> list[str]:
    said = f"{test.exception}: {test.message}" if test.exception and test.message else test.exception or test.message
    said = as_shown(said)
    message = said if len(said) <= _MESSAGE else f"{said[:_MESSAGE]} [... cut]"
    lines = [f"{'FAILED' if test.outcome == 'failed' else 'ERROR'} {test.id or '(outside of tests)'}"]
    lines += [f"  {line}" for line in message.strip().split("\n")]
    left_out = len(test.frames) - _FRAMES
    if left_out > 0:
        lines.append(f"  [... {counted(left_out, 'outer frame')} left out ...]")
    lines += [f"  at {path}:{line}{_source(draft, path, line)}" for path, line in test.frames[-_FRAMES:]]
    return lines


def _source(draft: Draft, path: str, line: int) -> str:
    """The line itself, when the draft has it."""
    try:
        lines = as_shown(text_of(path, draft.peek(path))).split("\n")
    except ReplyError:
        return ""
    return f"  {clipped(lines[line - 1].strip(), 160)}" if 0 < line <= len(lines) else ""
