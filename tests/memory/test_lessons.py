from __future__ import annotations

import importlib
import re
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core import testrun
from treadle.core.records import Attempt, Candidate, CollectedFile, Execution, Lesson, Outcome, Output, Task, Verdict
from treadle.plugins.memory import lessons
from treadle.plugins.memory.lesson_store import LessonStore, Taught, words_asked
from treadle.plugins.memory.remembering import MOST_RECALLED
from treadle.plugins.memory.signature import normalised, signature_of
from treadle.plugins.memory.sqlite_lessons import match_query, open_file

ROOT = Path(__file__).parents[2]


class Kept:
    """A context with a folder and settings of its own, and the lines that were logged; `plugin` is whose it is."""

    def __init__(self, folder: Path, plugin: Any = lessons, **settings: object) -> None:
        self._folder, self._settings = folder, settings
        self.plugin = plugin
        self.lines: list[str] = []

    def settings(self) -> dict[str, object]:
        return {**{each.name: each.default for each in self.plugin.treadle_settings()}, **self._settings}

    def folder(self, scope: str) -> str:
        return str(self._folder)

    def log(self, level: str, message: str, **fields: object) -> None:
        self.lines.append(f"{level}: {message}")

    def note(self, text: str) -> None:
        self.lines.append(f"note: {text}")


def treadle_recall(task: Task, context: Kept) -> tuple[Lesson, ...]:
    recalled: tuple[Lesson, ...] = context.plugin.treadle_recall(task=task, context=context)
    return recalled


def treadle_remember(outcome: Outcome, context: Kept) -> None:
    context.plugin.treadle_remember(outcome=outcome, context=context)


def task(number: int, project: str = "/p/alpha", text: str = "") -> Task:
    return Task(id=f"t{number}", kind="fix", project=project, python="python", text=text)


def failing(
    name: str, message: str = "assert 3 == 4", exception: str = "AssertionError", passing: str = ""
) -> Execution:
    """A run in which that test fails; another one passes where it is named."""
    result = testrun.TestResult(
        id=f"tests/test_m.py::{name}",
        outcome="failed",
        message=message,
        exception=exception,
        frames=(("tests/test_m.py", 3), ("src/gcd.py", 9)),
    )
    others = (testrun.TestResult(id=passing, outcome="passed"),) if passing else ()
    report = testrun.TestReport(complete=True, tests=(result, *others))
    return Execution(
        job="tests", verdict="error", files=(CollectedFile(name=testrun.REPORT, content=msgspec.json.encode(report)),)
    )


def ended(
    number: int,
    remedy: str = "operator",
    solved: bool = True,
    project: str = "/p/alpha",
    test: str = "test_gcd",
    lessons: tuple[Lesson, ...] = (),
) -> Outcome:
    state = "passed" if solved else "failed"
    attempt = Attempt(
        number=1,
        candidate=Candidate(files=(), why="`%` became `//`", remedy=remedy),
        verdict=Verdict(state=state, reasons=("1 of 1 pass",)),
    )
    return Outcome(
        task=task(number, project),
        state="SOLVED" if solved else "UNSOLVED",
        attempts=(attempt,),
        baseline=(failing(test),),
        lessons=lessons,
    )


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bool], Kept]:
    """Makes a context for either plugin, whose lessons stay in the project or are shared by all."""
    if request.param == "sqlite":
        return lambda shared: Kept(tmp_path, path=str(tmp_path / "shared.db") if shared else "")
    server = request.getfixturevalue("postgres")
    # Lessons are shared by the projects of one user, so each test is another one.
    user = f"user_{secrets.token_hex(6)}"
    server.execute(f"CREATE ROLE {user} LOGIN", f"GRANT CREATE ON DATABASE treadle TO {user}")
    plugin = importlib.import_module("treadle.plugins.memory.in_postgres")
    return lambda shared: Kept(tmp_path, plugin, url=server.url(user), shared=shared)


@pytest.fixture
def context(kept: Callable[[bool], Kept]) -> Kept:
    return kept(False)


@pytest.fixture
def shared(kept: Callable[[bool], Kept]) -> Kept:
    return kept(True)


