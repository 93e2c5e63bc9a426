"""How many tests are over, by what test runners print while they go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.tests_so_far import TestsSoFar

SUITE = """
import pytest, unittest

@pytest.mark.parametrize("n", range(130))
def test_many(n):
    assert n != 7

@pytest.mark.skip(reason="not now")
def test_skipped(): pass

@pytest.mark.xfail
def test_expected(): assert False

class Old(unittest.TestCase):
    def test_old(self): pass
"""
TESTS = 133


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_suite.py").write_text(SUITE)
    return folder


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=folder, stdout=-1, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return done.stdout


@pytest.mark.parametrize(
    ("options", "total"), [((), TESTS), (("-q",), None), (("-v",), TESTS), (("-k", "many or old"), TESTS - 2)]
)
def test_the_tests_of_pytest_are_counted_as_it_prints_them(
    suite: Path, options: tuple[str, ...], total: int | None
) -> None:
    printed = run(suite, "pytest", "-p", "no:cacheprovider", *options)
    so_far, seen = TestsSoFar(), []
    for line in printed.splitlines(keepends=True):
        so_far.add(line)
        seen.append(so_far.done())
    assert so_far.total == total
    assert seen == sorted(seen)
    assert seen[-1] == (total or TESTS), printed
    assert len(set(seen)) > 1, "one after the other"


def test_the_tests_of_unittest_are_counted_in_a_line_that_has_no_end_yet(suite: Path) -> None:
    printed = run(suite, "unittest", "test_suite")
    assert printed.startswith("."), printed
    assert TestsSoFar().done("." * 5) == 5
    so_far = TestsSoFar()
    so_far.add(printed)
    assert so_far.done() == 1


@pytest.mark.parametrize(
    "line", ["Fixes", "sure", "see: s", "E       s", "key=s", "ok 1 - a::b", "x" * 500, "a.py::b PASSED on"]
)
def test_other_lines_are_no_tests(line: str) -> None:
    so_far = TestsSoFar()
    so_far.add(f"{line}\n")
    assert (so_far.done(line), so_far.total) == (0, None)


@given(st.text())
def test_any_text_can_be_printed(text: str) -> None:
    so_far = TestsSoFar()
    so_far.add(text)
    assert so_far.done(text) >= 0
