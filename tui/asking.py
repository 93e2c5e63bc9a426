"""A question put to whoever sits at the terminal. Its words are a model's or a plugin's, and are shown as such."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from treadle.core.records import Question
from treadle.tui.asked_about import code_lines, with_code
from treadle.tui.safe_text import clean_line, visible_line


def ask(question: Question) -> str:
    """The answer, one of the options. Raises `click.Abort`."""
    import click  # only here: the screen, which asks in its own way, reads what is said in this file

    for detail, excerpt in with_code(question.details, question.code):
        click.echo(f"  {visible_line(detail)}")
        for line in code_lines(excerpt):
            click.echo(f"    {line}".rstrip())
    shown = {visible_line(option): option for option in reversed(question.options)}  # of two alike the first
    choice = click.Choice([visible_line(option) for option in question.options])
    return shown[click.prompt(clean_line(question.text), type=choice)]


def ask_words(question: Question, answer: str) -> str:
    """What the person wants to say with that answer; empty where it takes no words, or they say nothing. Raises
    `click.Abort`."""
    import click

    if answer not in question.with_words:
        return ""
    said: str = click.prompt("Why, or what instead (enter for nothing)", default="", show_default=False)
    return said.strip()


def answer_option(options: Sequence[str]) -> str:
    """An answer as a person would write it for a shell, which runs nothing of what stands in it: the first option that
    can be written as it is shown. Empty where there is nothing to choose from."""
    first = next((option for option in options if option and visible_line(option) == option), "ANSWER")
    return f" --answer {shlex.quote(first)}" if options else ""
