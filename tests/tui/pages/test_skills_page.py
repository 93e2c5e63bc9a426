"""The page of the skills: found, read, copied, their tests run, and those that plugins bring."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.tui.pages.page_driver import drawn, drive_page, narrow_and_wide
from tests.tui.screen.screen_driver import Driven
from tests.tui.test_safe_text import CASES, text_of
from treadle import sandbox
from treadle.skills import catalogue
from treadle.tui.pages import skill_tests
from treadle.tui.pages.skill_lines import Listed, line_of, shipped
from treadle.tui.pages.skills import SkillsPage
from treadle.tui.safe_text import clean_line
from treadle.tui.widgets.row_view import RowView

PLUGIN = """
from treadle import *
from treadle import hookimpl

@hookimpl
def treadle_contributions():
    return (Skill(name="wibble", summary="Make a wibble.", words=("wobble",), signature="wibble() -> int"),
            Skill(name="broken", summary="Break a wibble.", words=("wobble",)))

@hookimpl
def treadle_call(kind, name, arguments, context):
    if name == "broken":
        raise ValueError("broken")
    return "def wibble():\\n    return 1\\n"
"""


@pytest.fixture
def brings(project: Path, home: Path) -> Path:
    """The project, with a plugin of its own that brings skills, and that is trusted."""
    own = project / ".treadle" / "plugins" / "acme.py"
    own.parent.mkdir(parents=True)
    own.write_text(PLUGIN)
    assert Treadle(project, home)("plugin", "trust", "--yes").code == 0
    return project


def of(name: str) -> Listed:
    return shipped(next(skill for skill in catalogue() if skill.name == name))


def test_a_skill_opens_to_its_use_its_code_and_its_tests() -> None:
    skill = of("byte_sizes")
    (closed,) = drawn([line_of(skill, None)], 60)
    assert closed.startswith("▸ · byte_sizes  Write a number of bytes")
    rows = drawn([line_of(skill, None)], 200, opened=True)
    text = "\n".join(rows)
    assert "copy its code into your project (c), or: from treadle.skills.byte_sizes import format_bytes" in text
    assert "    def parse_bytes(" in text
    assert "    def test_" in text, "the text of its tests"
    assert "Found by  bytes, size" in text


def test_where_no_tests_are_installed_it_says_where_they_are() -> None:
    text = "\n".join(drawn([line_of(Listed("x", "X.", code="x = 1\n", module="treadle.skills.x"), None)], opened=True))
    assert "Tests  not installed: they come with Treadle's sources" in text


def test_tests_in_the_sandbox_that_can_not_be_run_say_why() -> None:
    line = skill_tests.line_of("k", sandbox.Result("refused", message="exec python: Permission denied"))
    assert (line.state, line.result) == ("failed", "exec python: Permission denied")
    cancelled = threading.Event()
    cancelled.set()
    tests = of("chunked").tests
    assert tests is not None
    assert skill_tests.run_tests((tests,), cancelled).verdict == "killed"


def test_what_a_skill_s_tests_want_of_the_machine_the_sandbox_grants_or_they_say_that_it_does_not() -> None:
    """Of all skills in one run. What hypothesis tries many times is left out, for it takes long: those are functions of
    values, but for one, whose other tests are here."""
    tests = [found for skill in map(shipped, catalogue()) if (found := skill.tests) is not None]
    assert len(tests) == len(catalogue())
    result = skill_tests.run_tests(tests, threading.Event(), "-m", "not hypothesis", "-rs")
    printed = result.stdout.data.decode()
    assert result.ok, printed
    skipped = [line for line in printed.splitlines() if line.startswith("SKIPPED")]
    assert all("is forbidden here" in line or "only root" in line for line in skipped), skipped
    assert len(skipped) <= 12, skipped


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_words_of_a_plugin_are_words(case: dict) -> None:
    text = text_of(case)
    skill = Listed("x", text, (text,), text, text, plugin="acme")
    for row in drawn([line_of(skill, None)], opened=True):
        assert clean_line(row).split() == row.split()


@narrow_and_wide
def test_a_skill_is_found_copied_and_tested(project: Path, size: tuple[int, int]) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("atomic_write          Write a whole file", "c Copy code", "t Run tests")
        await screen.press("slash", *"retry", "enter")
        await screen.until(lambda: "retry " in screen.app.screen.query_one("#found", RowView).rows[0].text)
        await screen.press("home", "c")
        await screen.shows("The code of retry is copied.")
        assert screen.app.clipboard == of("retry").code
        await screen.press("t")
        await screen.shows("✓ retry", " passed")
        await screen.press("enter")
        await screen.shows("How to use it", "✓ Tests in the sandbox")
        await screen.press("slash", *"xyzzy")
        await screen.shows("Nothing here holds these words.")

    drive_page(project, SkillsPage, play, size)


def test_tests_that_run_end_when_the_person_leaves(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def run_until_cancelled(tests: Sequence[Path], cancel: threading.Event) -> sandbox.Result:
        begun.set()
        if cancel.wait(60):
            ended.set()
        return sandbox.Result("killed")

    monkeypatch.setattr(skill_tests, "run_tests", run_until_cancelled)

    async def play(screen: Driven) -> None:
        await screen.shows("t Run tests")
        await screen.press("home", "t")
        await screen.until(begun.is_set)
        await screen.press("escape")
        await screen.until(ended.is_set)
        await screen.until(lambda: not screen.app.threads.at_work)

    drive_page(project, SkillsPage, play)


def test_a_plugin_is_asked_for_the_code_of_its_skill_when_it_is_opened(brings: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("atomic_write")
        await screen.press("slash", *"make", "space", *"wobble", "enter")
        await screen.shows("wibble                Make a wibble. · by the plugin acme")
        await screen.press("home", "c")
        await screen.shows("Open wibble first")
        await screen.press("enter")
        await screen.shows("a plugin hands over no tests", "Code  2 lines")
        await screen.press("c")
        await screen.shows("The code of wibble is copied.")
        assert screen.app.clipboard == "def wibble():\n    return 1\n"

    drive_page(brings, SkillsPage, play)


def test_a_plugin_at_fault_is_named(brings: Path) -> None:
    async def play(screen: Driven) -> None:
        await screen.shows("atomic_write")
        await screen.press("slash", *"break", "enter")
        await screen.shows("broken                Break a wibble.")
        await screen.press("home", "enter")
        await screen.shows("The plugin acme is at fault", "✗ Code  the plugin acme handed over none")

    drive_page(brings, SkillsPage, play)
