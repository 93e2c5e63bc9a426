"""What a person must be told while a session is at work is said by whoever shows it, and never among the events."""

from __future__ import annotations

import io

import pytest

from treadle.tui.progress import JsonLines, LiveLine, PlainLines

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
