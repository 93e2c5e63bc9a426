"""review-model: a language model reads the change for bugs and security before the person does.

It is asked last: only about a change that the checks speak for, and by default only where the plan calls the task
complex. What it says must change fails the attempt; but where nothing else speaks against a change, it can do so only
`MOST_ROUNDS` times in a session, which the attempts so far tell. After that its objections are shown to the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from treadle.core.authorship import REVIEW
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import BudgetExceeded, NoModel, ReplyError, UnsafePath
from treadle.core.hooks import hookimpl
from treadle.core.records import Attempt, Candidate, Execution, GenerateRequest, Goal, Signal, Workspace
from treadle.core.strategy import judge
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.asked_when import When, asked_when, is_asked
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.diff_shown import diff_shown
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import PROMPT, prompt, prompt_for
from treadle.plugins.agents.reply_lines import lines_of
from treadle.plugins.agents.shown_files import shown_files
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.validation import tests
from treadle.plugins.validation.renamed_tests import renamed_by, under

MOST_ROUNDS = 2
"""Attempts in a session that the reviewer alone may fail."""
MOST_SPOILED = 2
"""Replies in text of which nothing can be taken, one after the other."""
WHEN: When = "complex"
TOOLS = ("outline", "read", "search", "list")
_MOST_OBJECTIONS = 20
_LONGEST = 600
"""Characters of an objection."""


class Objection(Arguments, frozen=True, kw_only=True):
    """Something wrong with the change."""

    path: Annotated[str, Meta(description="The file")]
    line: Annotated[int, Meta(ge=0, description="The line in the file as the change leaves it; 0: the whole file")] = 0
    problem: Annotated[str, Meta(min_length=1, description="What goes wrong, when, and what to do about it")]
    severity: Annotated[
        Literal["must", "should"],
        Meta(description="must: the change is wrong or unsafe as it is; should: it would be better otherwise"),
    ]


class SubmitReviewArguments(Arguments, frozen=True, kw_only=True):
    """Hand in the review. It ends your work."""

    objections: Annotated[
        tuple[Objection, ...], Meta(max_length=_MOST_OBJECTIONS, description="What is wrong; empty when nothing is")
    ]


def _submit(arguments: SubmitReviewArguments, desk: Desk) -> str:
    for objection in arguments.objections:
        _refuse_unknown(objection, desk.draft)
    return "reviewed"


def _refuse_unknown(objection: Objection, draft: Draft) -> None:
    """Raise `ToolError` for a file that is neither in the project nor in the change."""
    if objection.path in {change.path for change in draft.changes()}:
        return
    try:
        there = draft.exists(objection.path)
    except ReplyError as error:
        raise ToolError(str(error)) from None
    if not there:
        raise ToolError(f"there is no file {objection.path}: name one of the change, or of the project")


SUBMIT_REVIEW = OwnTool("submit_review", SubmitReviewArguments, _submit, ends=True)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Its prompt, and when it is asked."""
    return (PROMPT, asked_when(WHEN))


@hookimpl
def treadle_validate(
    candidate: Candidate,
    workspace: Workspace,
    execution: tuple[Execution, ...],
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...] | None:
    """A signal against the change for each objection that must be met, and one with the rest."""
    if request.task.kind != "run" or not candidate.files or not is_asked(context, WHEN, request.plan):
        return None
    known = under(renamed_by(candidate, request.workspace), baseline)
    if judge(tests.compared(execution, known, request.task), execution, request.plan).state != "passed":
        return None
    try:
        objections = Review(candidate, workspace, request, context).objections()
    except (BudgetExceeded, NoModel, ReplyError, UnsafePath) as error:
        # It is one more look at a change that holds: that nobody can take it, or see it whole, is no reason to stop.
        context.note(f"nobody has reviewed the change: {error}")
        return None
    if objections is None:
        return None
    return signals(objections, is_heard=failed_alone(request.attempts, request.plan.goal) < MOST_ROUNDS)


