"""code-model: a language model writes the change, with tools on a draft of the project, or as text.

The first attempt begins with the project as it is. A repair goes on from the last change; another approach begins anew,
knows what was tried, and is made by the next stronger model.
"""

from __future__ import annotations

from pathlib import Path

from treadle.core.authorship import BY_MODEL
from treadle.core.candidate_size import too_much
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import ReplyError
from treadle.core.hooks import hookimpl
from treadle.core.models.routing import rungs_for
from treadle.core.patches import bases
from treadle.core.records import Candidate, GenerateRequest
from treadle.core.said import said_by
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.asking_again import until_of_use
from treadle.plugins.agents.conversation import CIRCLES, Brief, Ending, converse
from treadle.plugins.agents.doubts import Doubts, left_out, named
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.files_in_text import TextReplies
from treadle.plugins.agents.last_words import last_words
from treadle.plugins.agents.meant_files import without_tests
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import PROMPT, prompt, prompt_for
from treadle.plugins.agents.shown_files import likely_files, shown_files
from treadle.plugins.agents.tools.known_runs import KnownRuns
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.agents.words_lost import words_lost
from treadle.plugins.test_runs.test_jobs import written_tests_job

TOOLS = (
    *("outline", "read", "search", "list", "edit", "write", "run_tests"),
    *("search_tools", "ask_person", "finish"),
)