def test_what_mended_a_failure_is_recalled_in_the_next_session(context: Kept) -> None:
    treadle_remember(outcome=ended(1), context=context)
    (lesson,) = treadle_recall(task=task(2), context=context)
    assert lesson.remedy == "operator"
    assert "AssertionError" in lesson.signature and "gcd" in lesson.signature
    assert "mended by operator" in lesson.text
    assert (lesson.uses, lesson.successes) == (1, 1)


def test_the_same_session_told_twice_counts_once(context: Kept) -> None:
    treadle_remember(outcome=ended(1), context=context)
    treadle_remember(outcome=ended(1), context=context)
    (lesson,) = treadle_recall(task=task(2), context=context)
    assert lesson.uses == 1


def test_the_same_failure_with_the_same_remedy_is_one_lesson_with_counts(context: Kept) -> None:
    for number, solved in enumerate((True, False, True)):
        treadle_remember(outcome=ended(number, solved=solved), context=context)
    (lesson,) = treadle_recall(task=task(9), context=context)
    assert (lesson.uses, lesson.successes) == (3, 2)


def test_an_unsolved_session_is_remembered_too(context: Kept) -> None:
    outcome = Outcome(task=task(1), state="UNSOLVED", baseline=(failing("test_gcd"),), reason="no candidate passed")
    treadle_remember(outcome=outcome, context=context)
    (lesson,) = treadle_recall(task=task(2), context=context)
    assert (lesson.remedy, lesson.successes) == ("", 0)
    assert "no candidate passed" in lesson.text


def test_what_failed_before_and_still_does_was_mended_by_nothing(context: Kept) -> None:
    solved = ended(1, remedy="model")
    attempt = msgspec.structs.replace(solved.attempts[0], executions=(failing("test_gcd", passing="test_lcm"),))
    asked = msgspec.structs.replace(task(1, text="rewrite the readme"), kind="run")
    treadle_remember(outcome=msgspec.structs.replace(solved, task=asked, attempts=(attempt,)), context=context)
    (lesson,) = treadle_recall(task=task(2), context=context)
    assert lesson.signature == "rewrite the readme"
    assert "gcd" not in lesson.text
    assert "mended" not in lesson.text


@pytest.mark.parametrize("ran", [(), (failing("test_gcd"),)])
def test_a_change_that_nothing_has_passed_with_teaches_nothing(ran: tuple[Execution, ...], context: Kept) -> None:
    asked = msgspec.structs.replace(task(1, text="rewrite the readme"), kind="run")
    solved = ended(1, remedy="model")
    attempt = msgspec.structs.replace(solved.attempts[0], executions=ran)
    treadle_remember(outcome=msgspec.structs.replace(solved, task=asked, attempts=(attempt,)), context=context)
    assert treadle_recall(task=task(2), context=context) == ()


def test_a_passing_attempt_that_the_person_did_not_take_is_no_success(context: Kept) -> None:
    outcome = msgspec.structs.replace(ended(1), state="STOPPED")
    treadle_remember(outcome=outcome, context=context)
    (lesson,) = treadle_recall(task=task(2), context=context)
    assert lesson.successes == 0


def test_a_recalled_lesson_gains_a_use_and_a_success_when_its_remedy_helped(context: Kept) -> None:
    treadle_remember(outcome=ended(1), context=context)
    recalled = treadle_recall(task=task(2), context=context)
    treadle_remember(outcome=ended(2, test="test_other", lessons=recalled), context=context)
    treadle_remember(outcome=ended(3, remedy="slice", test="test_third", lessons=recalled), context=context)
    first = next(k for k in treadle_recall(task=task(4), context=context) if k.id == recalled[0].id)
    assert (first.uses, first.successes) == (3, 2)


def test_what_helped_more_often_comes_first(context: Kept) -> None:
    for number in range(4):
        treadle_remember(outcome=ended(number, remedy="never", solved=False), context=context)
        treadle_remember(outcome=ended(10 + number, remedy="always"), context=context)
        treadle_remember(outcome=ended(20 + number, remedy="half", solved=number % 2 == 0), context=context)
    assert [k.remedy for k in treadle_recall(task=task(99), context=context)] == ["always", "half", "never"]


