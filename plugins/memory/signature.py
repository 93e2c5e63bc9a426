"""What a failure looked like, as words that stay the same when numbers, texts and addresses in it change."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.records import Execution
from treadle.core.testrun import TestResult, report_of

NOTHING_FAILED = "nothing failed"

_TESTS = 12
_MESSAGE = 160
# The order matters: addresses hold digits, texts hold anything.
_VARIABLE = (
    (re.compile(r"\"(?:[^\"\\]|\\.){0,400}\"|'(?:[^'\\]|\\.){0,400}'"), "S"),
    (re.compile(r"0x[0-9a-fA-F]+"), "0x"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\w.-]*/)+[\w.-]+"), "PATH"),
    (re.compile(r"(?<![A-Za-z_])\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?"), "N"),
    (re.compile(r"\s+"), " "),
)


def signature_of(baseline: Iterable[Execution]) -> str:
    """Exception types, words of the failing tests' names, the first message and the files of the traceback; for a plain
    command how it ended and the last line that it said."""
    parts: list[str] = []
    for execution in baseline:
        report = report_of(execution)
        if report is not None and report.failing:
            parts.append(_of_tests(report.failing))
        elif report is None and execution.verdict != "ok":
            said = (execution.stderr.text or execution.stdout.text).strip().splitlines()
            parts.append(f"{execution.verdict} {execution.exit_code} | {normalised(said[-1] if said else '')}")
        elif report is not None and not report.complete:
            parts.append(f"cut off: {execution.verdict}")
    return " || ".join(parts) or NOTHING_FAILED


def still_fails(before: Iterable[Execution], now: Iterable[Execution]) -> bool:
    """Whether something of what failed before fails now: one of the tests, or a plain command."""
    return not _failing(before).isdisjoint(_failing(now))


def _failing(executions: Iterable[Execution]) -> set[tuple[str, str]]:
    """Jobs, each with a test of it that fails; with no test where the job is a plain command."""
    found: set[tuple[str, str]] = set()
    for execution in executions:
        report = report_of(execution)
        if report is not None:
            found |= {(execution.job, test.id or normalised(test.message)) for test in report.failing}
        elif execution.verdict != "ok":
            found.add((execution.job, ""))
    return found


def _of_tests(failing: tuple[TestResult, ...]) -> str:
    exceptions = sorted({test.exception for test in failing if test.exception})
    functions = [_function(test.id) for test in failing[:_TESTS]]
    names = sorted({word for function in functions for word in words(function)} or set(functions))
    files = sorted({path.rpartition("/")[2] for test in failing[:_TESTS] for path, _ in test.frames[-5:]})
    message = normalised(failing[0].message)
    return " | ".join((" ".join(exceptions), " ".join(names), message, " ".join(files)))


def _function(test_id: str) -> str:
    """A test id without its file and its parameters."""
    return test_id.rpartition("::")[2].partition("[")[0]


def normalised(message: str) -> str:
    """The first line of a message with texts, numbers, paths and addresses taken out."""
    line = message.strip().split("\n", 1)[0][:2000]
    for pattern, stand_in in _VARIABLE:
        line = pattern.sub(stand_in, line)
    return line.strip()[:_MESSAGE]


def words(text: str) -> list[str]:
    """The words of a text or an identifier (also of camelCase), lower case, each once, without the shortest."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return list(dict.fromkeys(w.lower() for w in re.findall(r"[^\W_]+", split) if len(w) > 1 and w.lower() != "test"))
