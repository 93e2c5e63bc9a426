"""The changes of which one may be meant, where others than the one that holds make every test pass: a line each."""

from __future__ import annotations

from treadle.tui.result import Result
from treadle.tui.safe_text import visible_line
from treadle.tui.story.line import Line


def asked(result: Result) -> str:
    """What a person is asked."""
    return f"Which change is meant? 1 to {len(result.rivals) + 1} pass every test, and do otherwise"


def choice_lines(key: str, result: Result) -> list[Line]:
    """Each change, and below it what comes of the calls by which they are told apart. All of it has the number by which
    it is chosen, and what a terminal would obey is made visible: it is what a person decides on."""
    changes = ("this patch", *map(visible_line, result.rivals))
    return [
        Line(f"{key}.{number}", "choice", f"{number}. {change}", number=number, children=_ends(key, number, result))
        for number, change in enumerate(changes, 1)
    ]


def _ends(key: str, number: int, result: Result) -> list[Line]:
    told = ((visible_line(each.call), each.answers[number - 1 : number]) for each in result.disagreements)
    return [
        Line(f"{key}.{number}.{n}", "choice", call, result=visible_line("".join(answer)), number=number)
        for n, (call, answer) in enumerate(told, 1)
    ]
