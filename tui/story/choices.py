"""The changes of which one may be meant, where others than the one that holds make every test pass: a line each."""

from __future__ import annotations

from treadle.tui.result import Result
from treadle.tui.story.line import Line


def asked(result: Result) -> str:
    """What a person is asked."""
    return f"Which change is meant? 1 to {len(result.rivals) + 1} pass every test, and do otherwise"


def choice_lines(key: str, result: Result) -> list[Line]:
    """Each change, and below it what comes of the calls by which they are told apart. All of it has the number by which
    it is chosen."""
    return [
        Line(
            f"{key}.{number}",
            "choice",
            f"{number}. {change}",
            number=number,
            children=[
                Line(
                    f"{key}.{number}.{n}",
                    "choice",
                    each.call,
                    result="".join(each.answers[number - 1 : number]),
                    number=number,
                )
                for n, each in enumerate(result.disagreements, 1)
            ],
        )
        for number, change in enumerate(("this patch", *result.rivals), 1)
    ]
