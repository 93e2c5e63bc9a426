"""The report that a run leaves, valid at every moment: a crash loses nothing but the test that was running.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable

# Taken before any code of the project runs: what that puts in their place in the modules changes no report.
_dumps, _open, _write, _pwrite, _replace, _getpid = json.dumps, os.open, os.write, os.pwrite, os.replace, os.getpid

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC

MESSAGE_LIMIT = 2000
"""Characters kept of a failure's message."""


def portable(name: str) -> str:
    """The file name as Treadle writes it: bytes that are not UTF-8, and each `%`, percent-encoded."""
    text = os.fsencode(name).replace(b"%", b"%25").decode("utf-8", "surrogateescape")
    return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in text)


def printable(text: str) -> str:
    """The text with lone surrogates spelt out, which JSON readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def result_of(
    test_id: str,
    outcome: str,
    seconds: float = 0.0,
    message: str = "",
    exception: str = "",
    frames: Iterable[tuple[str, int]] = (),
    lines: dict[str, list[int]] | None = None,
) -> dict[str, Any]:
    """One `TestResult` as plain values."""
    if len(message) > MESSAGE_LIMIT:
        message = message[:MESSAGE_LIMIT] + " [...]"
    result: dict[str, Any] = {"id": printable(test_id), "outcome": outcome, "seconds": round(seconds, 6)}
    if message or exception:
        result.update(message=printable(message), exception=printable(exception), frames=list(frames))
    if lines:
        result["lines"] = lines
    return result


class KeptResults:
    """The results of a run that leaves no report of its own."""

    def __init__(self) -> None:
        self.tests: list[dict[str, Any]] = []

    def begin(self, test_id: str) -> None:
        """A test starts now."""

    def add(self, result: dict[str, Any]) -> None:
        """Add a test that has ended."""
        self.tests.append(result)


class ReportFile:
    """Writes a `TestReport` to `FOLDER/report.json` while the run goes on.

    Until `finish`, the file says `complete: false` and carries no nonce, so that code which ends the process early, or
    copies what it finds there, can't make it a pass. Each update is one `pwrite`. A forked copy of the process (a test
    that forks and goes on) writes nothing.
    """

    def __init__(self, folder: str, runner: str) -> None:
        self.path = os.path.join(folder, "report.json")
        self.tests: list[dict[str, Any]] = []
        self.problems: list[dict[str, Any]] = []
        self.trials: list[dict[str, Any]] = []
        self._runner = runner
        self._owner = _getpid()
        self._fd = _open(self.path, _NEW_FILE, 0o600)
        self._offset = self._end = 0
        self._rewrite()

    def begin(self, test_id: str) -> None:
        """Name the test that starts now: if the process ends before `add`, the report says that it did not end."""
        message = "the test did not end: the process was stopped, or ended itself, while it ran"
        self._write(self._separator() + _dumps(result_of(test_id, "error", message=message)))

    def add(self, result: dict[str, Any]) -> None:
        """Add a test that has ended."""
        if self._is_owner():
            text = self._separator() + _dumps(result)
            self.tests.append(result)
            self._write(text)
            self._offset += len(text)

    def add_problem(self, result: dict[str, Any]) -> None:
        """Add an error outside of any test."""
        if self._is_owner():
            self.problems.append(result)
            self._rewrite()

    def finish(
        self, complete: bool, nonce: str, outside: Iterable[str] = (), imported: dict[str, list[int]] | None = None
    ) -> None:
        """Put the final report in the place of the growing one."""
        if not self._is_owner():
            return
        report = {
            "complete": complete,
            "nonce": nonce,
            "runner": self._runner,
            "problems": self.problems,
            "tests": self.tests,
            "outside": sorted(printable(path) for path in outside),
            "imported": imported or {},
            "trials": self.trials,
        }
        final = self.path + ".new"
        descriptor = _open(final, _NEW_FILE, 0o600)
        data = memoryview(_dumps(report).encode("ascii"))
        while data:
            data = data[_write(descriptor, data) :]
        os.close(descriptor)
        _replace(final, self.path)

    def _is_owner(self) -> bool:
        return _getpid() == self._owner

    def _separator(self) -> str:
        return ", " if self.tests else ""

    def _rewrite(self) -> None:
        head = {"complete": False, "runner": self._runner, "problems": self.problems}
        text = _dumps(head)[:-1] + ', "tests": ['
        text += ", ".join(_dumps(test) for test in self.tests)
        self._offset = 0
        self._write(text)
        self._offset = len(text)

    def _write(self, text: str) -> None:
        if self._is_owner():
            text += "]}"
            end = self._offset + len(text)
            _pwrite(self._fd, text.encode("ascii").ljust(self._end - self._offset), self._offset)
            self._end = max(self._end, end)
