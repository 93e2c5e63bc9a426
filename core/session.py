"""The life of one session in this process: lock it, give it a workspace, run the loop, and let it end or rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from treadle.core import loop
from treadle.core.budget import Budget
from treadle.core.errors import NeedsPerson, NoPlugin, Signalled, Stopped, TreadleError
from treadle.core.events import Bus, Event, Progress
from treadle.core.journal import Journal
from treadle.core.plugin_guard import Fault
from treadle.core.records import Limits, Outcome, SessionInfo, SessionState, Severity, Task, Workspace
from treadle.core.session_context import Logger, Plugins, Services, SessionContext
from treadle.core.stage_call import Supervisor
from treadle.core.stages import Stages
from treadle.core.states import ENDED
from treadle.core.strategy import Limit

if TYPE_CHECKING:
    from treadle.core.places import Places
    from treadle.core.store import Store


@dataclass(frozen=True)
class Rules:
    """What the settings say about how sessions run."""

    limit: Limit
    limits: Limits
    stage_timeout_s: float
    supervise_every_s: float
    executions: int
    wall_s: float
    approval: str
    severity_of: Callable[[str, Severity], Severity]


class Session:
    """One session, from its first run to its end; `run` is called again each time it goes on."""

    def __init__(
        self,
        *,
        id: str,
        task: Task,
        store: Store,
        places: Places,
        plugins: Plugins,
        rules: Rules,
        bus: Bus,
        logger: Logger,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = id
        self.task = task
        self._store = store
        self._places = places
        self._plugins = plugins
        self._rules = rules
        self._bus = bus
        self._logger = logger
        self._clock = clock
        self._stop = threading.Event()
        self._journal: Journal | None = None

    def stop(self) -> None:
        """Ask the session to stop soon; safe from any thread and from a signal handler."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether the session was asked to stop."""
        return self._stop.is_set()

    def plugin_fault(self, fault: Fault) -> None:
        """A plugin did something wrong while this session was at work: one of its events."""
        if self._journal is not None:
            about = {"plugin": fault.plugin, "hook": fault.hook, "error": fault.error, "off": fault.switched_off}
            self._journal.append("plugin.fault", about)

    def run(self) -> Outcome:
        """Work until the session ends or rests, and say how. A session that has ended answers with its outcome again.

        Raises `StoreBusy` when another program works on it, and what made it impossible to work: `UsageError`,
        `NoPlugin`, `WorkspaceError`, `SafetyRefusal`, `StoreError`; the session is then UNSOLVED.
        """
        with self._store.lock(self.id):
            journal = self._journal = Journal(self._store, self.id, self._bus)
            ended = _ended(journal)
            if ended is not None and ended.state != "OVER_BUDGET":
                return ended
            if journal.find("session.state", "001.state") is not None:
                journal.append("session.resumed", {})
            return self._work(self._services(journal))

    def _work(self, services: Services) -> Outcome:
        journal = services.journal
        life = SessionContext(services, "session", "life", None)
        info = SessionInfo(id=self.id, task=self.task, state="INIT")
        workspace: Workspace | None = None
        unsubscribe = self._bus.subscribe(self._tell_observers)
        self._plugins.call("treadle_start", session=info, context=life)
        try:
            workspace = self._plugins.call("treadle_open_workspace", task=self.task, context=life)
            if workspace is None:
                raise NoPlugin("no enabled plugin can open a workspace for this project; see `treadle plugins`")
            journal.once("workspace.opened", "workspace", msgspec.to_builtins(workspace))
            with Supervisor(self._rules.supervise_every_s) as supervisor:
                stages = Stages(
                    services,
                    self.task,
                    workspace,
                    supervisor,
                    stage_timeout_s=self._rules.stage_timeout_s,
                    approval=self._rules.approval,
                    severity_of=self._rules.severity_of,
                )
                outcome = self._loop(stages)
        except Exception as error:  # the wall around a session
            outcome = self._fail(journal, error)
            raise
        finally:
            if workspace is not None:
                self._plugins.call("treadle_close_workspace", workspace=workspace, context=life)
            self._plugins.call("treadle_stop", session=info, context=life)
            unsubscribe()
        journal.append("session.ended" if outcome.state in ENDED else "session.rests", _plain(outcome))
        return outcome

    def _tell_observers(self, item: Event | Progress) -> None:
        if isinstance(item, Event):
            self._plugins.call("treadle_event", event=item)

    def _loop(self, stages: Stages) -> Outcome:
        try:
            return loop.run(stages, self._rules.limit)
        except NeedsPerson as question:
            state: SessionState = "NEEDS_PERSON"
            reason = str(question)
        except Stopped as stop:
            state, reason = "STOPPED", str(stop)
        stages.end(state)
        return Outcome(task=self.task, state=state, reason=reason, notes=stages.notes)

    def _fail(self, journal: Journal, error: Exception) -> Outcome:
        """What made the session impossible ends it; what nobody foresaw lets it rest, to be resumed."""
        foreseen = isinstance(error, TreadleError) and not isinstance(error, Stopped)
        state: SessionState = "UNSOLVED" if foreseen else "STOPPED"
        if not foreseen and not isinstance(error, Signalled):
            self._logger.error("the session crashed", session=self.id, exc_info=error)
        outcome = Outcome(task=self.task, state=state, reason=f"{type(error).__name__}: {error}")
        journal.append("session.state", {"state": state})
        journal.append("session.failed", {"state": state, "error": outcome.reason})
        return outcome

    def _services(self, journal: Journal) -> Services:
        return Services(
            journal=journal,
            plugins=self._plugins,
            outputs=self._store,
            places=self._places,
            bus=self._bus,
            logger=self._logger,
            budget=Budget(
                executions=self._rules.executions,
                wall_s=self._rules.wall_s,
                spent_s=_worked_before(self._store, self.id),
                clock=self._clock,
            ),
            limits=self._rules.limits,
            stop=self._stop,
            clock=self._clock,
        )


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "state": outcome.state,
        "reason": outcome.reason,
        "outcome": msgspec.to_builtins(outcome, builtin_types=(bytes,)),
    }


def _ended(journal: Journal) -> Outcome | None:
    """The outcome of a session that has ended, None while it can go on."""
    event = journal.latest("session.ended")
    return None if event is None else msgspec.convert(event.data["outcome"], Outcome)


def _worked_before(store: Store, session: str) -> float:
    """Seconds that earlier runs of the session took: the gaps between its events, without its rests."""
    worked = 0.0
    before: float | None = None
    for event in store.events(session):
        if before is not None and event.kind not in ("session.resumed", "question.answered"):
            worked += max(0.0, event.time - before)
        before = event.time
    return worked