_IN_CIRCLES = "the model made the same call over and over, or only looked, and wrote nothing"
_NO_TOOLS = "You can call no tools."
_NO_FILE = (
    "No file was in that reply, so nothing has changed. Make the change now: by the tools that you have, or, when you "
    "have none, in this form. If nothing is to change, say why."
)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Its prompt."""
    return (PROMPT,)


@hookimpl
def treadle_generate(request: GenerateRequest, context: Context) -> Candidate | None:
    """The change that a model makes; None, with a note, when it makes none."""
    if request.task.kind != "run":
        return None
    work = Work(request, context)
    ending = work.converse()
    changes = work.draft.changes()
    if work.came_to_nothing(ending) and ending.why == CIRCLES:
        return Candidate(files=(), why=_IN_CIRCLES, remedy=BY_MODEL, failed=_IN_CIRCLES)
    if work.came_to_nothing(ending):
        return None
    if not changes:
        said = last_words(ending.text)
        why_not = f"; what it sent could not be taken: {work.why_not_taken}" if work.why_not_taken else ""
        words = f"; its last words: {said}" if said else ""
        context.note(f"the model changed nothing{why_not}{words}")
        return None
    if told := too_much(changes):
        why = f"the change is too large: {told}"
        return Candidate(files=(), why=why, remedy=BY_MODEL, failed=why)
    bases.keep(Path(context.folder("session")), work.draft.read_before())
    left = left_out(request.plan.files, work.draft)
    if parts := [change.path for change in changes if change.path in work.draft.parts]:
        context.note(f"what the model sent for {named(parts)} was a part of it, and took its place there")
    if stays := work.doubts.what_stays():
        context.note(f"still there, and it may be meant to go: {stays}")
    if words := words_lost(work.draft, request.task, request.plan):
        context.note(f"gone with the change, though nobody said so: {words}")
    if work.why_not_taken:
        context.note(f"not taken of what the model sent: {work.why_not_taken}")
    if left:
        context.note(f"the change leaves out what the plan names besides: {named(left)}")
    said = last_words(ending.text)
    why = said or ("a part of what the plan says" if left else "as the plan says")
    if said and left and work.doubts.is_asked_for_the_rest:
        why = f"a part of what the plan says; of the rest the model says: {said}"
    return Candidate(files=changes, why=why, remedy=BY_MODEL)


class Work:
    """One attempt of a model at a change."""

    def __init__(self, request: GenerateRequest, context: Context) -> None:
        self._request = request
        self._context = context
        self._said = said_by(request.task, request.plan)
        self.draft = self._begun()
        self._first = self.draft.state
        # The author of what a repair goes on from was asked for the rest of the plan.
        self.doubts = Doubts(self.draft, request.plan.files if request.rung != "repair" else ())
        self._replies = self._text_replies()
        self._known = KnownRuns(request.plan.checks, request.baseline)
        self._is_told = False

    def converse(self) -> Ending:
        """Have the model work on the draft until it has finished."""
        request = self._request
        tree = Tree(request.workspace, self.draft.changes())
        told = opening(
            request.task,
            tree,
            plan=request.plan,
            baseline=request.baseline,
            attempts=request.attempts,
            lessons=request.lessons,
        )
        shown = shown_files(self.draft, request)
        brief = Brief(
            "coder",
            prompt_for(self._context, "coder"),
            f"{_NO_TOOLS} {prompt('coder-in-text')}\n\n{shown}",
            step=rungs_for(request.plan.difficulty) + _failed(request),
        )
        return until_of_use(
            brief.role,
            told,
            lambda told: persevere(
                brief,
                told,
                self._speak,
                self._context,
                came_to_nothing=self.came_to_nothing,
                at_last=frozenset({CIRCLES}),
                why_not=lambda: self.why_not_taken,
            ),
            self._context,
            lambda ending: self.came_to_nothing(ending) and ending.why != CIRCLES,
        )

    def _speak(self, brief: Brief, told: str) -> Ending:
        self._replies = self._text_replies()
        request = self._request
        written = written_tests_job(request.plan, request.task, request.workspace) if request.plan.tests_count else None
        checks = request.plan.checks + ((written,) if written else ())
        desk = Desk(
            draft=self.draft,
            task=request.task,
            checks=checks,
            context=self._context,
            known=self._known,
            likely=self._meant(),
        )
        toolbox = Toolbox(TOOLS, doubt=self.doubts.before_taken)
        return converse(brief, told, toolbox, desk, on_text=self._take, holds_files=self._holds_files)

    def _holds_files(self, reply: str) -> bool:
        return self._replies.holds_files(reply)

    def _text_replies(self) -> TextReplies:
        return TextReplies(self.draft, meant=self._meant())

    def _take(self, reply: str, ended: bool) -> str | None:
        """What the model is told of its reply. Once each: who says the same again means it."""
        told = self._replies.take(reply, ended=ended)
        if told is not None or self._replies.given_up:
            return told
        asked = self.doubts.before_taken()
        if asked:
            self._replies = self._text_replies()  # those that come now go on from there
        if asked or self.draft.state != self._first:
            return asked or None
        if self._is_told:
            return None
        self._is_told = True
        return f"{_NO_FILE}\n\n{prompt('coder-in-text')}"

    @property
    def why_not_taken(self) -> str:
        """Why the last reply in text that could not be taken, or not all of it, could not be; empty for none."""
        return self._replies.why_not

    def came_to_nothing(self, ending: Ending) -> bool:
        """Whether nothing was written in the end, nor said why. What a conversation that failed has written is tried as
        it is: the tests say what it is worth, and the next attempt goes on from there."""
        is_mute = ending.call is None and not ending.text.strip()
        return (ending.failed or is_mute or self._replies.given_up) and self.draft.state == self._first

    def _begun(self) -> Draft:
        """What it begins with: for a repair, the last attempt's change."""
        last = self._request.attempts[-1] if self._request.attempts else None
        if last is not None and self._request.rung == "repair":
            try:
                return Draft(self._request.workspace, last.candidate.files, task=self._request.task, said=self._said)
            except ReplyError as error:
                self._context.note(f"the work begins anew, since the last change can't be gone on from: {error}")
        return Draft(self._request.workspace, task=self._request.task, said=self._said)

    def _meant(self) -> tuple[str, ...]:
        """The files that a reply can be about: those of the plan where it names a single one, or a single one besides
        tests, else those that are likely to change."""
        planned = self._request.plan.files
        is_sure = 1 in (len(planned), len(without_tests(planned)))
        return planned if is_sure else likely_files(self.draft, self._request)


def _failed(request: GenerateRequest) -> int:
    """The attempts of models that failed: after each the next one is for the next stronger model."""
    return sum(attempt.candidate.remedy == BY_MODEL for attempt in request.attempts)
