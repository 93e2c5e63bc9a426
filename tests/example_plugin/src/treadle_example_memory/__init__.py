"""Lessons in a text file: one line for each session that ended well, `signature TAB remedy TAB reason`."""

from __future__ import annotations

from pathlib import Path

from treadle import Context, Lesson, Outcome, Setting, Task, hookimpl

treadle_api_version = 1


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Where the lessons lie, and how many are recalled."""
    return (
        Setting(name="file", default="lessons.txt", summary="The file for the lessons."),
        Setting(name="recall", default=3, least=0, summary="Lessons that are recalled at the most."),
    )


@hookimpl
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """Write a line, when there is something to learn."""
    if outcome.winner is None:
        return
    remedy = outcome.winner.candidate.remedy
    with _file(context).open("a", encoding="utf-8") as file:
        file.write("\t".join(_one_line(text) for text in (outcome.task.text, remedy, outcome.reason)) + "\n")
    context.emit("remembered", {"remedy": remedy})


@hookimpl
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...]:
    """The latest lessons first."""
    file = _file(context)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    count = context.settings()["recall"]
    assert isinstance(count, int)
    return tuple(_lesson(number, line) for number, line in list(enumerate(lines, 1))[::-1][:count])


def _file(context: Context) -> Path:
    return Path(str(context.settings()["file"]))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _lesson(number: int, line: str) -> Lesson:
    signature, remedy, reason = line.split("\t")
    return Lesson(id=f"example-{number}", signature=signature, remedy=remedy, text=reason)
