"""code-model: a language model writes the change, with tools on a draft of the project, or as text.

The first attempt begins with the project as it is. A repair goes on from the last change; another approach begins anew,
knows what was tried, and is made by the next stronger model.
"""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import ReplyError
from treadle.core.hooks import hookimpl
from treadle.core.models.routing import rungs_for
from treadle.core.records import Candidate, FileChange, GenerateRequest
from treadle.core.replies.reply import files_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import PROMPT, prompt, prompt_for
from treadle.plugins.agents.shown_files import shown_files
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.planning.test_jobs import written_tests_job

REMEDY = "model"
TOOLS = (
    *("outline", "read", "search", "list", "edit", "write", "run_tests"),
    *("search_tools", "ask_person", "finish"),
)
MOST_SPOILED = 3
"""Replies in text that can't be taken, one after the other."""


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
    if work.came_to_nothing(ending):
        return None
    if not changes:
        context.note(f"the model changed nothing ({ending.why}): {_one_line(ending.text) or 'it said nothing'}")
        return None
    return Candidate(files=changes, why=_one_line(ending.text) or "as the plan says", remedy=REMEDY)


class Work:
    """One attempt of a model at a change."""

    def __init__(self, request: GenerateRequest, context: Context) -> None:
        self._request = request
        self._context = context
        self._spoiled = 0
        self.draft = Draft(request.workspace, self._begun())

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
            f"{prompt('coder-without-tools')}\n\n{shown}",
            step=rungs_for(request.plan.difficulty) + self._rungs_up(),
        )
        return persevere(brief, told, self._speak, self._context, came_to_nothing=self.came_to_nothing)

    def _speak(self, brief: Brief, told: str) -> Ending:
        self._spoiled = 0
        request = self._request
        written = written_tests_job(request.plan, request.task, request.workspace) if request.plan.tests_count else None
        checks = request.plan.checks + ((written,) if written else ())
        desk = Desk(draft=self.draft, task=request.task, checks=checks, context=self._context)
        return converse(brief, told, Toolbox(TOOLS), desk, on_text=self._take)

    def came_to_nothing(self, ending: Ending) -> bool:
        """Whether nothing was written in the end. What a conversation that failed has written is tried as it is: the
        tests say what it is worth, and the next attempt goes on from there."""
        return (ending.failed or self._spoiled >= MOST_SPOILED) and self.draft.changes() == self._begun()

    def _begun(self) -> tuple[FileChange, ...]:
        """What the draft begins with: for a repair, the last attempt's change."""
        last = self._request.attempts[-1] if self._request.attempts else None
        return last.candidate.files if last is not None and self._request.rung == "repair" else ()

    def _rungs_up(self) -> int:
        """How many times another approach was wanted: each is for the next stronger model."""
        return int(self._request.rung == "another")

    def _take(self, text: str) -> str | None:
        """Take the files that a reply without calls holds. What it must send instead is told to the model."""
        if self.draft.changes() != self._begun():
            return None  # it has worked with tools, and these are its last words
        try:
            files = files_of(text, self._content)
        except ReplyError as error:
            self._spoiled += 1
            return None if self._spoiled >= MOST_SPOILED else f"Nothing of that was taken: {error}."
        for change in files:
            if change.content is None:
                self.draft.delete(change.path)
            else:
                self.draft.write(change.path, change.content.decode("utf-8", "surrogateescape"))
        return None

    def _content(self, path: str) -> bytes | None:
        try:
            return self.draft.read(path)
        except ReplyError:
            return None


def _one_line(text: str) -> str:
    """The last sentence or so of what a model said, for a person."""
    paragraphs = [each for each in text.strip().split("\n\n") if each.strip() and "```" not in each]
    return " ".join(paragraphs[-1].split())[:400] if paragraphs else ""
