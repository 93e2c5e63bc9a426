"""The life of one session in this process: lock it, give it a workspace, run the loop, and let it end or rest."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from treadle.core import feedback, loop
from treadle.core.budget import Budget
from treadle.core.config.allow_rules import AllowRule
from treadle.core.durations import in_seconds
from treadle.core.errors import NeedsPerson, NoPlugin, StageTimeout, Stopped, TreadleError
from treadle.core.events import Bus, Event, Item, held
from treadle.core.installers.choosing import Program
from treadle.core.journal import Journal
from treadle.core.model_calls import ModelCalls, ModelRules
from treadle.core.models.routing import ROLES
from treadle.core.packages.folders import PackageFolders
from treadle.core.packages.rules import ASKED, PackageRules
from treadle.core.packages.session_packages import Install, SessionPackages
from treadle.core.patches.bases import Bases, diff_of
from treadle.core.plugin_host.guard import Fault
from treadle.core.purse import Ledger, NoLedger, Purse
from treadle.core.records import (
    ApprovalMode,
    Limits,
    Outcome,
    RunChoices,
    SessionInfo,
    SessionState,
    Severity,
    Task,
    Workspace,
)
from treadle.core.redaction import Redactor
from treadle.core.replay import Recording
from treadle.core.screening import Screening
from treadle.core.services import Logger, Plugins, Services
from treadle.core.session_context import SessionContext
from treadle.core.stage_call import StageCall, Supervisor
from treadle.core.stages import Stages
from treadle.core.states import ENDED, SETTLED
from treadle.core.store.spending import Spending
from treadle.core.strategy import Limit
from treadle.core.tree.workspace import Tree
from treadle.core.worked_time import worked_seconds

if TYPE_CHECKING:
    from treadle.core.places import Places
    from treadle.core.plugin_host.plugin_manager import Observer
    from treadle.core.store.store import Store

T = TypeVar("T")


@dataclass(frozen=True)
class Rules:
    """What the settings say about how sessions run. `allowed` reads what the person is not asked about any more: each
    time that a session goes on, since their answer to its question may be such a rule. It raises `ConfigError`."""

    limit: Limit
    limits: Limits
    stage_timeout_s: float
    supervise_every_s: float
    jobs: int
    wall_s: float
    models: ModelRules
    approval: ApprovalMode
    severity_of: Callable[[str, Severity], Severity]
    protected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    allowed: Callable[[], tuple[AllowRule, ...]] = tuple
    install: Install = "ask"
    packages: PackageRules = ASKED
    installer: Program = "auto"


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
        choices: RunChoices | None = None,
        rules: Rules,
        bus: Bus,
        logger: Logger,
        redactor: Redactor,
        replayed: Recording | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`redactor` takes the secrets out of what plugins say; `replayed` is what another session heard of models."""
        self.id = id
        self.task = task
        self._store = store
        self._places = places
        self._plugins = plugins
        self._choices = choices or RunChoices()
        self._rules = rules
        self._bus = bus
        self._logger = logger
        self._redactor = redactor
        self._replayed = replayed
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
        """A plugin did something wrong by itself while this session was at work: one of its events."""
        if self._journal is not None:
            told: dict[str, Any] = {"plugin": fault.plugin, "hook": fault.hook, "about": fault.about}
            told |= {"error": self._redactor.text(fault.error), "off": fault.switched_off, "kept": fault.kept}
            # The key is what the result tells once, however often it went wrong.
            self._journal.append("plugin.fault", {**told, "key": f"{fault.plugin}.{fault.hook}.{fault.about}"})

    def run(self) -> Outcome:
        """Work until the session ends or rests, and say how. A session that has ended answers with its outcome again.

        Raises `StoreBusy` when another program works on it, and what made it impossible to work: `UsageError`,
        `NoPlugin`, `WorkspaceError`, `SafetyRefusal`, `StoreError`; the session is then UNSOLVED.
        """
        with self._store.lock(self.id):
            journal = self._journal = Journal(
                self._store, self.id, self._bus, self._replayed.events if self._replayed else ()
            )
            ended = _ended(journal)
            if ended is not None and ended.state in SETTLED:
                return ended
            if journal.has_begun:
                journal.append("session.resumed", {"choices": msgspec.to_builtins(self._choices)})
            self._plugins.count_faults(*_faults(self._store, self.id))
            spending = self._ledger(journal)
            services = self._services(journal, Purse(spending, journal.append))
            unsubscribe = self._bus.subscribe(self._tell_observers)
            try:
                with Supervisor(self._rules.supervise_every_s) as supervisor:
                    return self._live(services, supervisor)
            finally:
                unsubscribe()
                spending.close()

    def _ledger(self, journal: Journal) -> Ledger:
        if self._replayed:
            return NoLedger()
        amounts = self._rules.models.amounts
        return Spending(self._places.spending, self.id, amounts, lambda text: self._note(journal, text))

    def _live(self, services: Services, supervisor: Supervisor) -> Outcome:
        journal = services.journal
        hooks = _LifeHooks(services, supervisor, self._rules.stage_timeout_s)
        workspace: Workspace | None = None
        try:
            hooks.observe("treadle_start", session=self._info("INIT"))
            services.check_way()
            workspace = hooks.open_workspace(self.task)
            journal.once("workspace.opened", "workspace", msgspec.to_builtins(workspace))
            outcome = loop.run(self._stages(services, supervisor, workspace), self._rules.limit)
            diff = self._diff(outcome, workspace)
        except (NeedsPerson, Stopped) as rest:
            # Before the loop began there is nothing to tell but why it rests.
            state: SessionState = "STOPPED" if isinstance(rest, Stopped) else "NEEDS_PERSON"
            journal.append("session.state", {"state": state})
            outcome, diff = Outcome(task=self.task, state=state, reason=str(rest)), ""
        except Exception as error:  # the wall around a session
            hooks.wind_down(workspace, self._info(self._fail(journal, error)))
            raise
        journal.append("plugins.called", {"plugins": self._plugins.use()})
        told = _plain(outcome) | {"diff": diff}
        journal.append("session.ended" if outcome.state in ENDED else "session.rests", told)
        hooks.wind_down(workspace, self._info(outcome.state))
        return outcome

    def _stages(self, services: Services, supervisor: Supervisor, workspace: Workspace) -> Stages:
        return Stages(
            services,
            self.task,
            workspace,
            supervisor,
            stage_timeout_s=self._rules.stage_timeout_s,
        )

    def _diff(self, outcome: Outcome, workspace: Workspace) -> str:
        """The change that the session found, as a unified diff against the files that it was made from."""
        attempt = outcome.winner
        return diff_of(attempt.candidate, Tree(workspace), Bases(self._places, self.id)) if attempt else ""

    def _info(self, state: SessionState) -> SessionInfo:
        roles = (getattr(self._rules.models.settings, role) for role in ROLES)
        named = tuple(dict.fromkeys(name for role in roles for name in role.use))
        return SessionInfo(id=self.id, task=self.task, state=state, models=named)

    def _tell_observers(self, item: Item) -> None:
        if isinstance(item, Event):
            self._plugins.call("treadle_event", event=item)

    def _fail(self, journal: Journal, error: Exception) -> SessionState:
        """What made the session impossible ends it; what nobody foresaw lets it rest. Both can be resumed."""
        foreseen = isinstance(error, TreadleError)
        state: SessionState = "UNSOLVED" if foreseen else "STOPPED"
        if not foreseen:
            self._logger.error("the session crashed", session=self.id, exc_info=error)
        journal.append("session.state", {"state": state})
        told = str(error) if foreseen else f"{type(error).__name__}: {error}"
        journal.append("session.failed", {"state": state, "error": told})
        return state

    def _note(self, journal: Journal, text: str) -> None:
        """Something that the person should read in the result."""
        told = self._redactor.text(text)
        journal.once("note.left", f"note.{told}", {"plugin": "treadle", "text": told})

    def _model_calls(self, journal: Journal, purse: Purse) -> ModelCalls:
        return ModelCalls(self._rules.models, purse, journal.append, clock=self._clock, wait=self._stop.wait)

    def _services(self, journal: Journal, purse: Purse) -> Services:
        return Services(
            journal=journal,
            purse=purse,
            models=self._replayed or self._model_calls(journal, purse),
            model_writes=self.task.kind == "run",
            screening=Screening(
                self._rules.approval,
                self._rules.severity_of,
                # Code that the person gave themselves changes no file of theirs.
                ((), ()) if self.task.kind == "check" else self._rules.protected,
                self._rules.allowed(),
                self._rules.packages,
            ),
            packages=SessionPackages(
                self.task.python,
                PackageFolders(self._places, self._rules.installer),
                self._rules.install,
                journal,
                self._rules.packages,
            ),
            plugins=self._plugins,
            outputs=self._store,
            places=self._places,
            bus=self._bus,
            logger=self._logger,
            redactor=self._redactor,
            budget=Budget(
                jobs=self._rules.jobs,
                wall_s=self._rules.wall_s,
                spent_s=worked_seconds(self._store.events(self.id)),
                counted=journal.jobs_by_key(),
                clock=self._clock,
                warn=purse.warn,
            ),
            limits=self._rules.limits,
            python=self.task.python,
            stop=self._stop,
            clock=self._clock,
        )


