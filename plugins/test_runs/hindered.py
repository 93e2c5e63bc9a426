"""Tests that fail because of the sandbox, and of nothing that code could mend: it lets no job use a network, nor do
what only the machine's owner may."""

from __future__ import annotations

from treadle.core.testrun import TestReport, TestResult

_REFUSED = "[Errno 1] Operation not permitted"
"""What the system says to who may not do what they ask; a wrapped error mostly repeats it."""
_UNRESOLVED = "gaierror"


def is_hindered(test: TestResult) -> bool:
    """Whether the sandbox is what this test failed of, as far as its error tells."""
    return _REFUSED in test.message or test.exception.rpartition(".")[2] == _UNRESOLVED


def hindered(report: TestReport) -> frozenset[str]:
    """The tests of this run that it keeps from what they do."""
    return frozenset(test.id for test in report.tests if test.outcome in ("failed", "error") and is_hindered(test))
