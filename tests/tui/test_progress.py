"""What a person must be told while a session is at work is said by whoever shows it, and never among the events."""

from __future__ import annotations

import io

import pytest

from treadle.core.events import Event
from treadle.tui.progress import LONGEST_STEP, JsonLines, LiveLine, PlainLines, line_of

SAID = "waiting\x1b[2J for it"
TOLD = "note: waiting for it\n"


def test_plain_lines_say_it_between_the_stages() -> None:
    out = io.StringIO()
    with PlainLines(out) as reporter:
        reporter.say(SAID)
    assert out.getvalue() == TOLD


def test_a_live_line_is_wiped_away_before() -> None:
    out = io.StringIO()
    with LiveLine(out) as reporter:
        reporter.say(SAID)
    assert f"\r\x1b[2K{TOLD}" in out.getvalue()


def test_a_program_reads_events_alone(capsys: pytest.CaptureFixture[str]) -> None:
    events = io.BytesIO()
    with JsonLines(events) as reporter:
        reporter.say(SAID)
    assert events.getvalue() == b""
    assert capsys.readouterr() == ("", TOLD)


def test_a_step_of_any_length_is_shown_in_short() -> None:
    plan = {
        "steps": ["x " * 5_000, "short"],
        "checks": [],
        "goal": "change",
        "difficulty": "simple",
        "why_difficulty": "y" * 999,
    }
    data = {"stage": "plan", "seconds": 1.0, "result": plan}
    shown = line_of(Event(seq=1, session="s", kind="stage.finished", time=0.0, data=data)) or ""
    lines = [line.strip() for line in shown.splitlines()[1:]]
    assert [len(line) <= LONGEST_STEP + 1 for line in lines] == [True] * 4
    assert lines[1].endswith("…") and lines[2:] == ["2. short", "files: none is named"]
