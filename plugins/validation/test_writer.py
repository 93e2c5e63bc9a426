"""The tester: a model that writes tests for a task. It is given the task, the plan and the project, and no change."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from treadle.core.context import Context
from treadle.core.errors import SourceError
from treadle.core.paths import decode
from treadle.core.records import FileChange, Plan, Task, Workspace
from treadle.core.tree.sources import decode_source, parse
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.files_in_text import TextReplies
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import prompt, prompt_for
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import pytest_job
from treadle.plugins.test_runs.test_places import is_test_name, is_utf8

TOOLS = ("outline", "read", "search", "list", "write", "edit", "run_tests", "finish")
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
        if not is_test_name(name) or not is_utf8(decode(name)):
            raise ToolError(f"{change.path} is no test file: its name must be test_*.py, in UTF-8")
        if len(change.content) > _LARGEST:
            raise ToolError(f"{change.path} has {len(change.content)} bytes; write fewer tests, {_LARGEST} at most")
        try:
            parse(decode_source(change.content))
        except (SyntaxError, SourceError) as error:
            raise ToolError(f"{change.path} is no Python: {error}") from None


SUBMIT_TESTS = OwnTool("submit_tests", SubmitTestsArguments, _submit, ends=True)


class TestWriter:
    """The writing of the tests of one plan."""

    __test__ = False

    def __init__(self, task: Task, plan: Plan, workspace: Workspace, context: Context) -> None:
        self._task = task
        self._plan = plan
        self._workspace = workspace
        self._context = context
        self._draft = Draft(workspace, task=task)
        """That of the conversation, in which each one begins anew."""
        self._replies = TextReplies(self._draft, check_tests)

    def tests(self) -> tuple[FileChange, ...]:
        """The new files; none, with a note, when it came to none."""
        told = opening(self._task, Tree(self._workspace), plan=self._plan)
        brief = Brief("tester", prompt_for(self._context, "tester"), prompt("tester-without-tools"))
        ending = persevere(
            brief,
            told,
            self._speak,
            self._context,
            came_to_nothing=self._came_to_nothing,
            why_not=lambda: self._replies.why_not,
        )
        if self._came_to_nothing(ending):
            return ()
        if _is_nothing(ending.text) or (ending.call is not None and ending.call.name != SUBMIT_TESTS.name):
            what = "handed in" if self._are_tests() else "written"
            self._context.note(f"no tests were {what} for the task: {' '.join(ending.text.split())[:300]}")
            return ()
        return self._draft.changes()

    def _speak(self, brief: Brief, told: str) -> Ending:
        self._draft = draft = Draft(self._workspace, task=self._task)
        self._replies = replies = TextReplies(draft, check_tests)
        invocation = Invocation(pytest=True, args=(), cwd_on_path=True)
        checks = (pytest_job(invocation, self._task, self._workspace),)
        desk = Desk(draft=draft, task=self._task, checks=checks, context=self._context)
        return converse(
            brief,
            told,
            Toolbox(TOOLS, endings=(SUBMIT_TESTS,)),
            desk,
            on_text=lambda text, ended: None if _is_nothing(text) else replies.take(text, ended=ended),
            holds_files=replies.holds_files,
        )

    def _came_to_nothing(self, ending: Ending) -> bool:
        if ending.call is not None:
            return False
        return ending.failed or not (_is_nothing(ending.text) or self._are_tests())

    def _are_tests(self) -> bool:
        """Whether the draft holds what can be handed in: who only writes, and then speaks, has not had it checked."""
        try:
            check_tests(self._draft.changes())
        except ToolError:
            return False
        return True


def _is_nothing(text: str) -> bool:
    return re.fullmatch(r"\W*NOTHING\W*", text) is not None
