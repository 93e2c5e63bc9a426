"""What a run executed, by the names of the files themselves: a link is another name of the file that it leads to, and
only that file can be changed."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from treadle.core.errors import UnsafePath
from treadle.core.testrun import TestReport, TestResult
from treadle.core.tree.workspace import Tree


def with_real_names(report: TestReport, tree: Tree) -> TestReport:
    """The report with the lines and frames of links under the files that they lead to."""
    paths = {path for test in (*report.tests, *report.problems) for path in (*test.lines, *(f for f, _ in test.frames))}
    real = {path: _real_name(path, tree) for path in paths}
    if all(path == name for path, name in real.items()):
        return report
    return msgspec.structs.replace(
        report,
        tests=tuple(_renamed(test, real.__getitem__) for test in report.tests),
        problems=tuple(_renamed(test, real.__getitem__) for test in report.problems),
    )


def _real_name(path: str, tree: Tree) -> str:
    try:
        return tree.real_name(path)
    except (OSError, UnsafePath):
        return path


def _renamed(test: TestResult, real: Callable[[str], str]) -> TestResult:
    lines: dict[str, tuple[int, ...]] = {}
    for path, numbers in test.lines.items():
        lines[real(path)] = tuple(sorted({*lines.get(real(path), ()), *numbers}))
    frames = tuple((real(path), line) for path, line in test.frames)
    return msgspec.structs.replace(test, lines=lines, frames=frames)
