"""What plugins in this process are given as `context`: the session's services behind the protocol of `core.context`."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from treadle.core import paths, reach, wire
from treadle.core.contribution_calls import ContributionCalls
from treadle.core.errors import (
    NeedsPerson,
    NoModel,
    PluginFault,
    ReplayDiverged,
    StageTimeout,
    Stopped,
    UnsafePath,
)
from treadle.core.events import Delta, Progress
from treadle.core.job_runs import JobRun
from treadle.core.live_output import LiveOutput
from treadle.core.model_calls import Served
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.places import private_folder
from treadle.core.plugin_host.brought import Brought
from treadle.core.questions import asked_since
from treadle.core.records import NOT_RUN, Execution, FileChange, Job, Question, Workspace
from treadle.core.redaction import without_secrets
from treadle.core.services import Services
from treadle.core.stage_call import StageCall
from treadle.core.tree.laying import why_not

_COMPLETE = "complete."
_LONGEST_KIND = 100  # characters of a plugin's own kind of event


@dataclass(frozen=True)
class SessionContext(ContributionCalls):
    """One stage's context. `key` is the stage's key in the journal. `executing`: of whoever runs jobs; `looking`: of a
    scanner that looks at a draft. `written_tests` are the tests that were written for the plan, if it is made;
    `live_output` is who watches the jobs that are run, None: nobody."""

    services: Services
    stage: str
    key: str
    stage_call: StageCall[Any] | None
    workspace: Workspace | None = None
    executing: bool = False
    written_tests: tuple[FileChange, ...] = ()
    looking: bool = False
    live_output: LiveOutput | None = None
    _seen: Counter[str] = field(default_factory=Counter)

    def brought(self) -> Brought:
        self.check_open()
        return self.services.plugins.brought

    def _looks_for(self, owner: str) -> bool:
        # A scanner of Treadle's own looks at that plugin's draft, and nobody else has had a hand in it.
        hands = {*self.waiting, self.plugin} - {owner}
        return self.looking and not any(map(self.services.is_stranger, hands))

    # ------------------------------------------------------------ the protocol

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.check_open()
        if not (kind.isprintable() and 0 < len(kind) <= _LONGEST_KIND):
            raise ValueError(f"{kind[:_LONGEST_KIND]!a} can't be the kind of an event; write a short word")
        key = self._next_key(f"{self.plugin}.{kind}")
        told = self.services.redactor.value(data)
        self.services.journal.once(f"plugin.{self.plugin}.{kind}", key, msgspec.convert(told, dict[str, Any]))

    def note(self, text: str) -> None:
        self.check_open()
        told = self.services.redactor.text(text)
        self.services.journal.once("note.left", self._next_key("note"), {"plugin": self.plugin, "text": told})

    def progress(self, done: int, total: int | None, text: str) -> None:
        session = self.services.journal.session
        self.services.bus.publish(Progress(session=session, stage=self.stage, done=done, total=total, text=text))

    def delta(self, text: str, thinking: bool) -> None:
        session = self.services.journal.session
        self.services.bus.publish(Delta(session=session, stage=self.stage, text=text, thinking=thinking))

    def cancelled(self) -> bool:
        if self.services.stop.is_set():
            return True
        return self.stage_call is not None and (self.stage_call.closed or self.stage_call.out_of_time())

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        self.check_open()
        if self.executing:
            raise PluginFault("an executor can't have its jobs executed by the session: it would be asked itself")
        if self.apart:
            for job in jobs:
                _check_files(job.files, self.workspace)
            reach.check_jobs(jobs, self.workspace, self.services.python)
            jobs = reach.bounded(jobs, self.services.limits)
        jobs = tuple(job if job.workspace else msgspec.structs.replace(job, workspace=self.workspace) for job in jobs)
        key = self._next_key(f"execute.{_digest(jobs)}")
        with self.services.ending_as_then("execute", key, self.stage):
            self.services.budget.spend_jobs(key, len(jobs))
            self.services.budget.check_time()
        counts = self.services.model_writes and self._runs_what_a_model_wrote(jobs)

        def run() -> tuple[Execution, ...]:
            if counts:
                with self.services.ending_as_then("execute", key, self.stage):
                    self.services.purse.reserve(key, {"executions": 1})
            return JobRun(self).run(jobs)

        return self.services.journal.effect(
            "execute",
            key,
            tuple[Execution, ...],
            run,
            about=lambda: {"stage": self.stage, "jobs": len(jobs)},
            summary=lambda done: {"verdicts": dict(Counter(NOT_RUN if e.not_run else e.verdict for e in done))},
        )

    def complete(self, request: ModelRequest) -> ModelReply:
        self.check_open()
        request = without_secrets(request, self.services.redactor)
        key = self._next_key(f"{_COMPLETE}{_said(request)}")
        served: list[Served] = []

        def ask() -> ModelReply:
            with self.services.ending_as_then("complete", key, self.stage), self.out_of_time():
                self.services.budget.check_time()
                try:
                    served.append(self.services.models.ask(request, self, key, self.services.budget.left_s))
                except NoModel:
                    self.services.budget.check_time()
                    raise
                except ReplayDiverged as error:
                    self.services.diverged.append(error)
                    raise
            return served[0].reply

        return self.services.journal.effect(
            "complete",
            key,
            ModelReply,
            ask,
            about=lambda: {
                "stage": self.stage,
                "plugin": self.plugin,
                "role": request.role,
                "request": self._keep(request),
            },
            summary=lambda reply: _told_of(served[0]),
        )

    def ask(self, question: Question) -> str:
        self.check_open()
        # What the person allows for longer, and their words, are heeded where Treadle itself asks.
        own = msgspec.structs.replace(question, concerns=(), with_words=())
        return self.put(own, self.question_key(question.id))

    def settings(self) -> dict[str, object]:
        return self.services.plugins.settings_of(self.plugin)

    def folder(self, scope: Literal["project", "session"]) -> str:
        places = self.services.places
        keeps_in = self.services.plugins.keeps_in(self.plugin) if self.plugin else "treadle"
        session = self.services.journal.session
        if scope == "project":
            return str(private_folder(places.plugin_folder(keeps_in)))
        return str(places.make_plugin_session_folder(keeps_in, session))

    def log(self, level: str, message: str, **fields: object) -> None:
        logger = self.services.logger
        write = {"debug": logger.debug, "warning": logger.warning, "error": logger.error}.get(level, logger.info)
        own = {"session": self.services.journal.session, "plugin": self.plugin, "stage": self.stage}
        write(message, **fields | own)

    # ------------------------------------------------------------ behind it

    def _runs_what_a_model_wrote(self, jobs: tuple[Job, ...]) -> bool:
        """Whether the jobs run a candidate, what whoever has asked a model here wants to have run, or written tests:
        not those that only look at a candidate."""
        if self.stage == "execute" or self.has_asked_a_model:
            return True
        return any(change in job.files for job in jobs for change in self.written_tests)

    @property
    def has_asked_a_model(self) -> bool:
        """Whether whoever works in this stage has asked a model so far."""
        return any(what.startswith(_COMPLETE) for what in self._seen)

    def _keep(self, request: ModelRequest) -> str:
        """Keep what is sent to a service, word for word, as long as outputs are kept; the name under which it is."""
        text = msgspec.json.format(msgspec.json.encode(request)).decode()
        return self.services.outputs.put_output(self.services.journal.session, text)

    def put(self, question: Question, key: str) -> str:
        """The person's answer to the question under that key; `NeedsPerson` until there is one."""
        answered = self.services.journal.answered(key)
        if answered is not None:
            return str(answered.data["answer"])
        plain = msgspec.to_builtins(question)
        about = {"question": plain, "plugin": self.plugin}
        journal = self.services.journal
        journal.once("question.asked", key, about, after=asked_since(journal, key))
        raise NeedsPerson(question.text)

    def question_key(self, id: str) -> str:
        """The key of the question with that id which is asked here: the same in every run of the session."""
        return f"{self.key}/ask.{self.plugin}.{id}"

    def check_open(self) -> None:
        """Raises `Stopped` and `StageTimeout` once this context is of no use any more."""
        if self.services.stop.is_set():
            raise Stopped("the session was asked to stop")
        if self.stage_call is not None and self.stage_call.closed:
            raise StageTimeout(f"the stage {self.stage!r} is over; its context is of no use any more")

    def _next_key(self, what: str) -> str:
        """A key for the n-th such thing in this stage: the same in every run of the session."""
        self._seen[what] += 1
        return f"{self.key}/{what}.{self._seen[what]}"

    def out_of_time(self) -> contextlib.AbstractContextManager[None]:
        """Within the block the stage's own time stands still, as long as the session has any."""
        left_s = self.services.budget.left_s
        return self.stage_call.waiting(left_s) if self.stage_call else contextlib.nullcontext()


