"""A yes or no of the person, where there is somebody who can say it."""

from __future__ import annotations

import sys

import click

from treadle.core.errors import NeedsPerson
from treadle.tui.typed import yes


def confirmed(question: str, *, instead: str, err: bool = False) -> bool:
    """Whether the person says yes; without an answer, no. `instead` tells what to do where nobody can be asked. Raises
    `NeedsPerson` there. `err`: the question is put on standard error."""
    try:
        return yes(question, err=err)
    except click.Abort:
        if sys.stdin is not None and sys.stdin.isatty():
            raise
        click.echo(err=err)
        raise NeedsPerson(f"{question} Nobody is there to answer: {instead}") from None