def test_a_lesson_of_this_project_comes_before_an_equal_one_of_another(shared: Kept) -> None:
    treadle_remember(outcome=ended(1, remedy="mine", project="/p/mine"), context=shared)
    treadle_remember(outcome=ended(2, remedy="theirs", project="/p/theirs"), context=shared)
    assert [k.remedy for k in treadle_recall(task=task(3, "/p/mine"), context=shared)] == ["mine", "theirs"]
    assert [k.remedy for k in treadle_recall(task=task(3, "/p/theirs"), context=shared)] == ["theirs", "mine"]


def test_words_of_the_task_bring_up_a_lesson_of_another_project(shared: Kept) -> None:
    treadle_remember(outcome=ended(1, remedy="a", project="/p/x", test="test_leap_year"), context=shared)
    treadle_remember(outcome=ended(2, remedy="b", project="/p/y", test="test_queue"), context=shared)
    about_leap = task(3, "/p/z", text="the leap year is wrong")
    assert treadle_recall(task=about_leap, context=shared)[0].remedy == "a"


def test_never_more_than_the_bound_and_at_most_two_for_one_remedy(context: Kept) -> None:
    for number in range(60):
        treadle_remember(outcome=ended(number, remedy=f"r{number % 20}", test=f"test_word{number}x"), context=context)
    recalled = treadle_recall(task=task(99), context=context)
    assert len(recalled) == MOST_RECALLED
    remedies = [lesson.remedy for lesson in recalled]
    assert max(remedies.count(r) for r in remedies) <= 2


def test_numbers_texts_paths_and_addresses_do_not_make_another_signature() -> None:
    one = failing("test_gcd[1-2]", "assert 3 == 'a b' at /home/x/y.py <C object at 0x7f00aa>")
    two = failing("test_gcd[8-9]", "assert 77 == 'c' at /srv/z.py <C object at 0x1234567>")
    assert signature_of((one,)) == signature_of((two,)) != signature_of((failing("test_lcm"),))


def test_tests_with_one_letter_names_are_told_apart_by_them() -> None:
    assert signature_of((failing("test_a"),)) != signature_of((failing("test_b"),))


def test_a_plain_command_has_a_signature_from_how_it_ended() -> None:
    run = Execution(job="c", verdict="error", exit_code=2, stderr=Output(head="noise\nboom 12\n"))
    assert signature_of((run,)) == "error 2 | boom N"


def test_a_damaged_file_is_set_aside_with_a_word_and_never_deleted(tmp_path: Path) -> None:
    context = Kept(tmp_path)
    (tmp_path / "lessons.db").write_bytes(b"this is no database" * 100)
    treadle_remember(outcome=ended(1), context=context)
    assert len(treadle_recall(task=task(2), context=context)) == 1
    (aside,) = tmp_path.glob("lessons.db.damaged-*")
    assert aside.read_bytes().startswith(b"this is no database")
    assert any("set aside" in line for line in context.lines)


def test_a_file_that_can_not_be_opened_is_logged_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "not-a-folder").write_text("x")
    context = Kept(tmp_path, path=str(tmp_path / "not-a-folder" / "lessons.db"))
    treadle_remember(outcome=ended(1), context=context)
    assert treadle_recall(task=task(2), context=context) == ()
    assert any("nothing is remembered" in line for line in context.lines)