class Review:
    """The reading of one change."""

    def __init__(self, candidate: Candidate, workspace: Workspace, request: GenerateRequest, context: Context) -> None:
        self._candidate = candidate
        self._workspace = workspace
        self._request = request
        self._context = context
        self._draft = Draft(workspace, candidate.files)
        self._spoiled = 0

    def objections(self) -> tuple[Objection, ...] | None:
        """What the model objects to; None, with a note, when it came to no review. Raises what stands in the way of
        one: `NoModel`, `BudgetExceeded`."""
        request = self._request
        about = opening(
            request.task, Tree(self._workspace, self._candidate.files), plan=request.plan, lessons=request.lessons
        )
        shown = shown_files(self._draft, request)
        brief = Brief(
            "reviewer",
            prompt_for(self._context, "reviewer"),
            f"{prompt('reviewer-without-tools')}\n\n{shown}",
        )
        told = f"{about}\n\n{diff_shown('The change', self._candidate, self._workspace)}"
        ending = persevere(
            brief, told, self._speak, self._context, came_to_nothing=lambda ending: self._read(ending) is None
        )
        return self._read(ending)

    def _speak(self, brief: Brief, told: str) -> Ending:
        self._spoiled = 0
        desk = Desk(draft=self._draft, task=self._request.task, checks=(), context=self._context)
        return converse(brief, told, Toolbox(TOOLS, endings=(SUBMIT_REVIEW,)), desk, on_text=self._take)

    def _take(self, text: str, ended: bool) -> str | None:
        found = from_text(text)
        wrong = _NO_REVIEW if found is None else self._unknown(found)
        self._spoiled += bool(wrong)
        return wrong if wrong and self._spoiled < MOST_SPOILED else None

    def _unknown(self, objections: Iterable[Objection]) -> str:
        """What the model must be told of objections in text to files that are not there; "" when there are none. A
        sentence that happens to begin with MUST is one of those."""
        try:
            for objection in objections:
                _refuse_unknown(objection, self._draft)
        except ToolError as error:
            return f"{error}. {_FORM}"
        return ""

    def _read(self, ending: Ending) -> tuple[Objection, ...] | None:
        if ending.call is not None:
            return SUBMIT_REVIEW.arguments(ending.call.arguments).objections
        found = None if ending.failed else from_text(ending.text)
        if not found:
            return found
        return tuple(each for each in found if not self._unknown((each,))) or None


_FORM = (
    "Begin each line with MUST or SHOULD and the path of a file, as you were shown; when nothing is wrong, reply with "
    "the single word NOTHING."
)
_NO_REVIEW = f"That is no review. Hand it in by submit_review, or, when you have no tools, in text. {_FORM}"
_LINE = re.compile(r"(?:[-*]\s*)?\**(MUST|SHOULD)\**:?\s+`?([^\s:`]+)`?(?::(\d{1,7}))?`?:?\s+(?:[-—]\s+)?(\S.*)")
_NOTHING = re.compile(r"\W*NOTHING\W*")


def from_text(text: str) -> tuple[Objection, ...] | None:
    """The objections in a reply without calls: a line for each, or the word NOTHING; None where neither is there."""
    lines = list(lines_of(text))
    found = [
        Objection(path=path, line=int(line or 0), problem=problem, severity="must" if word == "MUST" else "should")
        for word, path, line, problem in (match.groups() for match in map(_LINE.fullmatch, lines) if match)
    ]
    if found:
        return tuple(found[:_MOST_OBJECTIONS])
    return () if any(map(_NOTHING.fullmatch, lines)) else None


def signals(objections: Iterable[Objection], *, is_heard: bool) -> tuple[Signal, ...]:
    """What the objections come to. Where the reviewer is not heard any more, none of them speaks against the change."""
    objections = tuple(objections)
    against = tuple(each for each in objections if each.severity == "must" and is_heard)
    rest = tuple(_said(each) for each in objections if each not in against)
    heard = tuple(Signal(kind=REVIEW, ok=False, summary=_said(each), worse=1) for each in against)
    if not rest:
        return heard or (Signal(kind=REVIEW, ok=True, summary="a model has read it, and objects to nothing"),)
    told = "a model has read it, and says" if is_heard else "a model has read it again, and still says"
    return (*heard, Signal(kind=REVIEW, ok=True, summary=f"{told}: {'; '.join(rest)}", details=rest))


def failed_alone(attempts: Iterable[Attempt], goal: Goal) -> int:
    """How many of the attempts nothing but the reviewer spoke against."""
    return sum(_failed_alone(attempt, goal) for attempt in attempts)


def _failed_alone(attempt: Attempt, goal: Goal) -> bool:
    against = [signal for signal in attempt.signals if not signal.ok and (signal.worse or goal != "change")]
    return bool(against) and all(signal.kind == REVIEW for signal in against)


def _said(objection: Objection) -> str:
    place = f"{objection.path}:{objection.line}" if objection.line else objection.path
    return f"{place}: {' '.join(objection.problem.split())[:_LONGEST]}"
