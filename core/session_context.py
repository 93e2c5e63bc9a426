"""What plugins in this process are given as `context`: the session's services behind the protocol of `core.context`."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from treadle import sandbox as box
from treadle.core import reach, wire
from treadle.core.approval import run_question
from treadle.core.budget import Budget
from treadle.core.contribution_calls import ContributionCalls
from treadle.core.errors import (
    NeedsPerson,
    NoModel,
    NoPlugin,
    PluginFault,
    ReplayDiverged,
    SafetyRefusal,
    StageTimeout,
    Stopped,
)
from treadle.core.events import Bus, Delta, Progress
from treadle.core.journal import Journal
from treadle.core.model_calls import Served
from treadle.core.model_choice import Asker
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.packages.session_packages import Granted, Person, SessionPackages, with_packages
from treadle.core.places import private_folder
from treadle.core.plugin_host.brought import Brought
from treadle.core.plugin_host.guard import Running
from treadle.core.purse import Purse
from treadle.core.records import Execution, FileChange, Job, Limits, Output, Question, Workspace
from treadle.core.redaction import Redactor, without_secrets
from treadle.core.screening import Screening
from treadle.core.stage_call import StageCall

if TYPE_CHECKING:
    from treadle.core.places import Places

_COMPLETE = "complete."
# Stages in which the loop has a change scanned, or runs what it has asked about.
_OF_THE_LOOP = frozenset({"scan", "baseline", "execute"})

OUTPUT_IN_LOG = 4_000
"""Characters of a job's stream that stay in the event log itself; the rest is kept apart, for a shorter time."""


class Plugins(Protocol):
    """The part of the plugin manager that a session needs."""

    def call(self, hook: str, **arguments: Any) -> Any: ...

    def answerers(self, hook: str) -> tuple[str, ...]: ...

    def passed_over(self, hook: str) -> tuple[str, ...]: ...

    def left_out(self) -> tuple[str, ...]: ...

    def settings_of(self, plugin: str) -> dict[str, object]: ...

    def running(self) -> tuple[Running, ...]: ...

    @property
    def brought(self) -> Brought: ...

    def use(self) -> dict[str, dict[str, float]]: ...

    def count_faults(self, faults: Mapping[str, Mapping[str, int]]) -> None: ...


class OutputStore(Protocol):
    """Where the long output of jobs is kept."""

    def put_output(self, session: str, text: str) -> str: ...


class Logger(Protocol):
    """A structured log."""

    def debug(self, event: str, **fields: Any) -> Any: ...

    def info(self, event: str, **fields: Any) -> Any: ...

    def warning(self, event: str, **fields: Any) -> Any: ...

    def error(self, event: str, **fields: Any) -> Any: ...


class Models(Protocol):
    """Who asks language models; `core.model_calls.ModelCalls` does."""

    def ask(self, request: ModelRequest, asker: Asker, key: str, left_s: float) -> Served: ...


@dataclass(frozen=True)
class Services:
    """What the parts of one running session share. `model_writes`: its candidates are a language model's; `diverged` is
    where a replay took another way than the session that it replays."""

    journal: Journal
    plugins: Plugins
    outputs: OutputStore
    places: Places
    bus: Bus
    logger: Logger
    redactor: Redactor
    budget: Budget
    purse: Purse
    models: Models
    model_writes: bool
    packages: SessionPackages
    screening: Screening
    limits: Limits
    python: str
    stop: threading.Event
    clock: Callable[[], float]
    diverged: list[ReplayDiverged] = field(default_factory=list)

    def check_way(self) -> None:
        """Raises `ReplayDiverged` where one was raised before, which a plugin may have taken for an answer."""
        if self.diverged:
            raise self.diverged[0]


