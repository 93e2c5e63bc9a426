"""A project with a draft over it, and a context that runs jobs in the real sandbox."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.executor_context import SessionContext
from treadle.core.contributions import Contribution, kind_of
from treadle.core.errors import NeedsPerson
from treadle.core.models.messages import ToolCall, ToolResult
from treadle.core.records import Execution, Job, Limits, Question, Task, Workspace
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools import more_tools
from treadle.plugins.agents.tools.known_runs import KnownRuns
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import OWN, Toolbox
from treadle.plugins.execution import sandboxed
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import pytest_job

NAMES = (*OWN, more_tools.NAME)
"""All of Treadle's own tools."""


class AgentContext(SessionContext):
    """Runs jobs, keeps what was asked of the person, and knows what plugins bring."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        super().__init__(folder)
        self._limits = limits
        self.batches: list[tuple[Job, ...]] = []
        self.questions: list[Question] = []
        self.answers: dict[str, str] = {}
        self._brought: list[tuple[Contribution, object]] = []
        self.calls: list[tuple[str, str, dict[str, object]]] = []

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        self.batches.append(jobs)
        return sandboxed.treadle_execute(jobs, self._limits, self)

    def ask(self, question: Question) -> str:
        self.questions.append(question)
        if question.text not in self.answers:
            raise NeedsPerson(question.text)
        return self.answers[question.text]

    def bring(self, contribution: Contribution, answer: object) -> None:
        """Have a plugin bring this, whose calls are answered so."""
        self._brought.append((contribution, answer))

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return tuple(each for each, _ in self._brought if kind_of(each) == kind)

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        self.calls.append((kind, name, arguments))
        answer = next(answer for each, answer in self._brought if (kind_of(each), each.name) == (kind, name))
        if isinstance(answer, Exception):
            raise answer
        return answer


class Workplace:
    """The project, its draft, and calls of tools by keywords. `known`: what was run before, None: each call knows of
    none."""

    def __init__(self, workspace: Workspace, context: AgentContext, python: str = sys.executable) -> None:
        self.workspace = workspace
        self.root = Path(workspace.root)
        self.context = context
        self.task = Task(id="t", kind="run", project=workspace.project, python=python)
        self.box = Toolbox(NAMES)
        self.checks: tuple[Job, ...] = ()
        self.known: KnownRuns | None = None
        self.likely: tuple[str, ...] = ()
        self.doubted: set[str] = set()
        self._draft: Draft | None = None

    def write(self, files: dict[str, str | bytes]) -> None:
        """Put files on the disk, before the draft looks at it."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)

    @property
    def draft(self) -> Draft:
        self._draft = self._draft or Draft(self.workspace)
        return self._draft

    @property
    def desk(self) -> Desk:
        known = self.known or KnownRuns()
        return Desk(
            draft=self.draft,
            task=self.task,
            checks=self.checks,
            context=self.context,
            known=known,
            likely=self.likely,
            doubted=self.doubted,
        )

    def result(self, name: str, arguments: str) -> ToolResult:
        return self.box.call(ToolCall(id="c", name=name, arguments=arguments), self.desk)

    def call(self, name: str, **arguments: object) -> str:
        """The answer of a call that must be done."""
        result = self.result(name, json.dumps(arguments))
        assert not result.failed, result.text
        return result.text

    def refused(self, name: str, **arguments: object) -> str:
        """The answer of a call that must not be done."""
        result = self.result(name, json.dumps(arguments))
        assert result.failed, result.text
        return result.text

    def with_pytest(self, *args: str) -> None:
        """Have the plan check the project by pytest."""
        invocation = Invocation(
            pytest=True, args=args, cwd_on_path=True, env=(("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)
        )
        self.checks = (pytest_job(invocation, self.task, self.workspace),)


def make_place(folder: Path, kind: str, python: str = sys.executable) -> Workplace:
    """An empty project in `folder`, seen by an overlay or as a copy."""
    root, session = folder / "project", folder / "session"
    root.mkdir()
    session.mkdir()
    limits = Limits(tier="quick", wall_s=25.0, without=("mountns",) if kind == "copy" else ())
    workspace = Workspace(id="w", kind=kind, project=str(root), root=str(root), upper="", roots=("src",))  # type: ignore[arg-type]
    return Workplace(workspace, AgentContext(session, limits), python)
