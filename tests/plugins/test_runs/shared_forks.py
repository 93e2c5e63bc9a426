"""Tries changes by what stands for a run of tests, and tells which of them one process has tried.

`python -m tests.plugins.test_runs.shared_forks NUMBER [WHAT [CHANGE ...]]`: so many changes; WHAT is what a run does or
has. A program of its own, since threads keep forks from being made, and a test may run beside some.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from typing import Any

from treadle.plugins.test_runs.runners.live_code import LiveCode
from treadle.plugins.test_runs.runners.remembered import Remembered
from treadle.plugins.test_runs.runners.trials import Trials

OLD = "def first(): return 0\n"


def main(number: int, what: str, changes: set[int]) -> None:
    """Try them, and print their numbers by process."""
    names: dict[str, Any] = {"__name__": "subject", "kept": []}
    if what == "has an iterator":
        names["stream"] = itertools.count()
    exec(compile(OLD, "subject.py", "exec"), names)
    runs = itertools.count()

    def run(_: float) -> tuple[list[Any], bool]:
        change = names["first"]()
        if what == "keeps" and change in changes:
            names["kept"].append(change)
        if what == "ends the process behind others" and next(runs) and change in changes:
            os._exit(1)
        said = str(next(runs)) if what == "ends otherwise" else ""
        tests = [{"id": str(os.getpid()), "outcome": "passed", "exception": said}, {"id": str(change), "outcome": ""}]
        return tests, what != "is not clean"

    swaps = [{"path": "subject.py", "line": 1, "old": OLD, "new": OLD.replace("0", str(n))} for n in range(number)]
    live = LiveCode(lambda name: name if name == "subject.py" else None)
    trials = Trials(run, 1, time.monotonic() + 60.0, Remembered([names]))
    answers = trials.answers([{"swaps": [swap], "test_timeout_s": 5.0} for swap in swaps], live, "")
    found: dict[str, list[int]] = {}
    for change, answer in enumerate(answers):
        process, tried = (test["id"] for test in answer["tests"])
        assert tried == str(change)
        found.setdefault(process, []).append(change)
    print(json.dumps(list(found.values())))


if __name__ == "__main__":
    main(int(sys.argv[1]), " ".join(sys.argv[2:3]), set(map(int, sys.argv[3:])))