@dataclass(frozen=True)
class SessionContext(ContributionCalls):
    """One stage's context. `key` is the stage's key in the journal. `executing`: of whoever runs jobs; `looking`: of a
    scanner that looks at a draft. `written_tests` are the tests that were written for the plan, if it is made."""

    services: Services
    stage: str
    key: str
    stage_call: StageCall[Any] | None
    workspace: Workspace | None = None
    executing: bool = False
    written_tests: tuple[FileChange, ...] = ()
    looking: bool = False
    _seen: Counter[str] = field(default_factory=Counter)

    def brought(self) -> Brought:
        self._check_open()
        return self.services.plugins.brought

    # ------------------------------------------------------------ the protocol

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self._check_open()
        key = self._next_key(f"{self.plugin}.{kind}")
        told = self.services.redactor.value(data)
        self.services.journal.once(f"plugin.{self.plugin}.{kind}", key, msgspec.convert(told, dict[str, Any]))

    def note(self, text: str) -> None:
        self._check_open()
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
        self._check_open()
        if self.executing:
            raise PluginFault("an executor can't have its jobs executed by the session: it would be asked itself")
        if self.apart:
            reach.check_jobs(jobs, self.workspace, self.services.python)
        jobs = tuple(job if job.workspace else msgspec.structs.replace(job, workspace=self.workspace) for job in jobs)
        key = self._next_key(f"execute.{_digest(jobs)}")
        self.services.budget.spend_jobs(key, len(jobs))
        self.services.budget.check_time()
        counts = self.services.model_writes and self._runs_what_a_model_wrote(jobs)

        def run() -> tuple[Execution, ...]:
            if counts:
                self.services.purse.reserve(key, {"executions": 1})
            return self._execute(jobs)

        return self.services.journal.effect(
            "execute",
            key,
            tuple[Execution, ...],
            run,
            about=lambda: {"stage": self.stage, "jobs": len(jobs)},
            summary=lambda done: {"verdicts": dict(Counter(e.verdict for e in done))},
        )

    def complete(self, request: ModelRequest) -> ModelReply:
        self._check_open()
        self.services.budget.check_time()
        request = without_secrets(request, self.services.redactor)
        key = self._next_key(f"{_COMPLETE}{hashlib.sha256(wire.pack(request)).hexdigest()[:16]}")
        served: list[Served] = []

        def ask() -> ModelReply:
            self.services.purse.reserve("session", {"sessions": 1})
            with self._out_of_time():
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
        self._check_open()
        return self._put(question, f"{self.key}/ask.{self.plugin}.{question.id}")

    def settings(self) -> dict[str, object]:
        return self.services.plugins.settings_of(self.plugin)

    def folder(self, scope: Literal["project", "session"]) -> str:
        places, plugin = self.services.places, self.plugin or "treadle"
        session = self.services.journal.session
        kept = scope == "project"
        folder = places.plugin_folder(plugin) if kept else places.plugin_session_folder(plugin, session)
        return str(private_folder(folder))

    def log(self, level: str, message: str, **fields: object) -> None:
        logger = self.services.logger
        write = {"debug": logger.debug, "warning": logger.warning, "error": logger.error}.get(level, logger.info)
        own = {"session": self.services.journal.session, "plugin": self.plugin, "stage": self.stage}
        write(message, **fields | own)

    # ------------------------------------------------------------ behind it

    def _runs_what_a_model_wrote(self, jobs: tuple[Job, ...]) -> bool:
        """Whether the jobs run a candidate, what whoever has asked a model here wants to have run, or written tests:
        not those that only look at a candidate."""
        if self.stage == "execute" or any(what.startswith(_COMPLETE) for what in self._seen):
            return True
        return any(change in job.files for job in jobs for change in self.written_tests)

    def _keep(self, request: ModelRequest) -> str:
        """Keep what is sent to a service, word for word, as long as outputs are kept; the name under which it is."""
        text = msgspec.json.format(msgspec.json.encode(request)).decode()
        return self.services.outputs.put_output(self.services.journal.session, text)

    def _put(self, question: Question, key: str) -> str:
        """The person's answer to the question under that key; `NeedsPerson` until there is one."""
        answered = self.services.journal.answered(key)
        if answered is not None:
            return str(answered.data["answer"])
        plain = msgspec.to_builtins(question)
        self.services.journal.once("question.asked", key, {"question": plain, "plugin": self.plugin})
        raise NeedsPerson(question.text)

    def _check_open(self) -> None:
        if self.services.stop.is_set():
            raise Stopped("the session was asked to stop")
        if self.stage_call is not None and self.stage_call.closed:
            raise StageTimeout(f"the stage {self.stage!r} is over; its context is of no use any more")

    def _next_key(self, what: str) -> str:
        """A key for the n-th such thing in this stage: the same in every run of the session."""
        self._seen[what] += 1
        return f"{self.key}/{what}.{self._seen[what]}"

    def _execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        not_yet = self._why_not_yet(jobs)
        granted = Granted(refused=not_yet) if not_yet else self._packages(jobs)
        if granted.refused:
            return tuple(Execution(job=job.id, verdict="error", message=f"not run: {granted.refused}") for job in jobs)
        jobs, limits = with_packages(jobs, self.services.limits, granted.folder)
        inner = replace(self, executing=True, plugin="")
        left_s = self.services.budget.left_s
        asked = tuple(
            msgspec.structs.replace(job, limits=_within(job.limits, left_s)) if job.limits else job for job in jobs
        )
        answer: tuple[Execution, ...] | None = self.services.plugins.call(
            "treadle_execute", jobs=asked, limits=_within(limits, left_s), context=inner
        )
        # A stage that was given up meanwhile logs nothing any more.
        self._check_open()
        if answer is not None and any(execution.verdict == "timeout" for execution in answer):
            # Where it was the budget that cut a job short, that is no result: with a larger one it is run again.
            self.services.budget.check_time()
        if answer is None:
            raise NoPlugin(
                "nothing can be run: no enabled plugin executes jobs, or the one that does failed; "
                "see `treadle plugins`"
            )
        if len(answer) != len(jobs):
            raise NoPlugin(f"the executor answered {len(answer)} executions for {len(jobs)} jobs: its plugin is faulty")
        refused = next((execution for execution in answer if execution.verdict == "refused"), None)
        if refused is not None:
            # Whoever asked would take it for a run that failed, and go on with the next that will be refused.
            raise SafetyRefusal(f"the sandbox refused to run {refused.job!r}: {refused.message}")
        return tuple(self._shorten(execution) for execution in answer)

    def _why_not_yet(self, jobs: tuple[Job, ...]) -> str:
        """Why a model's code in these jobs may not run at this point, empty when it may: a stage that runs what the
        loop has asked about, or that looks at it, is not held up."""
        services, screening = self.services, self.services.screening
        if not services.model_writes or self.looking or self.stage in _OF_THE_LOOP or self.workspace is None:
            return ""
        draft = screening.draft_of(jobs)
        if draft is None:
            return ""
        refused = screening.refuses(draft)
        if refused:
            return refused
        inner = replace(self, plugin="", looking=True)
        said = services.plugins.call("treadle_scan", candidate=draft, workspace=self.workspace, context=inner)
        findings = screening.weighed((finding for each in said for finding in each), draft)
        question = run_question(finding.message for finding in findings if finding.severity == "ask")
        says = services.plugins.call("treadle_approve", question=question, context=inner) if question.details else ()
        return screening.refuses_for(findings, plugins_object=any(each.say != "allow" for each in says))

    def _packages(self, jobs: tuple[Job, ...]) -> Granted:
        """What the jobs are given besides their interpreter's environment."""
        if not self.services.model_writes or self.workspace is None:
            return Granted()
        # A person who was asked, and an installer, take their time.
        with self._out_of_time():
            return self.services.packages.grant(
                jobs,
                self.workspace,
                Person(
                    ask=self._put,
                    tell=lambda text: self.progress(0, None, text),
                    redacted=self.services.redactor.text,
                ),
            )

    def _out_of_time(self) -> contextlib.AbstractContextManager[None]:
        """Within the block the stage's own time stands still, as long as the session has any."""
        left_s = self.services.budget.left_s
        return self.stage_call.waiting(left_s) if self.stage_call else contextlib.nullcontext()

    def _shorten(self, execution: Execution) -> Execution:
        return msgspec.structs.replace(
            execution, stdout=self._shorten_stream(execution.stdout), stderr=self._shorten_stream(execution.stderr)
        )

    def _shorten_stream(self, stream: Output) -> Output:
        if len(stream.head) + len(stream.tail) <= OUTPUT_IN_LOG:
            return stream
        ref = self.services.outputs.put_output(self.services.journal.session, stream.text)
        half = OUTPUT_IN_LOG // 2
        text = stream.head + stream.tail
        return Output(head=text[:half], tail=text[-half:], dropped=len(text) - OUTPUT_IN_LOG + stream.dropped, ref=ref)


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


def _within(limits: Limits, left_s: float) -> Limits:
    """The limits with no more time than the session has left."""
    wall_s = box.Limits.tier(limits.tier).wall_s if limits.wall_s is None else limits.wall_s
    return msgspec.structs.replace(limits, wall_s=max(0.1, left_s)) if left_s < wall_s else limits


def _digest(jobs: tuple[Job, ...]) -> str:
    """What is asked, without where: the workspace's folders do not change what a job means."""
    plain = tuple(msgspec.structs.replace(job, workspace=None) for job in jobs)
    return hashlib.sha256(wire.pack(plain)).hexdigest()[:16]
