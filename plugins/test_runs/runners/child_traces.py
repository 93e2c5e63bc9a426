"""What the processes that a run starts put down of their executed lines (`child_tracer`), gathered by the run.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable

from treadle.plugins.test_runs.runners.fork_lines import ForkLines, teller

CHILD_TRACER_FLAG = "--child-tracer"
"""Followed, among a runner's arguments, by the source text of `child_tracer`."""


class ChildTraces:
    """Has the Python processes of one run traced. With an empty `source` there is nothing to gather."""

    def __init__(self, folder: str, source: str, root: str) -> None:
        self._folder = os.path.join(folder, "trace")
        self._source = source
        self._root = root or os.getcwd()
        self._forks = ForkLines(self._folder)

    def of_forks(self) -> Callable[[str, str, int], None]:
        """What forks of the run's own process are to tell of each line that they execute."""
        return teller(self._folder)

    def prepare(self, environment: Any) -> None:
        """Put down the tracer, and set what makes every Python process started with `environment` load it."""
        if not self._source:
            return
        os.makedirs(self._folder, exist_ok=True)
        with open(os.path.join(self._folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
            file.write(self._source)
        rest = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = self._folder + (os.pathsep + rest if rest else "")
        environment["TREADLE_TRACE"] = self._folder
        environment["TREADLE_TRACE_ROOT"] = self._root

    def take(self) -> tuple[dict[str, set[int]], dict[str, set[int]], set[str]]:
        """Lines, imported lines and files outside of the project from the processes that ended since the last call; of
        forks what they have executed so far."""
        lines: dict[str, set[int]] = {}
        imported: dict[str, set[int]] = {}
        outside: set[str] = set()
        names = os.listdir(self._folder) if self._source else []
        for name in names:
            if name.endswith(".json"):
                path = os.path.join(self._folder, name)
                with open(path, encoding="ascii") as file:
                    seen = json.load(file)
                os.unlink(path)
                add_lines(lines, seen["lines"])
                add_lines(imported, seen["imported"])
                outside.update(seen["outside"])
        for record, file, line in self._forks.take() if self._source else ():
            add_lines(lines if record == "lines" else imported, {file: [line]})
        return lines, imported, outside


def add_lines(record: dict[str, set[int]], more: Any) -> None:
    """Add the lines of each file to the record."""
    for file, numbers in more.items():
        record.setdefault(file, set()).update(numbers)


def sorted_lines(record: dict[str, set[int]]) -> dict[str, list[int]]:
    """The record as it is reported."""
    return {file: sorted(numbers) for file, numbers in record.items() if numbers}


def child_tracer_source(arguments: list[str]) -> str:
    """The source that the arguments of a runner carry, empty when they carry none."""
    if CHILD_TRACER_FLAG not in arguments[:-1]:
        return ""
    return arguments[arguments.index(CHILD_TRACER_FLAG) + 1]
