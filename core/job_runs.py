"""Jobs that a stage has run: whether they may run yet, with which packages and limits, and what of their output is
kept in the log."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from treadle import sandbox as box
from treadle.core import allowances, wire
from treadle.core.approval import of_findings, run_question
from treadle.core.counting import counted
from treadle.core.errors import NoPlugin, SafetyRefusal
from treadle.core.events import TESTS, Printed, Progress
from treadle.core.excerpts import Excerpts
from treadle.core.live_output import MOST_JOBS, LiveOutput
from treadle.core.packages.session_packages import Granted, Person, with_packages
from treadle.core.records import NOT_RUN, Execution, Job, Limits, Output
from treadle.core.services import Services
from treadle.core.tree.workspace import Tree

if TYPE_CHECKING:
    from treadle.core.session_context import SessionContext

# Stages that are nothing but runs of the plan's checks.
_RUNS = frozenset({"baseline", "execute"})
# Stages in which the loop has a change scanned, or runs what it has asked about.
_OF_THE_LOOP = frozenset({"scan", "baseline", "execute"})

OUTPUT_IN_LOG = 4_000
"""Characters of a job's stream that stay in the event log itself; the rest is kept apart, for a shorter time."""


@dataclass(frozen=True)
class JobRun:
    """One batch, in the name of the context that asked for it."""

    context: SessionContext

    @property
    def _services(self) -> Services:
        return self.context.services

    def run(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        """What came of the jobs, one Execution for each, in order. Raises as `Context.execute` does."""
        held = self._held_back(jobs)
        may = tuple(job for job, why in zip(jobs, held, strict=True) if not why)
        ran = iter(self._run(may) if may else ())
        return tuple(_not_run(job, why) if why else next(ran) for job, why in zip(jobs, held, strict=True))

    def _run(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        granted = self._packages(jobs)
        if granted.refused:
            return tuple(_not_run(job, granted.refused) for job in jobs)
        jobs, limits = with_packages(jobs, self._services.limits, granted.folder)
        left_s = self._services.budget.left_s
        asked = tuple(
            msgspec.structs.replace(job, limits=_within(job.limits, left_s)) if job.limits else job for job in jobs
        )
        with self._watching(len(jobs)) as watching:
            inner = replace(self.context.waited_for(), executing=True, plugin="", live_output=watching)
            answer: tuple[Execution, ...] | None = self._services.plugins.call(
                "treadle_execute", jobs=asked, limits=_within(limits, left_s), context=inner
            )
        # A stage that was given up meanwhile logs nothing any more.
        self.context.check_open()
        if answer is not None and any(execution.verdict == "timeout" for execution in answer):
            # Where it was the budget that cut a job short, that is no result: with a larger one it is run again.
            self._services.budget.check_time()
        if answer is None:
            raise NoPlugin(
                "nothing can be run: no enabled plugin executes jobs, or the one that does failed; "
                "see `treadle plugins`"
            )
        if len(answer) != len(jobs):
            said = f"{counted(len(answer), 'execution')} for {counted(len(jobs), 'job')}"
            raise NoPlugin(f"the executor answered {said}: its plugin is faulty")
        refused = next((execution for execution in answer if execution.verdict == "refused"), None)
        if refused is not None:
            # Whoever asked would take it for a run that failed, and go on with the next that will be refused.
            raise SafetyRefusal(f"the sandbox refused to run {refused.job!r}: {refused.message}")
        return tuple(self._shorten(execution) for execution in answer)

    def _held_back(self, jobs: tuple[Job, ...]) -> tuple[str, ...]:
        """Why each of the jobs may not run at this point, empty where it may. They are looked at together, and one by
        one only where something in them may not run."""
        why = self._why_not_yet(jobs)
        if not why or len(jobs) == 1:
            return (why,) * len(jobs)
        return tuple(self._why_not_yet((job,)) for job in jobs)

    def _why_not_yet(self, jobs: tuple[Job, ...]) -> str:
        """Why code of a model, or of a plugin that is none of Treadle's own, may not run at this point in these jobs,
        empty when it may: a stage that runs what the loop has asked about, or that looks at it, is not held up."""
        services, screening = self._services, self._services.screening
        if (
            not (services.model_writes or services.is_stranger(self.context.plugin))
            or self.context.looking
            or self.context.stage in _OF_THE_LOOP
            or self.context.workspace is None
        ):
            return ""
        draft = screening.draft_of(jobs)
        if draft is None:
            return ""
        refused = screening.refuses(draft, is_probe=self._is_probe)
        if refused:
            return refused
        inner = replace(self.context.waited_for(), plugin="", looking=True)
        said = services.plugins.call("treadle_scan", candidate=draft, workspace=self.context.workspace, context=inner)
        tree = Tree(self.context.workspace)
        findings = screening.weighed((finding for each in said for finding in each), draft, tree)
        concerns = tuple(dict.fromkeys(of_findings(findings)))
        question = run_question(concerns, Excerpts(draft, tree))
        says = services.plugins.call("treadle_approve", question=question, context=inner) if concerns else ()
        objects = any(each.say != "allow" for each in says)
        if not any(each.say == "deny" for each in says):
            findings = screening.unread(findings, draft)
            concerns = tuple(dict.fromkeys(of_findings(findings)))
        passed = () if objects else screening.passed(concerns, services.journal, mending=self._mends)
        refused = screening.refuses_for(findings, passed=passed, plugins_object=objects)
        if not refused:
            digest = hashlib.sha256(wire.pack(concerns)).hexdigest()[:16]
            allowances.log(services.journal, f"{self.context.key}/draft.{digest}", passed)
        return refused

    @property
    def _is_probe(self) -> bool:
        """Whether a plugin tries something of its own, outside of making a change, where no model has a hand in it."""
        by_model = self._services.model_writes or self.context.has_asked_a_model
        return self.context.stage == "validate" and not by_model

    @property
    def _mends(self) -> bool:
        """Whether what is run here is the last change with something done to it by no model: none was asked since."""
        return self.context.stage == "generate" and not self.context.has_asked_a_model

    def _packages(self, jobs: tuple[Job, ...]) -> Granted:
        """What the jobs are given besides their interpreter's environment."""
        if not self._services.model_writes or self.context.workspace is None:
            return Granted()
        # A person who was asked, and an installer, take their time.
        with self.context.out_of_time():
            return self._services.packages.grant(
                jobs,
                self.context.workspace,
                Person(
                    ask=self.context.put,
                    tell=lambda text: self.context.progress(0, None, text),
                    redacted=self._services.redactor.text,
                ),
            )

    def _watching(self, jobs: int) -> contextlib.AbstractContextManager[LiveOutput | None]:
        """Who is handed what they print: somebody where it is the plan's checks that are run, or what a model wants to
        have run. The batches of a search, which are hundreds, go unwatched."""
        services, context = self._services, self.context
        if jobs > MOST_JOBS or not services.bus.is_watched:
            return contextlib.nullcontext()
        if context.stage not in _RUNS and not context.has_asked_a_model:
            return contextlib.nullcontext()
        session, stage = services.journal.session, context.stage

        def tell(job: str, text: str, left_out: int) -> None:
            services.bus.publish(Printed(session=session, stage=stage, job=job, text=text, left_out=left_out))

        def count(done: int, total: int | None) -> None:
            if stage in _RUNS:
                services.bus.publish(Progress(session=session, stage=stage, done=done, total=total, text=TESTS))

        return LiveOutput(tell, services.redactor, count, jobs)

    def _shorten(self, execution: Execution) -> Execution:
        return msgspec.structs.replace(
            execution, stdout=self._shorten_stream(execution.stdout), stderr=self._shorten_stream(execution.stderr)
        )

    def _shorten_stream(self, stream: Output) -> Output:
        if len(stream.head) + len(stream.tail) <= OUTPUT_IN_LOG:
            return stream
        ref = self._services.outputs.put_output(self._services.journal.session, stream.text)
        half = OUTPUT_IN_LOG // 2
        # A part of a secret has no shape by which it could be known later, when a model is told of this.
        text = self._services.redactor.known_by_line(stream.head + stream.tail)
        left_out = max(0, len(text) - OUTPUT_IN_LOG)
        return Output(head=text[:half], tail=text[half:][-half:], dropped=left_out + stream.dropped, ref=ref)


def _not_run(job: Job, why: str) -> Execution:
    return Execution(job=job.id, verdict="error", message=f"{NOT_RUN}: {why}")


def _within(limits: Limits, left_s: float) -> Limits:
    """The limits with no more time than the session has left."""
    wall_s = box.Limits.tier(limits.tier).wall_s if limits.wall_s is None else limits.wall_s
    return msgspec.structs.replace(limits, wall_s=max(0.1, left_s)) if left_s < wall_s else limits
