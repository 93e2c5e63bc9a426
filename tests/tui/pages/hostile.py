"""Text that means harm, for what pages show: from the cases that all of Treadle is held against."""

from __future__ import annotations

import json
from pathlib import Path

_FILE = Path(__file__).parents[2] / "cases" / "hostile_output.jsonl"
MARKUP = "[/] [@click=app.bell]press[/] [bold]not[/bold] [red"
OBEYED = ("\x1b", "\x9b", "\x9d", "\x07", "\u202e")


def texts() -> list[str]:
    """The texts of the cases, and one of markup alone."""
    cases = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
    return [MARKUP, *(text for case in cases if (text := case.get("text") or "".join(case.get("chunks", ()))))]
