"""A session on real parts (event log, plugin manager, threads) whose plugins are written by the test."""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
import structlog

from treadle.core.config.allow_rules import AllowRule
from treadle.core.config.model_settings import ModelsSettings
from treadle.core.config.settings import Settings
from treadle.core.contributions import Model
from treadle.core.events import Bus, Event
from treadle.core.hooks import hookimpl
from treadle.core.model_calls import ModelRules
from treadle.core.models.catalogue import Catalogue
from treadle.core.models.messages import ModelReply
from treadle.core.places import Places
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import PluginStates
from treadle.core.records import (
    Candidate,
    Execution,
    FileChange,
    Job,
    Limits,
    Outcome,
    Plan,
    Signal,
    Task,
    Workspace,
)
from treadle.core.redaction import Redactor
from treadle.core.replay import Recording
from treadle.core.session import Rules, Session
from treadle.core.store.opening import open_store
from treadle.core.store.spending import Amounts, Scope
from treadle.core.store.store import Store
from treadle.core.strategy import Limit

SECRET = "hunter2hunter2"
MODEL = "scripted"
CHECK = Job(id="check", argv=("true",))


def change(text: str = "x = 1\n") -> Candidate:
    return Candidate(files=(FileChange(path="a.py", content=text.encode()),), why=f"wrote {text!r}", remedy="by hand")


class Parts:
    """Hook implementations by name, each put into a plugin of its own; a test replaces those it is about, and may add
    `more` plugins by their names."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.runs: list[str] = []
        self.asked: list[Any] = []
        self.more: dict[str, dict[str, Callable[..., Any]]] = {}
        self.hooks: dict[str, Callable[..., Any] | None] = {
            "treadle_open_workspace": self.open_workspace,
            "treadle_plan": self.plan,
            "treadle_generate": self.generate,
            "treadle_scan": lambda candidate: (),
            "treadle_execute": self.execute,
            "treadle_validate": self.validate,
            "treadle_reflect": lambda attempts: None,
            "treadle_recall": lambda task: (),
            "treadle_remember": lambda outcome: None,
        }

    def open_workspace(self, task: Task) -> Workspace:
        place = str(self.project)
        return Workspace(id="w", kind="overlay", project=place, root=place, upper=f"{place}/upper")

    def plan(self, task: Task) -> Plan:
        return Plan(steps=("make the check pass",), checks=(CHECK,))

    def generate(self, request: Any) -> Candidate:
        return change()

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        """A check passes when the candidate's file begins with `x = 1`."""
        self.runs += [job.id for job in jobs]
        return tuple(
            Execution(job=job.id, verdict="ok", exit_code=0)
            if any((file.content or b"").startswith(b"x = 1\n") for file in job.files)
            else Execution(job=job.id, verdict="error", exit_code=1)
            for job in jobs
        )

    def model(self, kind: str, name: str, arguments: dict[str, Any]) -> ModelReply:
        """A language model that says how often it was asked before."""
        self.asked.append(arguments["request"])
        return ModelReply(text=f"reply {len(self.asked)}")

    def validate(self, candidate: Candidate, execution: tuple[Execution, ...]) -> tuple[Signal, ...]:
        ok = all(run.verdict == "ok" for run in execution)
        return (Signal(kind="tests", ok=ok, summary="the check passes" if ok else "the check fails"),)


