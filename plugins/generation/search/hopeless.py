"""Failing tests that no change of the code mends: what they lack is not in the code."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.testrun import TestResult
from treadle.plugins.generation.search.localise import file_of_test, is_source


def lacking(failing: Iterable[TestResult]) -> tuple[str, ...]:
    """What each test that can't be mended lacks, a phrase each: a module that the test's own file imports and nobody
    has, a fixture. A module that is missing where the project's source imports it may only be the wrong one."""
    found = (_lacking(test) for test in failing)
    return tuple(dict.fromkeys(what for what in found if what))


def _lacking(test: TestResult) -> str:
    if test.exception == "FixtureLookupError":
        return f"{test.message} ({test.id})"
    if test.exception == "ModuleNotFoundError":
        file, line = test.frames[-1] if test.frames else (file_of_test(test.id), 0)
        if not is_source(file, frozenset({file_of_test(test.id)})):
            return f"{test.message.lower()} ({file}:{line})"
    return ""
