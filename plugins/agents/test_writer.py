"""The tester: a model that writes tests for a task. It is given the task, the plan and the project, and no change."""

from __future__ import annotations

import ast
import re
from typing import Annotated

from msgspec import Meta

from treadle.core.context import Context
from treadle.core.errors import ReplyError
from treadle.core.records import FileChange, Plan, Task, Workspace
from treadle.core.replies.reply import files_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import prompt, prompt_for
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.planning.command_line import Invocation
from treadle.plugins.planning.test_jobs import pytest_job
from treadle.plugins.planning.test_places import is_test_name

TOOLS = ("outline", "read", "search", "list", "write", "edit", "run_tests", "finish")
MOST_SPOILED = 3
"""Replies in text that can't be taken, one after the other."""
_LARGEST = 60_000
"""Bytes of one file."""


class SubmitTestsArguments(Arguments, frozen=True, kw_only=True):
    """Hand in the test files that you have written. It ends your work."""

    summary: Annotated[str, Meta(min_length=1, description="What they test, in a sentence")]


def _submit(arguments: SubmitTestsArguments, desk: Desk) -> str:
    check_tests(desk.draft.changes())
    return arguments.summary


def check_tests(files: tuple[FileChange, ...]) -> None:
    """Raise `ToolError`, with what to do, unless these are new test files, in Python that can be read."""
    if not files:
        raise ToolError("no test file was written: write one, or finish when there is nothing to test")
    for change in files:
        name = change.path.rpartition("/")[2]
        if change.base is not None or change.content is None:
            raise ToolError(f"{change.path} is the project's own: leave it as it was, and write new files")
        if not is_test_name(name):
            raise ToolError(f"{change.path} is no test file: its name must be test_*.py")
        if len(change.content) > _LARGEST:
            raise ToolError(f"{change.path} has {len(change.content)} bytes; write fewer tests, {_LARGEST} at most")
        try:
            ast.parse(change.content)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ToolError(f"{change.path} is no Python: {error}") from None


SUBMIT_TESTS = OwnTool("submit_tests", SubmitTestsArguments, _submit)


class TestWriter:
    """The writing of the tests of one plan."""

    __test__ = False

    def __init__(self, task: Task, plan: Plan, workspace: Workspace, context: Context) -> None:
        self._task = task
        self._plan = plan
        self._workspace = workspace
        self._context = context
        self._draft = Draft(workspace)
        self._spoiled = 0

    def tests(self) -> tuple[FileChange, ...]:
        """The new files; none, with a note, when it came to none."""
        told = opening(self._task, Tree(self._workspace), plan=self._plan)
        brief = Brief("tester", prompt_for(self._context, "tester"), prompt("tester-without-tools"))
        ending = persevere(brief, told, self._speak, self._context, came_to_nothing=self._came_to_nothing)
        if self._came_to_nothing(ending):
            return ()
        if _is_nothing(ending.text) or (ending.call is not None and ending.call.name != SUBMIT_TESTS.name):
            self._context.note(f"no tests were written for the task: {' '.join(ending.text.split())[:300]}")
            return ()
        return self._draft.changes()

    def _speak(self, brief: Brief, told: str) -> Ending:
        self._draft, self._spoiled = Draft(self._workspace), 0
        invocation = Invocation(pytest=True, args=(), cwd_on_path=True)
        checks = (pytest_job(invocation, self._task, self._workspace),)
        desk = Desk(draft=self._draft, task=self._task, checks=checks, context=self._context)
        return converse(brief, told, Toolbox(TOOLS, endings=(SUBMIT_TESTS,)), desk, on_text=self._take)

    def _came_to_nothing(self, ending: Ending) -> bool:
        if ending.call is not None:
            return False
        return ending.failed or (not self._draft.changes() and not _is_nothing(ending.text))

    def _take(self, text: str) -> str | None:
        """Take the files that a reply without calls holds. What it must send instead is told to the model."""
        if _is_nothing(text):
            self._draft = Draft(self._workspace)
            return None
        try:
            if not self._draft.changes():
                for change in files_of(text, self._content):
                    self._draft.write(change.path, (change.content or b"").decode("utf-8", "surrogateescape"))
            check_tests(self._draft.changes())
        except (ReplyError, ToolError) as error:
            self._draft = Draft(self._workspace)
            self._spoiled += 1
            return None if self._spoiled >= MOST_SPOILED else f"Nothing of that was taken: {error}."
        return None

    def _content(self, path: str) -> bytes | None:
        try:
            return self._draft.read(path)
        except ReplyError:
            return None


def _is_nothing(text: str) -> bool:
    return re.fullmatch(r"\W*NOTHING\W*", text) is not None