class Bench:
    """Makes sessions over one store, and reads what they logged."""

    def __init__(self, tmp_path: Path) -> None:
        self.project = tmp_path / "project"
        self.project.mkdir()
        self.parts = Parts(self.project)
        self.places = Places(tmp_path / "home", self.project).make()
        self.kind: Literal["fix", "check", "run"] = "fix"
        self.text = "make it so"
        self.shows_plan = False
        self.limit = Limit()
        self.stage_timeout_s = 60.0
        self.supervise_every_s = 15.0
        self.jobs = 10_000
        self.wall_s = 600.0
        self.clock = time.monotonic
        self.models = ModelsSettings()
        self.amounts: dict[Scope, Amounts] = {}
        self.catalogue = Catalogue.load()
        self.approval = "auto"
        self.severities: dict[str, Any] = {}
        self.protected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.allowed: tuple[AllowRule, ...] = ()
        self.bus = Bus()
        self.setting = ""  # of `store`: which event log
        self._store: Store | None = None
        self.faults: list[Any] = []
        self.work: Session | None = None

    @property
    def store(self) -> Store:
        if self._store is None:
            self._store = self.open_log()
        return self._store

    def open_log(self) -> Store:
        return open_store(self.setting, self.places)

    def forget_store(self) -> None:
        self._store = None

    def task(self) -> Task:
        return Task(
            id="t",
            kind=self.kind,
            project=str(self.project),
            python=sys.executable,
            text=self.text,
            shows_plan=self.shows_plan,
        )

    def create(self) -> str:
        """A session in the store that nobody has run yet; its id."""
        row = self.store.create_session(self.task())
        self.store.append(row.id, "session.created", {})
        return row.id

    def start(self) -> Session:
        return self.session(self.create())

    def session(self, id: str, store: Any = None, replayed: Recording | None = None) -> Session:
        self.work = Session(
            id=id,
            task=self.task(),
            store=store or self.store,
            places=self.places,
            plugins=self._manager(),
            rules=Rules(
                limit=self.limit,
                limits=Limits(),
                stage_timeout_s=self.stage_timeout_s,
                supervise_every_s=self.supervise_every_s,
                jobs=self.jobs,
                wall_s=self.wall_s,
                models=ModelRules(self.models, self.catalogue, self.amounts),
                approval=self.approval,
                severity_of=self.severities.get,
                protected=self.protected,
                allowed=lambda: self.allowed,
            ),
            bus=self.bus,
            redactor=Redactor({"ACME_KEY": SECRET}),
            replayed=replayed,
            logger=structlog.get_logger(),
            clock=self.clock,
        )
        return self.work

    def run(self) -> Outcome:
        return self.start().run()

    def again(self) -> Outcome:
        return self.session(self.id).run()

    @property
    def id(self) -> str:
        return self.store.session("last").id

    def events(self) -> list[Event]:
        return list(self.store.events(self.id))

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events()]

    def states(self) -> list[str]:
        return [event.data["state"] for event in self.events() if event.kind == "session.state"]

    def _manager(self) -> PluginManager:
        modules = []
        plugins = {
            hook.removeprefix("treadle_").replace("_", "-"): {hook: function}
            for hook, function in self.parts.hooks.items()
            if function is not None
        }
        for name, hooks in (plugins | self.parts.more).items():
            module = types.ModuleType(f"scripted_{name}")
            for hook, function in hooks.items():
                setattr(module, hook, hookimpl(_free(function), specname=hook))
            sys.modules[module.__name__] = module
            modules.append((name, module.__name__))
        brings = types.ModuleType("scripted_model")
        brings.treadle_contributions = hookimpl(_free(_brought), specname="treadle_contributions")  # type: ignore[attr-defined]
        brings.treadle_call = hookimpl(_free(self.parts.model), specname="treadle_call")  # type: ignore[attr-defined]
        sys.modules[brings.__name__] = brings
        modules.append(("model", brings.__name__))
        states = PluginStates(
            self.project, user_file=self.places.user_plugins, project_file=self.places.project_plugins
        )
        manager = PluginManager(states, Settings(), self._fault, builtins=tuple(modules))
        manager.load()
        unusable = [(plugin.name, plugin.why) for plugin in manager.plugins() if plugin.state != "enabled"]
        assert not unusable
        return manager

    def _fault(self, fault: Any) -> None:
        self.faults.append(fault)
        if self.work is not None and not fault.caller:
            self.work.plugin_fault(fault)


def _brought() -> tuple[Model, ...]:
    return (Model(name=MODEL, summary="Scripted."),)


def _free(function: Callable[..., Any]) -> Callable[..., Any]:
    """A plain function with the same arguments, so that a method of the test's can be a module's hook."""
    import inspect

    names = ", ".join(inspect.signature(function).parameters)
    place: dict[str, Any] = {"function": function}
    exec(f"def hook({names}): return function({names})", place)
    made: Callable[..., Any] = place["hook"]
    return made


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    # The loop is not about third-party plugins, and to look for them takes half of the start of a session.
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    made = Bench(tmp_path)
    yield made
    if made._store is not None:
        made._store.close()
