"""Workflow commands of GitHub Actions, which shows each at its line of the change
(https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from treadle.core import paths
from treadle.tui.formats.complaints import Complaint, Level
from treadle.tui.result import Result

_COMMANDS: dict[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}


def github(result: Result, complaints: Iterable[Complaint]) -> str:
    """A line for each complaint, one for what kept the check from its end, and one for each note."""
    complaints = tuple(complaints)
    lines = [_line(_COMMANDS[each.level], each.message, each.rule, each.path, each.line) for each in complaints]
    if result.reason and result.state != "SOLVED" and not complaints:
        lines.append(_line("error", result.reason))
    lines += (_line("notice", note) for note in result.notes)
    return "".join(f"{line}\n" for line in lines)


def _line(command: str, message: str, title: str = "", path: str = "", line: int = 0) -> str:
    about = {
        "file": os.fsencode(paths.decode(path)).decode("utf-8", "replace"),
        "line": str(line or ""),
        "title": f"Treadle: {title}" if title else "Treadle",
    }
    properties = ",".join(f"{name}={_property(value)}" for name, value in about.items() if value)
    return f"::{command} {properties}::{_data(message)}"


def _data(text: str) -> str:
    """A message as the runner reads it: `escapeData` of actions/toolkit, packages/core/src/command.ts. Other characters
    that a log obeys are left out."""
    plain = "".join(c for c in text if c in "\r\n\t" or not paths.is_obeyed(c))
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """`escapeProperty` there."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
