"""Each test that takes `treadle_plugin` runs twice: inside of this process, and in a process apart, as in Treadle."""

from __future__ import annotations

from pathlib import Path

import pytest
from treadle import Attempt, Candidate, Execution, FileChange, Outcome, Output, Task, Verdict
from treadle.testing import LoadPlugin, Trial

from treadle_lesson_book.book import Book, Entry
from treadle_lesson_book.recalling import best

FAILED = Execution(job="tests", verdict="error", stderr=Output(head="AssertionError: spread is 7\n"))


def task(number: int, text: str = "") -> Task:
    return Task(id=f"t{number}", kind="fix", project="/project", python="python", text=text)


def tried(number: int, remedy: str, path: str = "stats.py", helped: bool = True) -> Attempt:
    candidate = Candidate(files=(FileChange(path=path, content=b""),), why=f"{remedy} it is", remedy=remedy)
    return Attempt(
        number=number,
        candidate=candidate,
        verdict=Verdict(state="passed" if helped else "failed", reasons=("still wrong",)),
    )


def remember(plugin: Trial, number: int, *attempts: Attempt) -> None:
    outcome = Outcome(task=task(number), state="SOLVED", attempts=attempts, baseline=(FAILED,))
    plugin.call("treadle_remember", outcome=outcome)


def test_what_helped_is_recalled_before_what_did_not(treadle_plugin: LoadPlugin) -> None:
    plugin = treadle_plugin("treadle_lesson_book")
    assert plugin.call("treadle_recall", task=task(0)) == ()
    remember(plugin, 1, tried(1, "operator", helped=False), tried(2, "constant"))
    remember(plugin, 1, tried(1, "operator", helped=False), tried(2, "constant"))
    remember(plugin, 2, tried(1, "operator", helped=False))
    first, second = plugin.call("treadle_recall", task=task(3, "the spread is wrong"))
    assert (first.remedy, first.uses, first.successes, first.text) == ("constant", 1, 1, "constant it is")
    assert (second.remedy, second.uses, second.successes, second.text) == ("operator", 2, 0, "still wrong")
    assert first.signature == "AssertionError: spread is N"
    assert plugin.witness.emitted == [("written", {"lessons": 2}), ("written", {"lessons": 1})]


def test_what_is_private_is_not_written_down(treadle_plugin: LoadPlugin) -> None:
    plugin = treadle_plugin("treadle_lesson_book", settings={"private": ["secrets/", "*.pem"], "most": 1})
    attempts = (tried(1, "a", "secrets/key.py"), tried(2, "b", "x/y.pem"), tried(3, "c"), tried(4, "d"))
    remember(plugin, 1, *attempts)
    (lesson,) = plugin.call("treadle_recall", task=task(2))
    assert lesson.remedy in ("c", "d")
    remedies = [entry.remedy for entry in Book(Path(plugin.witness.folder("project"), "lessons.jsonl")).entries()]
    assert remedies == ["c", "d"]


def test_a_torn_line_and_a_line_by_a_person_cost_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "lessons.jsonl"
    entry = Entry(task="t1", failure="KeyError test_b", remedy="a", helped=True, text="", when=1.0)
    assert Book(file).write([entry]) == 1
    with file.open("a") as opened:
        opened.write('a remark of mine\n{"task": "t2", "rem')
    assert Book(file).write([entry]) == 0
    assert Book(file).write([Entry(task="t3", failure="x", remedy="b", helped=False, text="\ud800", when=2.0)]) == 1
    assert [each.task for each in Book(file).entries()] == ["t1", "t3"]


@pytest.mark.parametrize(("about", "first"), [("test_total fails", "sum"), ("test_split fails", "cut"), ("", "cut")])
def test_the_words_of_the_task_decide_first(about: str, first: str) -> None:
    entries = [
        Entry(task="t1", failure="ValueError test_total", remedy="sum", helped=True, text="", when=1.0),
        Entry(task="t2", failure="ValueError test_split", remedy="cut", helped=True, text="", when=2.0),
    ]
    assert next(iter(best(entries, about, 5))).remedy == first
    assert best(entries, about, 0) == ()
