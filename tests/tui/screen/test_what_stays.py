"""What stays as it is while a session goes on or another one is shown, and what goes with what it belongs to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, calls
from tests.plugins.models.scripted_service import Service
from tests.tui.screen.screen_driver import Driven, drive
from tests.tui.screen.test_deciding import answers, from_, to
from treadle.core.records import RunChoices
from treadle.tui.control.mailbox import Rested
from treadle.tui.story.line import Line


async def solved(screen: Driven) -> None:
    screen.app.session_screen.open_session("last")
    await screen.shows("Fixed: stats.py")


# ------------------------------------------------------------ how a session is looked at


def test_a_session_that_goes_on_is_looked_at_as_before(project: Path, service: Service) -> None:
    first, second = (f"{RIGHT}  # {word}" for word in ("first", "second"))
    answers(service, calls("submit_plan", **PLAN), to(first), FINISH)

    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.press("escape", "d", "ctrl+o")
        await screen.shows("· side by side")
        answers(service, from_(first, second), FINISH)
        await screen.send("/reject otherwise please")
        await screen.shows("· side by side", "# second")
        await screen.until(lambda: not screen.app.control.working)
        await screen.pilot.resize_terminal(160, 60)
        assert shown.view is not None
        assert shown.view.openings.is_open(Line("stage.any", "stage", "any")), "all are open still"

    drive(project, play, (160, 48))


def test_an_earlier_session_is_gone_on_from_also_after_new(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        await screen.send("/new")
        await screen.until(lambda: screen.app.session_screen.story is None)
        screen.app.session_screen.open_session("last")
        await screen.shows("Done: ")
        answers(service, calls("submit_plan", **PLAN), FINISH)
        before = len(service.asked)
        await screen.send("now the mean")
        await screen.until(lambda: len(service.asked) > before)
        assert "mend the spread" in str(service.asked[before].body)

    drive(project, play, (120, 40))


def test_what_an_attempt_changed_is_read_once_however_often_it_is_drawn(project: Path, service: Service) -> None:
    first, second, third = (f"{RIGHT}  # {word}" for word in ("first", "second", "third"))
    answers(service, calls("submit_plan", **PLAN), to(first), FINISH)

    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/accept applies")
        for told, answer in (("/reject otherwise", second), ("/retry 1 again", third)):
            answers(service, from_(first, answer), FINISH)
            await screen.send(told)
            await screen.shows(f"# {answer.rpartition(' ')[2]}", "/accept applies")
        assert shown.view is not None
        store, read = screen.app.control.project.store, []
        events, output = store.events, store.get_output
        store.events = lambda *args, **kw: (read.append("events"), events(*args, **kw))[1]  # type: ignore[method-assign]
        store.get_output = lambda *args: (read.append("output"), output(*args))[1]  # type: ignore[method-assign]
        aside = next(line for line in shown.view.story.root.children if "set aside" in line.title)
        last = shown.view.story.attempts[-1]
        shown.view.change.mode = "files"
        for attempt, wanted in ((aside, ["output"]), (last, ["events", "output"])):
            read.clear()
            for _ in range(5):
                assert shown.view.code(100, attempt)
            assert sorted(read) == wanted

    drive(project, play, (120, 40))


# ------------------------------------------------------------ the header


def test_without_a_session_the_header_tells_of_none(solved_here: Path) -> None:
    async def play(screen: Driven) -> None:
        await solved(screen)
        await screen.shows("shield ")
        await screen.send("/new")
        await screen.until(lambda: "shield" not in screen.text)
        assert screen.text.splitlines()[0].split("%")[0].strip().startswith("treadle · project")
        assert ":" not in screen.text.splitlines()[0], "nothing is timed"

    drive(solved_here, play, (160, 40))


def test_a_session_that_has_a_budget_of_its_own_is_shown_with_that(project: Path, service: Service) -> None:
    answers(service, calls("submit_plan", **PLAN), EDIT, FINISH)

    async def play(screen: Driven) -> None:
        await screen.send("/budget 1.5")
        await screen.shows("From now on a session may cost $1.50")
        await screen.send("mend the spread")
        await screen.shows("Done: ", "/ $1.50", "/accept applies")
        screen.app.control.choices = RunChoices()
        header = screen.app.session_screen.header
        header.tell(replace(header.facts, limit_usd=5.0))
        screen.app.session_screen.draw()
        await screen.shows("/ $1.50")
        await screen.send("/budget 3")
        await screen.shows("From now on", "/ $3.00")

    drive(project, play, (140, 40))


# ------------------------------------------------------------ what is told


def test_what_can_be_done_with_a_change_is_told_as_long_as_it_can(project: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.send("/fix")
        await screen.shows("/accept applies this change")
        await screen.press("escape", "f2", "a")
        await screen.shows("stats.py  +1 -1", "· Applied: stats.py")
        assert "✓ Applied" not in screen.text, "the code is in front"
        assert "/accept applies" not in screen.text
        await screen.press("c")
        await screen.shows("Copied: ")
        assert "Applied: " not in screen.text, "what came of the last thing is told"
        await screen.press("u")
        await screen.shows("· Taken back: stats.py")
        assert "Copied" not in screen.text

    drive(project, play, (80, 24))


def test_it_goes_with_the_session(project: Path) -> None:
    async def play(screen: Driven) -> None:
        shown = screen.app.session_screen
        await screen.send("/fix")
        await screen.shows("/accept applies this change")
        shown.tell("This holds whatever is shown.")
        screen.app.mailbox.put(Rested("20261128-004512-x7k2"))
        await screen.shows("is at work no more")
        shown.answer("This came of something.")
        await screen.shows("This came of something.")
        shown.close_session()
        await screen.shows("This holds whatever is shown.")
        assert "/accept applies" not in screen.text
        assert "is at work no more" not in screen.text
        assert "This came of something." not in screen.text

    drive(project, play)
