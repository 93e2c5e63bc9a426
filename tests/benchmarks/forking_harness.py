"""What the pool is measured against: a fork of this process for each program, as public harnesses for the programs of
code models do it. It protects the machine by limits alone: a program sees all files, the network and its parent.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import multiprocessing
import os
import queue
import resource
import tempfile
from collections.abc import Callable

# What harnesses and programs import about; a fork has it at hand. Numpy counts where it is installed.
USUAL_IMPORTS = (
    "bisect",
    "calendar",
    "cmath",
    "collections",
    "concurrent.futures",
    "contextlib",
    "csv",
    "datetime",
    "decimal",
    "fractions",
    "functools",
    "heapq",
    "io",
    "itertools",
    "json",
    "math",
    "multiprocessing",
    "numpy",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "tempfile",
    "textwrap",
    "typing",
    "unicodedata",
)
for _name in USUAL_IMPORTS:
    with contextlib.suppress(ImportError):
        importlib.import_module(_name)

_FORK = multiprocessing.get_context("fork")
_PASSED, _FAILED = "passed", "failed"
_MEMORY = 4 << 30


def passes_by_manager(program: str, seconds: float) -> bool:
    """Run the program in a fork that leaves its verdict in a list of a manager's, which is a process of its own."""
    with _FORK.Manager() as manager:
        verdicts = manager.list()
        process = _FORK.Process(target=_run, args=(program, verdicts.append))
        process.start()
        _end(process, seconds)
        return list(verdicts) == [_PASSED]


def passes_by_queue(program: str, seconds: float) -> bool:
    """Run the program in a fork that puts its verdict on a queue."""
    verdicts: multiprocessing.Queue[str] = _FORK.Queue()
    process = _FORK.Process(target=_run, args=(program, verdicts.put))
    process.start()
    try:
        return verdicts.get(timeout=seconds) == _PASSED
    except queue.Empty:
        return False
    finally:
        _end(process, seconds)
        verdicts.close()


def _end(process: multiprocessing.process.BaseProcess, seconds: float) -> None:
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()


def _run(program: str, tell: Callable[[str], None]) -> None:
    """In the fork: confine it as far as it goes, and run the program."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            resource.setrlimit(which, (_MEMORY, _MEMORY))
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                exec(program, {"__name__": "__main__"})
            verdict = _PASSED
        except BaseException:  # noqa: BLE001 - however the program ends, that is its verdict
            verdict = _FAILED
        os.chdir("/")
    tell(verdict)
