"""The `sitecustomize` that makes every Python process below a traced run put down the lines it executes.

Runs in the sandbox under any Python from 3.8 on that finds it on `PYTHONPATH`, with the standard library only. Not
seen: started processes that a signal ends, and interpreters that are told to ignore the environment (`-I`, `-E`, `-S`).
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import sys
import uuid

from treadle.plugins.test_runs.runners.fork_lines import teller
from treadle.plugins.test_runs.runners.line_tracer import SourceFiles, line_tracer

TRACE_FOLDER = "TREADLE_TRACE"
"""The variable that names the folder with this file, where each process leaves what it executed."""
TRACE_ROOT = "TREADLE_TRACE_ROOT"
"""The variable that names the project's root."""
TEST_PATTERNS = ("conftest.py", "test_*.py", "*_test.py")


def trace_this_process() -> None:
    """Record until the process ends, and then leave one JSON file."""
    folder = os.environ[TRACE_FOLDER]
    sources = SourceFiles(os.environ.get(TRACE_ROOT, ""), TEST_PATTERNS)
    tracer = line_tracer(sources)
    exit_now = os._exit

    def leave() -> None:
        seen = {"lines": tracer.take(), "imported": tracer.imported(), "outside": sorted(sources.outside)}
        place = os.path.join(folder, uuid.uuid4().hex)
        with open(place, "w", encoding="ascii") as file:
            json.dump(seen, file)
        os.replace(place, place + ".json")

    def leave_and_exit_now(status: int) -> None:
        leave()
        exit_now(status)

    # Forked workers (multiprocessing) end by `os._exit`, which runs nothing that was registered.
    os._exit = leave_and_exit_now  # type: ignore[assignment]
    atexit.register(leave)
    tracer.tell_in_forks(teller(folder))
    tracer.start()


def import_the_hidden_one() -> None:
    """Import the environment's own `sitecustomize`, which this one hides."""
    own = os.environ[TRACE_FOLDER]
    sys.path[:] = [place for place in sys.path if place != own]
    hidden_by = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ModuleNotFoundError:
        if hidden_by is not None:
            sys.modules["sitecustomize"] = hidden_by


if __name__ == "sitecustomize":
    import_the_hidden_one()
    trace_this_process()
