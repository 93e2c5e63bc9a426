"""What a line that still runs comes to by now."""

from __future__ import annotations

from treadle.core.events import Printed
from treadle.tui.story.line import Line
from treadle.tui.story.now import Now
from treadle.tui.story.running import Spent, bar, spent

GENERATE, RUN = (Line("s", "stage", title, "running") for title in ("Write", "Run the tests"))


def test_tests_have_a_bar_where_their_number_is_known() -> None:
    now = Now(stage="execute", done=5, total=10, counted="tests")
    assert bar(RUN, now) == "━━━━╌╌╌╌ 5 / 10 tests"
    assert bar(RUN, now, ascii_only=True) == "####.... 5 / 10 tests"
    assert bar(RUN, Now(stage="execute", done=5, counted="tests")) == "5 tests"
    assert bar(RUN, Now(stage="execute", done=12, total=10, counted="tests")).endswith("━ 12 / 12 tests")
    assert bar(RUN, Now(stage="execute", total=-5, counted="tests")) == "0 tests", "a plugin may say anything"
    assert bar(GENERATE, now) == "", "they are not of this line"


def test_a_budget_has_a_bar_while_a_model_is_asked() -> None:
    asks = Now(stage="generate", asks=True)
    assert bar(GENERATE, asks, Spent(1.25, 5.0)) == "━━╌╌╌╌╌╌ $1.25 of $5.00"
    assert bar(GENERATE, asks, Spent(6.0, 5.0), ascii_only=True) == "######## $6.00 of $5.00"
    for money in (Spent(0.0, 5.0), Spent(1.0, None), Spent(1.0, 0.0)):
        assert bar(GENERATE, asks, money) == "", "what costs nothing, or has no limit, has none"
    tokens = Spent(1.25, 5.0, 150_000, 200_000)
    assert bar(GENERATE, asks, tokens) == "━━━━━━╌╌ 150,000 of 200,000 tokens", "the one that is nearest to its end"
    assert bar(GENERATE, asks, Spent(0.0, 5.0, 50_000, 200_000)) == "━━╌╌╌╌╌╌ 50,000 of 200,000 tokens"
    assert bar(GENERATE, Now(stage="generate"), Spent(1.25, 5.0)) == ""
    assert bar(RUN, asks, Spent(1.25, 5.0)) == ""
    counted = Now(stage="generate", asks=True, done=1, total=2, counted="candidates tried")
    assert bar(GENERATE, counted, Spent(1.25, 5.0)) == "━━━━╌╌╌╌ 1 / 2 candidates tried"


def test_what_runs_has_the_time_since_it_began_and_what_is_over_the_time_that_it_took() -> None:
    assert spent(Line("s", "stage", "Write", "running", began=100.0), 103.5) == 3.5
    assert spent(Line("s", "stage", "Write", "running", began=100.0), 99.0) == 0.0, "a clock that was put back"
    assert spent(Line("s", "stage", "Write", "ok", began=100.0, seconds=2.0), 200.0) == 2.0
    assert spent(Line("s", "stage", "Write", "ok", began=100.0), 200.0) is None
    assert spent(Line("t", "task", "", "running", began=100.0), 200.0) is None


def test_a_model_that_speaks_is_shown_by_its_last_words_in_one_line() -> None:
    now = Now(words="the first\nwords " + "x" * 60, characters=1234)
    asked = Line("m", "model", "Ask a model", "running")
    assert bar(asked, now) == f"1,234 characters written: {'x' * 60}"
    assert bar(asked, Now(words="why\n not", characters=8, thinking=True)) == "8 characters thought: why not"
    assert bar(asked, Now()) == ""


def test_of_many_jobs_that_print_the_latest_are_told() -> None:
    now = Now()
    for job in ("first", *map(str, range(7)), "first", "last"):
        now.print(Printed(session="s", stage="execute", job=job, text="out"))
    assert list(now.printed) == [*map(str, range(1, 7)), "first", "last"]
