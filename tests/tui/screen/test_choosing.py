"""Other changes make every test pass as well: the person sees that they are asked, about what, and answers by a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screen.screen_driver import Driven, drive

SURROUNDINGS = {
    "TREADLE_PLUGINS__SEARCH__RIVALS": "20",
    "TREADLE_PLUGINS__SEARCH__TRUST_S": "60",
    "TREADLE_PLUGINS__VALIDATE_BEHAVIOUR__LONGEST_SUITE_S": "20",
    "TREADLE_PLUGINS__SEARCH__TRUST_CANDIDATES": "12",
}
WRONG = "def half(n):\n    return n * 2\n"


def test_one_of_the_changes_is_chosen_by_a_key(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "stats.py").write_text(WRONG)
    (project / "test_stats.py").write_text("from stats import half\n\n\ndef test_half():\n    assert half(4) == 2\n")
    for name, value in SURROUNDINGS.items():
        monkeypatch.setenv(name, value)

    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("? Which change is meant?", "1. this patch", "2. stats.py, line 2", "/choose NUMBER takes")
        session = screen.app.session_screen
        assert session.story is not None
        last = session.story.choices
        await screen.press("escape")
        await screen.shows("s Choose")
        await screen.press("home", "s")
        assert session.prompt.text == "/choose ", "the cursor was on none of them"
        session.prompt.text = ""
        await screen.send("/choose")
        await screen.until(lambda: session.prompt.text == "/choose ")
        session.prompt.text = ""
        await screen.press("escape", "end")
        line = session.choice_in_use
        assert line is not None
        assert line.number == last
        await screen.press("s")
        await screen.shows("Fixed: chosen by you: stats.py, line 2", "asked no more")
        assert "s Choose" not in screen.text
        await screen.send("/choose 1")
        await screen.shows("there is nothing to choose from now; /retry 1 goes back to where there was")
        session.prompt.text = ""
        await screen.send("/retry 1")
        await screen.shows("? Which change is meant?", "/choose NUMBER takes")
        await screen.send("/accept")
        await screen.shows("do otherwise  you accepted", "Applied: stats.py")
        assert "? Which" not in screen.text

    drive(project, play, (120, 60))
    assert (project / "stats.py").read_text() != WRONG
