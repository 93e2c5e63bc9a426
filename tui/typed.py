"""What a person types at a prompt of the terminal: yes or no, or a number. They are asked until it is clear."""

from __future__ import annotations

from typing import Any

import click

from treadle.tui.safe_text import clean_line


class _YesOrNo(click.ParamType[bool]):
    name = "yes or no"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        said = str(value).strip().lower()
        if said not in ("y", "yes", "n", "no"):
            self.fail(f"{clean_line(said)!r} is neither yes nor no: type y or n (enter alone is n, Ctrl-C leaves)")
        return said.startswith("y")


class _UpTo(click.ParamType[int]):
    name = "number"

    def __init__(self, last: int) -> None:
        self.last = last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        said = str(value).strip()
        if not (said.isascii() and said.isdecimal() and len(said) < 5 and 1 <= int(said) <= self.last):
            self.fail(f"{clean_line(said)!r} is no number from 1 to {self.last} (enter alone is 1, Ctrl-C leaves)")
        return int(said)


def yes(question: str, *, err: bool = False) -> bool:
    """Whether the person says yes; who types nothing says no. Raises `click.Abort`. `err`: the question is put on
    standard error."""
    said: bool = click.prompt(
        question, default="n", type=_YesOrNo(), show_default=False, prompt_suffix=" [y/N]: ", err=err
    )
    return said


def number(question: str, last: int) -> int:
    """A number from 1 to the last; who types nothing takes 1. Raises `click.Abort`."""
    said: int = click.prompt(question, default="1", type=_UpTo(last))
    return said