@pytest.fixture(params=["sqlite", "postgres"])
def lesson_place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Which kind of place for lessons, and where."""
    if request.param == "sqlite":
        return "sqlite", str(tmp_path / "lessons.db")
    server = request.getfixturevalue("postgres")
    user = f"user_{secrets.token_hex(6)}"
    server.execute(f"CREATE ROLE {user} LOGIN", f"GRANT CREATE ON DATABASE treadle TO {user}")
    return "postgres", server.url(user)


def opened(lesson_place: tuple[str, str]) -> LessonStore:
    kind, place = lesson_place
    if kind == "sqlite":
        return open_file(Path(place))
    from treadle.plugins.memory.postgres_lessons import open_schema

    return open_schema(place, Path("/p"))


def test_a_server_that_is_not_named_or_not_there_is_told_and_stops_nothing(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    plugin = importlib.import_module("treadle.plugins.memory.in_postgres")
    unnamed, away = Kept(tmp_path, plugin), Kept(tmp_path, plugin, url=f"postgresql://me@/mine?host={tmp_path}")
    for context in (unnamed, away):
        treadle_remember(outcome=ended(1), context=context)
        assert treadle_recall(task=task(2), context=context) == ()
    assert [line for line in unnamed.lines if line.startswith("note: ")], "the person has to mend it"
    assert all("plugins.memory-postgres.url is empty" in line for line in unnamed.lines)
    assert all("can't be reached" in line for line in away.lines)


def test_two_processes_remember_at_once_and_nothing_is_lost(lesson_place: tuple[str, str]) -> None:
    code = """
import sys
from pathlib import Path
from treadle.plugins.memory.lesson_store import Taught
kind, place, name = sys.argv[1:]
if kind == "sqlite":
    from treadle.plugins.memory.sqlite_lessons import open_file
    open_lessons = lambda: open_file(Path(place))
else:
    from treadle.plugins.memory.postgres_lessons import open_schema
    open_lessons = lambda: open_schema(place, Path("/p"))
for n in range(25):
    store = open_lessons()
    store.remember(f"{name}-{n}", "/p", (Taught("sig", "operator", "text", True),), (), float(n))
    store.close()
"""
    running = [
        subprocess.Popen([sys.executable, "-c", code, *lesson_place, name], cwd=ROOT, stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for process in running:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
    store = opened(lesson_place)
    (lesson,) = store.recall("/p", "", 10)
    store.close()
    assert (lesson.uses, lesson.successes) == (50, 50)


def test_the_mended_text_replaces_the_one_that_said_it_did_not_help(lesson_place: tuple[str, str]) -> None:
    store = opened(lesson_place)
    store.remember("1", "/p", (Taught("sig", "r", "did not help zebra", False),), (), 1.0)
    store.remember("2", "/p", (Taught("sig", "r", "mended quagga", True),), (), 2.0)
    assert [k.text for k in store.recall("/p", "", 5)] == ["mended quagga"]
    assert [k.text for k in store.recall("/elsewhere", "quagga", 5)] == ["mended quagga"]
    store.close()


def test_text_that_no_database_can_hold_is_remembered_as_an_escape(context: Kept) -> None:
    outcome = ended(1, remedy="nul \0 and \udcff", project="/p/caf\udce9")
    treadle_remember(outcome=outcome, context=context)
    (lesson,) = treadle_recall(task=task(2, project="/p/caf\udce9"), context=context)
    treadle_remember(outcome=ended(2, remedy="slice", project="/p/caf\udce9", lessons=(lesson,)), context=context)
    assert "nul" in lesson.remedy and "\0" not in lesson.remedy


@settings(deadline=None)
@given(st.text())
def test_no_text_is_a_broken_or_a_commanding_query(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE w USING fts5 (t)")
    connection.execute("INSERT INTO w VALUES ('plain words')")
    query = match_query(words_asked(text))
    assert re.fullmatch(r'("[^\W_]+"( OR "[^\W_]+")*)?', query), "quoted words alone, or nothing"
    if query:  # sqlite3.OperationalError, were it broken
        connection.execute("SELECT * FROM w WHERE w MATCH ?", (query,)).fetchall()
    connection.close()


@pytest.mark.parametrize(
    "text", ['NEAR("a" "b", 5)', "a AND NOT b*", '"; DROP TABLE lessons; --', "col:word", "^start"]
)
def test_operators_in_the_task_are_only_words(context: Kept, text: str) -> None:
    treadle_remember(outcome=ended(1), context=context)
    assert len(treadle_recall(task=task(2, text=text), context=context)) == 1


@settings(deadline=None)
@given(st.text())
def test_a_normalised_message_is_one_short_line(text: str) -> None:
    line = normalised(text)
    assert len(line) <= 160 and "\n" not in line
