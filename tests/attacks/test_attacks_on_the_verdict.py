"""Code under test that wants its failing test to count as passed, run as Treadle runs a project's tests.

The code and what reports on it share a process, so the class can't be closed; each of these is no pass.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.core.records import Execution
from treadle.plugins.validation.tests import compare

Judged = Callable[[str], Execution]

# What a plain run of pytest, judged by its exit code or by what it prints, takes for a success.
FOOL_PYTEST = {
    "leaves with 0": "os._exit(0)",
    "prints a report": "print('===== 1 passed in 0.01s =====', flush=True)\nos._exit(0)",
    "the maker of reports is patched": """
import _pytest.reports as r
r.TestReport.from_item_and_call = classmethod(lambda c, i, call: c(i.nodeid, i.location, {}, "passed", None, call.when))
""",
    "reports are patched": """
import _pytest.reports as r
real = r.TestReport.__init__
def passing(self, node, location, keywords, outcome, text, *rest, **named):
    real(self, node, location, keywords, "passed", None, *rest, **named)
r.TestReport.__init__ = passing
""",
    "becomes another program": "os.execv(sys.executable, [sys.executable, '-c', ''])",
    "skips": "__import__('pytest').skip('not today')",
    "ends the run": "__import__('pytest').exit('done', 0)",
    "leaves in a thread": """
import threading
threading.Thread(target=os._exit, args=(0,)).start()
threading.Event().wait(9)
""",
}


def source_of(body: str) -> str:
    lines = [f"    {line}" for line in body.strip().splitlines()]
    return "\n".join(["import json, os, sys", "", "def f():", *lines, ""])


@pytest.mark.parametrize("how", FOOL_PYTEST)
def test_what_fools_a_plain_run_is_no_pass(judged: Judged, tmp_path: Path, how: str) -> None:
    before = judged(source_of("pass"))
    execution = judged(source_of(FOOL_PYTEST[how]))
    signal = compare(before, execution)
    assert not signal.ok, (signal, execution)
    plain = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_a.py"],
        cwd=tmp_path / "judged",
        capture_output=True,
        check=False,
    )
    assert plain.returncode == 0, plain


def test_an_honest_failure_and_an_honest_pass_are_told_apart(judged: Judged, tmp_path: Path) -> None:
    assert not compare(None, judged(source_of("pass"))).ok
    (tmp_path / "judged" / "test_a.py").write_text("from tested import f\n\ndef test_f():\n    f()\n")
    assert compare(None, judged(source_of("pass"))).ok
