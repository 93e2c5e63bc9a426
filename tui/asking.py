"""A question put to whoever sits at the terminal. Its words are a model's or a plugin's, and are shown as such."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from treadle.core.errors import UsageError
from treadle.core.records import Question
from treadle.tui.asked_about import code_lines, once_more, with_code
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line, shortened, visible_line
from treadle.tui.spoken import numbered

_LONGEST = 30
"""Characters of what was no answer that are repeated."""


def heard(question: Question, text: str) -> tuple[str, str] | None:
    """The answer that a person's line stands for, and their words for it ("" for none): an answer as it is shown, or
    its number, with words behind that where it takes some. Of a plan several words of theirs are what should be
    otherwise; elsewhere they might be meant for anything. None where it stands for no answer."""
    text = text.strip()
    options = question.options
    named = next((option for option in options if visible_line(option) == text), None)
    if named is not None:
        return named, ""
    number, words = numbered(text)
    if number is not None and 1 <= number <= len(options):
        option = options[number - 1]
        words = "" if words == visible_line(option) else words  # as the answers are listed: `3 stop`
        return (option, words) if not words or option in question.with_words else None
    if takes_any_words(question) and " " in text:
        return question.with_words[0], text
    return None


def by_number(options: Sequence[str]) -> str:
    """The answers as a person is told them: each behind its number."""
    return ", ".join(f"{place} {visible_line(option)}" for place, option in enumerate(options, 1))


def no_answer(question: Question) -> UsageError:
    """What is said to a person whose line stands for no answer, and is no task either while the question waits."""
    return UsageError(
        f"{clean_line(question.text)} That waits for an answer, or its number: {by_number(question.options)}. "
        "After /new, a task is one again"
    )


def takes_any_words(question: Question) -> bool:
    """Whether a line in the person's own words can only be about what is asked."""
    return question.kind == "continue" and bool(question.with_words)


def ask(question: Question) -> tuple[str, str]:
    """The answer, one of the options, and what the person says with it; "" where it takes no words, or they say
    nothing. Raises `click.Abort`."""
    import click  # only here: the screen, which asks in its own way, reads what is said in this file

    for detail, excerpt in with_code(question.details, question.code):
        tell(f"  {visible_line(detail)}")
        for line in code_lines(excerpt):
            click.echo(f"    {line}".rstrip())

    def answer(text: str) -> tuple[str, str]:
        said = heard(question, text)
        if said is None:
            raise click.UsageError(f"{shortened(visible_line(text), _LONGEST)!r} is none of the answers, nor a number")
        return said

    freely = ", or what should be otherwise" if takes_any_words(question) else ""
    if about := once_more(question.text, question.details, question.code):
        tell(visible_line(about))
    # A line of its own, which leaves room for what is written.
    tell(f"{clean_line(question.text)} ({by_number(question.options)}{freely})")
    option, words = click.prompt("Answer", value_proc=answer)
    if option in question.with_words and not words:
        said: str = click.prompt("Why, or what instead (enter for nothing)", default="", show_default=False)
        words = said.strip()
    return option, words


def answer_option(options: Sequence[str]) -> str:
    """An answer as a person would write it for a shell, which runs nothing of what stands in it: the first option that
    can be written as it is shown. Empty where there is nothing to choose from."""
    first = next((option for option in options if option and visible_line(option) == option), "ANSWER")
    return f" --answer {shlex.quote(first)}" if options else ""
