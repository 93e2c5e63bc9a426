"""The page of the metrics: figures, their plots, and the numbers beside these."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.tui.pages.page_driver import drawn, drive_page, narrow_and_wide
from tests.tui.screen.screen_driver import Driven
from tests.tui.test_safe_text import CASES, text_of
from treadle.core.events import Event
from treadle.core.metrics import Metrics, metrics_of
from treadle.tui.pages.metrics import DAYS, MetricsPage, Point, days_to, lines_of
from treadle.tui.safe_text import clean_line
from treadle.tui.widgets.layout import ASCII, UNICODE

TWO = Metrics(
    sessions=2,
    by_state={"SOLVED": 1, "UNSOLVED": 1},
    success_rate=0.5,
    attempts_mean=2.0,
    attempts_median=2.0,
    stage_seconds={"GENERATING": 70.0, "EXECUTING": 50.0},
    jobs=9,
    verdicts={"ok": 6, "timeout": 2, "refused": 1},
    findings={"deny": 3, "ask": 1},
    faults={"search": 2},
    model_requests=4,
    model_tokens=12_400,
    model_usd=0.42,
)
LAST = date(2026, 3, 1)


def told(by_day: dict[str, Metrics], sessions: list[Point], *, opened: bool = False) -> list[str]:
    return drawn(lines_of(TWO, days_to(LAST, by_day), sessions, UNICODE), opened=opened)


def test_each_figure_has_its_number_in_words_and_a_plot_of_thirty_days() -> None:
    rows = told({"2026-02-28": TWO, "2026-03-01": Metrics(sessions=1, success_rate=1.0)}, [])
    text = "\n".join(rows)
    for figure in (
        "Success rate         50% · 1 of 2 finished sessions solved",
        "Attempts to success  2.0 on average · the median is 2",
        "Tokens               12.4k in 4 requests to models",
        "Cost                 $0.420",
        "Time                 2:00 min at work",
        "Violations           3 findings denied · 2 jobs over limits · 1 refused",
        "Plugin faults        search 2",
    ):
        assert figure in text
    assert f"{'╌' * (DAYS - 2)}▅█  last 30 days · highest 100%" in text
    assert f"{'╌' * (DAYS - 2)}█▁  last 30 days · highest 12.4k" in text


def test_what_waits_for_the_person_is_no_finished_session() -> None:
    def success(**by_state: int) -> str:
        counted = metrics_of(
            Event(session=f"{state}{n}", seq=1, time=0.0, kind="session.state", data={"state": state})
            for state, count in by_state.items()
            for n in range(count)
        )
        return drawn(lines_of(counted, days_to(LAST, {}), [], UNICODE))[0].split("rate", 1)[1].strip()

    assert success(SOLVED=1, NEEDS_PERSON=1) == "100% · 1 of 1 finished session solved · 1 waiting"
    assert success(NEEDS_PERSON=2, STOPPED=1) == "no finished session yet · 2 waiting"


def test_a_plot_opens_to_a_number_for_each_that_has_one() -> None:
    sessions = [Point("2026-03-01 12:00", "mend it", TWO), Point("2026-03-01 13:00", "stopped", Metrics(sessions=1))]
    rows = told({"2026-02-28": TWO}, sessions, opened=True)
    assert sum("2026-02-28" in row for row in rows) == 7
    assert not any("2026-02-27" in row for row in rows), "a day without sessions has no row"
    first = next(row for row in rows if "mend it" in row)
    assert first.split() == ["2026-03-01", "12:00", "█" * 10, "50%", "mend", "it"]
    assert sum("stopped" in row for row in rows) == 5, "it came to no end, so it has no rate and no attempts"


def test_all_that_the_command_tells_is_there() -> None:
    text = "\n".join(told({}, [], opened=True))
    for field in Metrics.__struct_fields__:
        assert field.replace("_", " ") in text
    assert "ok 6, timeout 2, refused 1" in text


def test_no_sessions_no_figures() -> None:
    assert lines_of(Metrics(), days_to(LAST, {}), [], UNICODE) == []


def test_without_unicode_it_is_told_in_ascii() -> None:
    rows = drawn(lines_of(TWO, days_to(LAST, {"2026-03-01": TWO}), [], ASCII), opened=True, glyphs=ASCII)
    assert "_" * (DAYS - 1) + "#  last 30 days" in "\n".join(rows).replace("·", "-")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_titles_are_words_beside_a_bar(case: dict) -> None:
    title = text_of(case)
    rows = told({}, [Point("2026-03-01 12:00", title, TWO)], opened=True)
    beside = next(row for row in rows if row.strip().startswith("2026-03-01 12:00"))
    assert clean_line(title)[:20].strip() in beside
    assert clean_line(beside).split() == beside.split()


@narrow_and_wide
def test_the_figures_of_a_real_session_are_read_and_opened(
    solved: Treadle, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREADLE_HOME", str(solved.home))

    async def play(screen: Driven) -> None:
        await screen.shows("Success rate         100% · 1 of 1 finished session solved", "Attempts to success  1.0")
        await screen.press("down", "down", "enter")
        await screen.shows("100%  make the tests pass")
        await screen.press("escape")
        await screen.shows("What should change?")

    drive_page(solved.folder, MetricsPage, play, size)


def test_where_nothing_has_happened_it_says_what_to_do(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("No sessions yet, so nothing to measure.", "/fix starts one")

    drive_page(project, MetricsPage, play)
