"""A context for tests: what is asked of it is kept, and its answers are those that the test has laid ready."""

from __future__ import annotations

import collections
import contextlib
from pathlib import Path
from typing import Any, Literal

import msgspec

from treadle.core import reach
from treadle.core.contributions import Contribution, kind_of
from treadle.core.errors import NeedsPerson, NoPlugin, PluginFault
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.records import Execution, Job, Question, Workspace


class Witness:
    """Implements `treadle.Context`. `asked` holds each question as a tuple, its method's name first.

    Answers are laid ready with `will_execute`, `will_complete`, `will_answer` and `will_bring`, and taken in that
    order. Without one, a job ends well, there is no model, no person answers and no other plugin brings anything: the
    same errors as in a session are raised. `held_to` is the workspace and the interpreter outside of which a plugin in
    a process of its own can have nothing run; None for one inside.
    """

    def __init__(self, settings: dict[str, object] | None = None, folder: Path | None = None) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.own_settings: dict[str, object] = settings or {}
        self.own_folder = folder
        self.stop = False
        self.held_to: tuple[Workspace | None, str] | None = None
        self._executions: collections.deque[Execution] = collections.deque()
        self._replies: collections.deque[ModelReply] = collections.deque()
        self._answers: collections.deque[str] = collections.deque()
        self._brought: list[tuple[Contribution, collections.deque[object]]] = []

    # ------------------------------------------------------------ what a test lays ready, and looks at

    def will_execute(self, *executions: Execution) -> None:
        """What comes of the next jobs, one each; an Execution is given the id of its job."""
        self._executions.extend(executions)

    def will_complete(self, *replies: str | ModelReply) -> None:
        """What the language model says to the next requests; a text is the whole of a reply."""
        self._replies.extend(ModelReply(text=reply) if isinstance(reply, str) else reply for reply in replies)

    def will_answer(self, *options: str) -> None:
        """What the person answers to the next questions."""
        self._answers.extend(options)

    def will_bring(self, contribution: Contribution, *answers: object) -> None:
        """What another plugin brings, and what its calls answer, one after the other."""
        self._brought.append((contribution, collections.deque(answers)))

    @property
    def emitted(self) -> list[tuple[str, dict[str, object]]]:
        """The events of the plugin's own, each with its kind and data."""
        return [(kind, data) for kind, data in self._told("emit")]

    @property
    def notes(self) -> list[str]:
        """What the person would read in the result."""
        return [text for (text,) in self._told("note")]

    @property
    def jobs(self) -> list[Job]:
        """Every job that was to be run."""
        return [job for (batch,) in self._told("execute") for job in batch]

    def _told(self, method: str) -> list[tuple[Any, ...]]:
        return [asked[1:] for asked in self.asked if asked[0] == method]

    # ------------------------------------------------------------ the context

    def emit(self, kind: str, data: dict[str, object]) -> None:
        """Kept."""
        self.asked.append(("emit", kind, data))

    def note(self, text: str) -> None:
        """Kept."""
        self.asked.append(("note", text))

    def progress(self, done: int, total: int | None, text: str) -> None:
        """Kept."""
        self.asked.append(("progress", done, total, text))

    def delta(self, text: str, thinking: bool) -> None:
        """Kept."""
        self.asked.append(("delta", text, thinking))

    def cancelled(self) -> bool:
        """What `stop` says."""
        return self.stop

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        """What was laid ready, then success."""
        self.asked.append(("execute", jobs))
        if self.held_to is not None:
            reach.check_jobs(jobs, *self.held_to)
        return tuple(self._outcome(job) for job in jobs)

    def complete(self, request: ModelRequest) -> ModelReply:
        """What was laid ready, then `NoPlugin`."""
        self.asked.append(("complete", request))
        if not self._replies:
            raise NoPlugin("no language model is configured")
        return self._replies.popleft()

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        """What was laid ready of that kind."""
        return tuple(each for each, _ in self._brought if kind_of(each) == kind)

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        """What was laid ready for it, as plain values, then None. Raises `NoPlugin` for what nobody brings."""
        self.asked.append(("call", kind, name, arguments))
        if self.held_to is not None:
            reach.check_call(kind, name, is_own=False)
        for each, answers in self._brought:
            if (kind_of(each), each.name) == (kind, name):
                return msgspec.to_builtins(answers.popleft(), builtin_types=(bytes,)) if answers else None
        raise NoPlugin(f"no enabled plugin brings the {kind} {name!r}")

    def ask(self, question: Question) -> str:
        """What was laid ready, then `NeedsPerson`. Raises `ValueError` for an answer that is none of the options."""
        self.asked.append(("ask", question))
        if not self._answers:
            raise NeedsPerson(question.text)
        answer = self._answers.popleft()
        if answer not in question.options:
            raise ValueError(f"{answer!r} was laid ready for {question.text!r}, which takes {question.options}")
        return answer

    def settings(self) -> dict[str, object]:
        """A copy of `own_settings`."""
        return dict(self.own_settings)

    def folder(self, scope: Literal["project", "session"]) -> str:
        """A folder below `own_folder`; a name that leads nowhere when there is none."""
        self.asked.append(("folder", scope))
        if self.own_folder is None:
            return f"/folders/{scope}"
        self.own_folder.mkdir(parents=True, exist_ok=True)
        place = self.own_folder / scope
        with contextlib.suppress(FileExistsError):
            place.mkdir()
        if place.is_symlink():
            raise PluginFault(f"{place} is a link, and none is followed in what a plugin may write")
        return str(place)

    def log(self, level: str, message: str, **fields: object) -> None:
        """Kept."""
        self.asked.append(("log", level, message, fields))

    def _outcome(self, job: Job) -> Execution:
        if not self._executions:
            return Execution(job=job.id, verdict="ok")
        return msgspec.structs.replace(self._executions.popleft(), job=job.id)