def _told_of(served: Served) -> dict[str, object]:
    reply = served.reply
    return {
        "model": served.model,
        "usd": served.usd,
        "usage": msgspec.to_builtins(reply.usage),
        "seconds": round(served.seconds, 3),
        "stop": reply.stop,
        "characters": len(reply.text),
    }


def _check_files(files: tuple[FileChange, ...], workspace: Workspace | None) -> None:
    """Raises `ValueError` for files that nobody may write, not even for a job, or that can't be laid over the
    workspace: their asker's mistake, and no refusal that ends a session."""
    try:
        for change in files:
            paths.check_writable(change.path)
    except UnsafePath as error:
        raise ValueError(str(error)) from None
    if workspace is not None and (why := why_not(files, workspace.root)):
        raise ValueError(why)


def _said(request: ModelRequest) -> str:
    """What a model is told, whenever that is."""
    return hashlib.sha256(wire.pack(msgspec.structs.replace(request, after_s=0.0))).hexdigest()[:16]


def _digest(jobs: tuple[Job, ...]) -> str:
    """What is asked, without where: the workspace's folders do not change what a job means."""
    plain = tuple(msgspec.structs.replace(job, workspace=None) for job in jobs)
    return hashlib.sha256(wire.pack(plain)).hexdigest()[:16]
