"""reflect-model: a language model says why attempts keep failing, where the rules of `reflect` know nothing better.

The rules go first, and keep their say wherever they see something definite: a change that was denied, that comes a
second time, that helps without harming, or that only its reader objects to. The model can't give a session up: that is
the person's to say, whom the ladder asks in the end.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from msgspec import Meta

from treadle.core.authorship import BY_MODEL
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import BudgetExceeded, NoModel, ReplyError, UnsafePath
from treadle.core.hooks import hookimpl
from treadle.core.records import Attempt, GenerateRequest, Reflection
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.diff_shown import diff_shown
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import PROMPT, prompt, prompt_for
from treadle.plugins.agents.reply_lines import lines_of
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.planning.reflect import helps, only_models_object, reflect

TOOLS = ("outline", "read", "search", "list")
AFTER = 2
_AFTER = Setting(
    name="after",
    default=AFTER,
    least=1,
    summary="The failed attempts of a model from which on it is asked.",
)

Next = Literal["repair", "another", "replan"]
_NEXT: tuple[Next, ...] = get_args(Next)


class SubmitReflectionArguments(Arguments, frozen=True, kw_only=True):
    """Hand in what you make of the attempts. It ends your work."""

    wrong: Annotated[
        str, Meta(min_length=1, description="What is wrong with the attempts so far: the cause, and where")
    ]
    advice: Annotated[str, Meta(min_length=1, description="What the next attempt should do instead")]
    next: Annotated[
        Next,
        Meta(description="repair: go on from the last change; another: begin anew; replan: the plan is wrong"),
    ] = "another"


def _submit(arguments: SubmitReflectionArguments, desk: Desk) -> str:
    if not arguments.wrong.strip() or not arguments.advice.strip():
        raise ToolError("say both what is wrong and what to do instead")
    return arguments.advice


SUBMIT_REFLECTION = OwnTool("submit_reflection", SubmitReflectionArguments, _submit, ends=True)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Its prompt, and from when on it is asked."""
    return (PROMPT, _AFTER)


@hookimpl
def treadle_reflect(attempts: tuple[Attempt, ...], request: GenerateRequest, context: Context) -> Reflection | None:
    """A model's reflection on the attempts; None, which leaves it to the rules, where they know better."""
    after = context.settings().get("after", AFTER)
    assert isinstance(after, int)
    if request.task.kind != "run" or not is_at_a_loss(attempts, after):
        return None
    try:
        ending = _spoken(attempts, request, context)
    except (BudgetExceeded, NoModel, UnsafePath) as error:
        # The rules have an answer of their own.
        context.note(f"no model has reflected on the failed attempts: {error}")
        return None
    return read(ending)


def is_at_a_loss(attempts: tuple[Attempt, ...], after: int) -> bool:
    """Whether the rules can say no more than that it should be tried again, after so many attempts of a model."""
    last = attempts[-1]
    if last.verdict.state != "failed" or sum(attempt.candidate.remedy == BY_MODEL for attempt in attempts) < after:
        return False
    return not (helps(last) or only_models_object(last) or reflect(attempts).next == "give up")


def _spoken(attempts: tuple[Attempt, ...], request: GenerateRequest, context: Context) -> Ending:
    last = attempts[-1].candidate
    try:
        draft = Draft(request.workspace, last.files, task=request.task)
    except ReplyError:
        draft = Draft(request.workspace, task=request.task)
    about = opening(
        request.task,
        Tree(request.workspace, draft.changes()),
        plan=request.plan,
        baseline=request.baseline,
        attempts=attempts,
        lessons=request.lessons,
    )
    desk = Desk(draft=draft, task=request.task, checks=(), context=context)
    return persevere(
        Brief("reflector", prompt_for(context, "reflector"), prompt("reflector-without-tools")),
        f"{about}\n\n{diff_shown('The last attempt', last, request.workspace)}",
        lambda brief, told: converse(brief, told, Toolbox(TOOLS, endings=(SUBMIT_REFLECTION,)), desk),
        context,
        came_to_nothing=lambda ending: read(ending) is None,
    )


_LABEL = re.compile(r"\W*(WRONG|ADVICE|NEXT)\W*:(.*)")
_WORD = re.compile(r"\w+")


def read(ending: Ending) -> Reflection | None:
    """What the conversation came to, by a call or in words; None when nothing can be read from it."""
    if ending.call is not None:
        said = SUBMIT_REFLECTION.arguments(ending.call.arguments)
        return Reflection(wrong=said.wrong, advice=said.advice, next=said.next)
    parts = {} if ending.failed else _parts(ending.text)
    wrong, advice = parts.get("WRONG"), parts.get("ADVICE")
    if not wrong or not advice:
        return None
    word = _WORD.search(parts.get("NEXT", "").lower())
    wanted: Next = next((each for each in _NEXT if word is not None and each == word[0]), "another")
    return Reflection(wrong=wrong, advice=advice, next=wanted)


def _parts(text: str) -> dict[str, str]:
    """What stands behind each label, and on the lines below it up to the next."""
    parts: dict[str, list[str]] = {}
    part: list[str] = []  # what comes before the first label belongs to none
    for line in lines_of(text):
        label = _LABEL.fullmatch(line)
        if label is not None:
            part = parts[label[1]] = []
        part.append(label[2].strip("* ") if label is not None else line)
    return {name: "\n".join(filter(None, lines)) for name, lines in parts.items()}
