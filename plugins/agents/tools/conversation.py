"""Turning to the person, and ending the work."""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

from treadle.core.records import Question
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError

_LONGEST_QUESTION = 2_000
_LONGEST_OPTION = 200


class AskPersonArguments(Arguments, frozen=True, kw_only=True):
    """Ask the person to choose. They may take long: ask only what the project does not tell, and what would be done
    otherwise depending on the answer."""

    question: Annotated[str, Meta(description="The question, with what is needed to answer it")]
    options: Annotated[
        tuple[str, ...], Meta(min_length=2, max_length=6, description="The answers to choose from, short ones")
    ]


class FinishArguments(Arguments, frozen=True, kw_only=True):
    """End the work. Nothing can be done after it: call it alone, when what was asked for is done, or can't be."""

    summary: Annotated[str, Meta(description="What was done and why, or why it can't be done, in a few sentences")]


def _ask_person(arguments: AskPersonArguments, desk: Desk) -> str:
    text, options = arguments.question.strip(), tuple(option.strip() for option in arguments.options)
    if not text or len(text) > _LONGEST_QUESTION:
        raise ToolError(f"a question has 1 to {_LONGEST_QUESTION} characters; this one has {len(text)}")
    if len(set(options)) < len(options) or any(not each or len(each) > _LONGEST_OPTION for each in options):
        raise ToolError(f"the options must differ, and have 1 to {_LONGEST_OPTION} characters each")
    # The same question has the same id, and with it the answer that the person has given before.
    asked = hashlib.sha256("\0".join((text, *options)).encode()).hexdigest()[:16]
    answer = desk.context.ask(Question(id=f"tool-{asked}", text=text, options=options, kind="choose"))
    desk.known.forget()
    return f"the person answered: {answer}"


def _finish(arguments: FinishArguments, desk: Desk) -> str:
    if not arguments.summary.strip():
        raise ToolError("the summary is empty: say what was done")
    return arguments.summary.strip()


ASK_PERSON = OwnTool("ask_person", AskPersonArguments, _ask_person)
FINISH = OwnTool("finish", FinishArguments, _finish, ends=True)
