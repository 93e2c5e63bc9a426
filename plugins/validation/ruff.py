"""validate-ruff: what ruff finds in the changed Python files that it did not find in them before.

Only rules that mean a bug are asked (undefined names, comparisons that are always false, wrong format strings, syntax
that can't run); style never speaks against a change. The project's own configuration is not read: `--isolated`, so that
nothing in a clone decides how it is judged.

Ruff runs outside of the sandbox: it only parses, never imports or runs what it reads, and it lies in Treadle's own
environment, which a job need not be able to see. It gets the text by stdin, an empty environment, a few seconds, and
its answer is read up to a bound. An executable that lies inside the project is never used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.context import Context
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, Signal, Workspace
from treadle.core.tree.sources import LARGEST_SOURCE, before_change, is_python

RULES = "E9,F501,F502,F503,F505,F506,F507,F508,F509,F521,F524,F63,F7,F82,PLE"
"""https://docs.astral.sh/ruff/rules/: E9 and F7 can't run, F5 are wrong formats, F63 comparisons with one outcome, F82
undefined names, PLE pylint's errors."""

_TIMEOUT_S = 10.0
_LARGEST_ANSWER = 4_000_000
_FILES = 50
_DETAILS = 20


class Complaint(msgspec.Struct, frozen=True):
    """One of ruff's findings."""

    code: str
    message: str
    line: int


@hookimpl
def treadle_validate(candidate: Candidate, workspace: Workspace, context: Context) -> tuple[Signal, ...]:
    """One signal of kind `lint`, none when no Python file is changed or ruff can't be run."""
    filled = [c for c in candidate.files if c.content and len(c.content) <= LARGEST_SOURCE]
    changed = [c for c in filled if is_python(c.path, c.content or b"")]
    if not changed:
        return ()
    ruff = find_ruff(workspace.project, os.environ.get("PATH", "").split(os.pathsep))
    if ruff is None:
        context.log("info", "ruff is not installed beside Treadle or on PATH; nothing was linted")
        return ()
    new: list[str] = []
    gone = 0
    for change in changed[:_FILES]:
        after = complaints(ruff, change.path, change.content or b"")
        if after is None:
            context.log("warning", "ruff gave no usable answer in time", path=change.path)
            continue
        before = complaints(ruff, change.path, before_change(workspace, change) or b"") or ()
        known = {(c.code, c.message) for c in before}
        new += [f"{change.path}:{c.line}: {c.message} ({c.code})" for c in after if (c.code, c.message) not in known]
        gone += len(known - {(c.code, c.message) for c in after})
    if not new:
        return (Signal(kind="lint", ok=True, summary="ruff finds nothing new", better=gone),)
    more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
    return (
        Signal(
            kind="lint",
            ok=False,
            summary=f"ruff: {new[0]}{more}",
            details=tuple(new[:_DETAILS]),
            worse=len(new),
            better=gone,
        ),
    )


def find_ruff(project: str, path: Iterable[str]) -> str | None:
    """The ruff beside this Python, else the first on `path` that is not inside the project."""
    for folder in (str(Path(sys.executable).parent), *path):
        place = Path(folder) / "ruff"
        if place.is_absolute() and place.is_file() and os.access(place, os.X_OK):
            inside = Path(project).resolve()
            if not any(found.is_relative_to(inside) for found in (place, place.resolve(), place.parent.resolve())):
                return str(place)
    return None


def complaints(ruff: str, path: str, content: bytes, timeout_s: float = _TIMEOUT_S) -> tuple[Complaint, ...] | None:
    """What ruff says of a source; None when it does not answer within the bounds. Syntax errors are left to
    validate-compile."""
    if not content:
        return ()
    command = [
        ruff, "check", "--isolated", "--no-cache", "--ignore-noqa", "--quiet", "--exit-zero", "--target-version=py313",
        f"--select={RULES}", "--output-format=json-lines", "--stdin-filename", Path(path).name, "-",
    ]  # fmt: skip
    with tempfile.TemporaryFile() as source:
        source.write(content)
        source.seek(0)
        process = subprocess.Popen(
            command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, cwd="/", close_fds=True
        )
    timer = threading.Timer(timeout_s, process.kill)
    timer.start()
    try:
        with process:
            assert process.stdout is not None
            answer = process.stdout.read(_LARGEST_ANSWER)
            if len(answer) == _LARGEST_ANSWER:
                process.kill()
    finally:
        timer.cancel()
    if process.returncode != 0 and len(answer) < _LARGEST_ANSWER:
        return None
    return tuple(_read(answer.splitlines()))


def _read(lines: Iterable[bytes]) -> Iterable[Complaint]:
    for line in lines:
        try:
            found: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
            code, message, row = found["code"], found["message"], found["location"]["row"]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(code, str) and code != "invalid-syntax":
            yield Complaint(code, str(message), int(row))