class _LifeHooks:
    """The hooks around the loop, each with the time that a stage has."""

    def __init__(self, services: Services, supervisor: Supervisor, limit_s: float) -> None:
        self._services = services
        self._supervisor = supervisor
        self._limit_s = limit_s

    def open_workspace(self, task: Task) -> Workspace:
        """A workspace. Raises `NoPlugin` when nobody opens one, in time."""

        def opened(context: SessionContext) -> Workspace | None:
            answer: Workspace | None = self._services.plugins.call("treadle_open_workspace", task=task, context=context)
            return answer

        try:
            workspace = self._call("open_workspace", "", opened, self._limit_s, self._services.stop)
        except StageTimeout as error:
            raise NoPlugin(f"no workspace: {error}; see `treadle plugins`") from error
        if workspace is None:
            raise NoPlugin("no enabled plugin can open a workspace for this project; see `treadle plugins`")
        return workspace

    def observe(self, hook: str, **arguments: Any) -> None:
        """Tell the observers, each in a turn of its own: one that hangs is left behind, and costs no other its turn."""
        for observer in self._services.plugins.observers(hook):
            self._tell(observer, hook, **arguments)

    def _tell(self, observer: Observer, hook: str, **arguments: Any) -> None:
        limit_s = self._limit_s if observer.limit_s is None else min(observer.limit_s, self._limit_s)

        def told(context: SessionContext) -> None:
            self._services.plugins.tell(observer, hook, **arguments, context=context)

        def left_behind() -> None:
            why = f"it took longer than {in_seconds(limit_s)}, with what it called, and was left behind"
            self._services.plugins.blame(observer.plugin, hook, why)

        # A session that stops still closes what it has opened.
        name, never = hook.removeprefix("treadle_"), threading.Event()
        with contextlib.suppress(StageTimeout):
            self._call(name, f".{observer.plugin}", told, limit_s, never, left_behind)

    def wind_down(self, workspace: Workspace | None, info: SessionInfo) -> None:
        """Close the workspace and say that the session has ended or rests."""
        if workspace is not None:
            self.observe("treadle_close_workspace", workspace=workspace)
        self.observe("treadle_stop", session=info)

    def _call(
        self,
        name: str,
        mark: str,
        do: Callable[[SessionContext], T],
        limit_s: float,
        stop: threading.Event,
        left_behind: Callable[[], None] | None = None,
    ) -> T:
        """What is answered within the limit; the context that it is given is of no use after that. With `left_behind`
        the limit is for all of it, and that is called when it is passed."""
        call: StageCall[T] = StageCall(
            name,
            lambda: do(SessionContext(self._services, name, f"life.{name}{mark}", call)),
            limit_s,
            self._services.clock,
            in_all=left_behind is not None,
            left_behind=left_behind or (lambda: None),
        )
        with self._supervisor.watching(call):
            return call.wait(stop)


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "state": outcome.state,
        "reason": outcome.told,
        "outcome": msgspec.to_builtins(outcome, builtin_types=(bytes,)),
    }


def _ended(journal: Journal) -> Outcome | None:
    """The outcome of a session that has ended, None while it can go on."""
    event, said = journal.latest("session.ended"), journal.latest(feedback.KIND)
    if event is None or (said is not None and said.seq > event.seq):
        return None
    outcome: Outcome = held(event, "outcome", Outcome)
    return outcome


def _faults(store: Store, session: str) -> tuple[Mapping[str, Counter[str]], Mapping[str, set[str]]]:
    """How often each plugin was at fault in the session's earlier runs, by hook, and the hooks in which a fault was the
    last that was allowed."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    ended: defaultdict[str, set[str]] = defaultdict(set)
    for event in store.events(session):
        if event.kind == "plugin.fault":
            plugin, hook = str(event.data["plugin"]), str(event.data["hook"])
            found[plugin][hook] += 1
            if event.data.get("off"):
                ended[plugin].add(hook)
    return found, ended
