"""What a failure looked like, in words that the next one of its kind shares."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle import Execution, report_of

_TESTS = 8


def failure_of(baseline: Iterable[Execution]) -> str:
    """The exceptions and the names of the tests that failed, or the last line that a failing command said. Empty when
    nothing failed."""
    parts: dict[str, None] = {}
    for execution in baseline:
        report = report_of(execution)
        if report is not None:
            for test in report.failing[:_TESTS]:
                name = test.id.rpartition("::")[2].partition("[")[0]
                parts[" ".join(filter(None, (test.exception, name)))] = None
        elif execution.verdict != "ok":
            lines = (execution.stderr.text or execution.stdout.text).strip().splitlines()
            parts[re.sub(r"\d+", "N", lines[-1]) if lines else execution.verdict] = None
    return ", ".join(parts)
