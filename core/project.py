"""A project as a program meets it: its settings, state, plugins and sessions, opened together."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import msgspec

from treadle import sandbox
from treadle.core import allowances, choosing, feedback, forking, keys, questions
from treadle.core.acceptance import Acceptance
from treadle.core.config import layers as config
from treadle.core.config.allow_rules import AllowRules
from treadle.core.config.budget_settings import BudgetSettings
from treadle.core.config.settings import Settings
from treadle.core.config.trust import Content, Trust
from treadle.core.conversations import outcome_of
from treadle.core.errors import UnknownSession, UsageError, WorkspaceError
from treadle.core.events import Bus, Event, held
from treadle.core.heard_again import replayed_by
from treadle.core.interpreter import Interpreter, find
from treadle.core.log import LateLog, open_log
from treadle.core.model_calls import ModelRules
from treadle.core.models.catalogue import Catalogue
from treadle.core.packages.rules import PackageRules
from treadle.core.paths import on_disk
from treadle.core.places import Places
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.plugin_host.guard import Fault
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import PluginStates
from treadle.core.plugin_host.trusted_copy import copy_of
from treadle.core.records import Feedback, FileChange, Limits, Question, RunChoices, Task
from treadle.core.redaction import Redactor, has_secret_shape
from treadle.core.replay import Recording
from treadle.core.services import Logger
from treadle.core.session import Rules, Session
from treadle.core.states import SETTLED
from treadle.core.store import retention
from treadle.core.store.opening import open_store
from treadle.core.store.session_finder import SessionRow
from treadle.core.store.spending import Amounts, Scope
from treadle.core.store.store import Store
from treadle.core.strategy import Limit
from treadle.core.tree.workspace import check_apart

_ATTEMPTS = "loop.max_attempts"
_HELD_A_KEY = (
    "what looks like a key or a password was taken out of your words, so that it is kept and sent nowhere; keys belong "
    "in a variable of the environment or in the system's keyring"
)


class Project:
    """One project, opened by one program. Close it when done."""

    def __init__(
        self,
        root: Path,
        *,
        env: Mapping[str, str] = os.environ,
        choices: RunChoices | None = None,
        on_notice: Callable[[str], None] = lambda text: None,
        author: AuthorRun = AuthorRun(),  # noqa: B008 - it is frozen
    ) -> None:
        """`on_notice` is told what the person must know as soon as it is known (an event log that was set aside);
        `author` is what somebody who writes plugins adds to this run."""
        self.root = root
        self._author = author
        self.choices = choices or RunChoices()
        self.bus = Bus()
        self._at_work: Session | None = None
        self._env = env
        self._on_notice = on_notice
        self.places = Places.find(root, env)
        self.settings: Settings = config.load(
            root,
            user_file=self.places.user_config,
            env=env,
            overrides=self.choices.settings,
            trust=Trust(self.places.trust),
        )
        keys.KNOWN.name(keys.variables_of(self.settings.plugins), env)
        developed = {each.found.name: True for each in author.developed}
        self._plugins_for_run = {**_workspace_choice(self.settings.workspace), **developed, **self.choices.plugins}

    @cached_property
    def store(self) -> Store:
        """The project's event log."""
        store = open_store(self.settings.store, self.places.make())
        for notice in store.notices:
            self._on_notice(notice)
        return store

    @cached_property
    def plugin_states(self) -> PluginStates:
        """What was chosen about plugins, by whom."""
        return PluginStates(
            self.root,
            user_file=self.places.user_plugins,
            project_file=self.places.project_plugins,
            run=self._plugins_for_run,
            permits={each.found.name: each.permit for each in self._author.developed},
        )

    @cached_property
    def plugins(self) -> PluginManager:
        """The plugins, loaded. Raises `ConfigError` where settings of one do not fit it."""
        return self._loaded()

    def plugins_at_any_rate(self) -> PluginManager:
        """The same, where those whose settings do not fit are left out: for whoever is to be told of it."""
        if "plugins" not in self.__dict__:
            self.plugins = self._loaded(at_any_rate=True)
        return self.plugins

    def _loaded(self, *, at_any_rate: bool = False) -> PluginManager:
        manager = self.plugins_unloaded
        manager.load(at_any_rate=at_any_rate)
        if self._author.tracer:
            self._author.tracer.loaded(manager)
        return manager

    @cached_property
    def plugins_unloaded(self) -> PluginManager:
        """The same before any of them is imported: for whoever wants their names, or to look at one alone."""
        workshop = Workshop(
            self.places.make(),
            self.settings.hook_timeouts_s,
            self._env,
            self.settings.plugin_start_s,
            self._tell,
            partial(keys.variables_of_others, self.settings.plugins),
            self.settings.python or None,
            Limits(tier=self.settings.sandbox.tier),
        )
        content = self._content
        trusted = content.plugins and Trust(self.places.trust).state(self.root, content.hash) == "trusted"
        return PluginManager(
            self.plugin_states,
            self.settings,
            self._faulty,
            workshop=workshop,
            trusted=copy_of(content, self.places.trusted_plugins) if trusted else None,
            author=self._author,
        )

    @cached_property
    def _content(self) -> Content:
        return config.project_content(self.root)

    def left_out_files(self) -> tuple[str, ...]:
        """What lies among the project's own plugins and is left out, a line each."""
        return tuple(f"left out: {told}" for told in self._content.left_out)

    @cached_property
    def logger(self) -> Logger:
        """The structured log of this run."""
        return LateLog(lambda: open_log(self.places.make(), level=self.settings.log.level, env=self._env))

    @cached_property
    def redactor(self) -> Redactor:
        """Takes the secrets out of what plugins say."""
        return Redactor(self._env)

    @cached_property
    def model_rules(self) -> ModelRules:
        """What holds for language models here. Raises `ConfigError` for a catalogue of the person's own that can't be
        read."""
        catalogue = Catalogue.load(self.places.catalogue)
        return ModelRules(self.settings.models, catalogue, amounts_of(self.settings.budget))

    @property
    def allow_rules(self) -> AllowRules:
        """What the person is not asked about any more in this project."""
        return AllowRules(self.places.allow_rules)

    def interpreter(self) -> Interpreter:
        """The person's Python for this project. Raises `InterpreterError` when it can't be used."""
        return find(self.root, asked=self.settings.python or None, env=self._env)

    def _tell(self, text: str) -> None:
        self._on_notice(text)

    @contextmanager
    def telling(self, on_notice: Callable[[str], None]) -> Iterator[None]:
        """Within the block somebody else is told what the person must know."""
        before, self._on_notice = self._on_notice, on_notice
        try:
            yield
        finally:
            self._on_notice = before

    def check_plugins(self) -> None:
        """Load the plugins, to be used by a session. Raises `ConfigError` where settings of one do not fit it."""
        sandbox.prepare()  # while they are imported
        self.plugins  # noqa: B018

    # ------------------------------------------------------------ sessions

    def notices(self) -> tuple[str, ...]:
        """What the person should be told before anything runs: settings left out, plugins missing."""
        unreadable = (
            f"the environment in the project names {path}, which tests can't read until you choose it with --python"
            for path in self.interpreter().left_out
        )
        return (*unreadable, *self.settings.notices, *self.left_out_files(), *self.plugins.notices())

    def start(self, task: Task, replayed: Recording | None = None) -> Session:
        """A new session for the task, which keeps what was chosen for this run; `replayed` as of `Session`. What is
        older than the settings allow is forgotten first, once a day. Raises `WorkspaceError` where the project's
        folder is gone, and `UsageError` for a task that names a key."""
        self._refuse_if_gone()
        _refuse_keys(task)
        check_apart(str(self.root), str(self.places.home))
        self.allow_rules.read()  # before there is a session of which a mistake in it would have to be told
        self.check_plugins()  # nor is there one yet of which a mistake in their settings would have to be told
        task = self._heard_task(task)
        cleaned = retention.clean(self.store, self.places, self.settings.retention, time.time())
        if cleaned.problems:
            self.logger.warning("not everything old could be removed", problems=cleaned.problems)
        row = self.store.create_session(task)
        self.store.append(
            row.id,
            "session.created",
            {
                "task": msgspec.to_builtins(task, builtin_types=(bytes,)),
                "choices": msgspec.to_builtins(self.choices),
                **({"replays": replayed.session} if replayed else {}),
            },
        )
        return self._session(row, replayed)

    def resume(self, name: str) -> Session:
        """The session with that id (a unique beginning will do, or "last"), to go on with; one that replays another
        hears from that one still, and asks no model. Raises `UnknownSession`, and `WorkspaceError` where the project's
        folder is gone."""
        self._refuse_if_gone()
        self.allow_rules.read()
        row = self.store.session(name)
        replayed = _replayed(self.store.events(row.id))
        self.check_plugins()
        return self._session(row, (self._recording(replayed) or Recording(replayed)) if replayed else None)

    def heard(self, words: str) -> str:
        """The person's words as they are kept, and sent to models: whatever they say comes in here. What is a secret
        is taken out, of which they are told."""
        if not words.strip():
            return words
        keys.KNOWN.read_all()
        clean = self.redactor.spoken(words)
        if clean != words:
            self._on_notice(_HELD_A_KEY)
        return clean

    def _heard_task(self, task: Task) -> Task:
        if task.kind != "run":  # the words of others are our own, and a repair waits for no keyring
            return task
        earlier = tuple(
            msgspec.structs.replace(said, asked=self.redactor.spoken(said.asked), came=self.redactor.spoken(said.came))
            for said in task.earlier
        )
        return msgspec.structs.replace(task, text=self.heard(task.text), earlier=earlier)

    def _refuse_if_gone(self) -> None:
        if not self.root.is_dir():
            raise WorkspaceError(f"the project's folder {self.root} is gone; nothing was begun")

    def replay(self, name: str) -> Session:
        """A new session for the task of that one, which hears from models what that one heard, and asks none. Raises
        `UnknownSession`, and `UsageError` for one that has asked no model."""
        row = self.store.session(name)
        events = tuple(self.store.events(row.id))
        # A replay of which a part is done knows only that part: what it replays knows all.
        recording = self._recording(_replayed(events)) or self._recording_of(row.id, events)
        return self.start(msgspec.structs.replace(row.task, id=self.new_task_id()), recording)

    def fork(self, name: str) -> SessionRow:
        """A copy of that session, to go on with: the original stays as it is. Raises as `forking.fork` does."""
        return forking.fork(self.store, self.places, name, self.new_task_id())

    def _recording(self, session: str) -> Recording | None:
        """What the session with this id has heard, None when it is kept no more."""
        try:
            row = self.store.session(session) if session else None
        except UnknownSession:
            return None
        return self._recording_of(row.id, self.store.events(row.id)) if row else None

    def _recording_of(self, session: str, events: Iterable[Event]) -> Recording:
        return Recording.of(session, events, self.store.get_output, self.root)

    def choices_of(self, session: str) -> RunChoices:
        """What was chosen for the session when it began, or when it was resumed last."""
        said = RunChoices()
        for event in self.store.events(session):
            if event.kind in ("session.created", "session.resumed") and "choices" in event.data:
                said = held(event, "choices", RunChoices)
        return said

    def new_task_id(self) -> str:
        """An id for a task: unique, and of no meaning."""
        return secrets.token_hex(6)

    def open_question(self, session: str) -> Question | None:
        """What the session rests on, None when it rests on nothing."""
        found = questions.open_question(self.store.events(session))
        return found[1] if found else None

    def answer(self, session: str, text: str, words: str = "") -> None:
        """Answer what the session rests on, with what there is to say besides (`Question.with_words`). What is allowed
        for good becomes a rule of the person's own. Raises `UsageError` when that is no answer to it, or it has ended,
        `ConfigError` where the rule can't be kept, and `StoreBusy` while a program is at work on it."""

        def keep_rules(question: Question) -> None:
            if text == allowances.ALWAYS and question.concerns:
                self.allow_rules.add(allowances.rules_for(question.concerns))

        with self.store.lock(session):
            if self.store.session(session).state in SETTLED:
                raise UsageError(f"session {session} has ended, and asks nothing; `treadle show {session}` tells how")
            questions.answer(self.store, session, text, self.heard(words), before=keep_rules)

    def give_feedback(
        self,
        session: str,
        words: str,
        *,
        attempt: int | None = None,
        files: tuple[FileChange, ...] | None = None,
        another: bool = False,
        chosen: bool = False,
    ) -> None:
        """Say of a session's attempt, None: of its last, what should be otherwise; it goes on from there when it is
        resumed. Where no attempt is named and the person is asked about a plan, or a change that has not run, they
        speak of that. Raises `UsageError` where there is nothing to speak of, and while its patch, or that of a session
        that it is a fork of, stands in the files; `StoreBusy` while a program is at work on it."""
        standing = forking.applied_by(self.store, self.places, self.root, session)
        if standing is not None:
            of = "" if standing == session else f", of which session {session} is a fork,"
            raise UsageError(
                f"the patch of session {standing}{of} is applied; take it back first: `treadle undo {standing}`"
            )
        asked = self.open_question(session) if attempt is None and files is None else None
        if asked and asked.with_words and self.store.session(session).state not in SETTLED:
            if not (words.strip() or another):
                raise feedback.no_words(session)
            self.answer(session, asked.with_words[0], words)
            return
        with self.store.lock(session):
            outcome = outcome_of(self.store.events(session))
            last = outcome.attempts[-1].number if outcome is not None and outcome.attempts else 0
            heard = words if chosen else self.heard(words)  # of what is chosen the words are our own
            said = Feedback(attempt=attempt or last, words=heard, files=files, another=another, chosen=chosen)
            feedback.give(self.store, session, outcome, said, named=attempt is not None)

    def choose(self, session: str, number: int, *, keeps_example: bool = False) -> None:
        """Say which change is meant, of those that all of the session's checks hold with: 1 for its own, the others by
        the order of its rivals; with `keeps_example`, an example becomes a test of the project. It is tried when the
        session is resumed. Raises as `chosen` and `give_feedback` do."""
        outcome = outcome_of(self.store.events(session))
        files, words = choosing.chosen(
            outcome, number, keeps_example=keeps_example, exists=lambda name: on_disk(self.root, name).exists()
        )
        self.give_feedback(session, words, files=files, chosen=True)

    def acceptance(self, session: str, publish: Callable[[Event], None] = lambda event: None) -> Acceptance:
        """The patch of a session. `publish` is told of every event that this logs."""
        return Acceptance(self.store, self.places, self.root, session, publish)

    def close(self) -> None:
        """Close what was opened, and end the processes of plugins."""
        if "plugins_unloaded" in self.__dict__:
            self.plugins_unloaded.close()
        if "store" in self.__dict__:
            self.store.close()
        sandbox.close_idle()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _readable(self) -> tuple[str, ...]:
        """What jobs may read outside of the project: what the person's settings name, and what the environment needs
        that they chose themselves. One that merely lies in the project may have come with a clone."""
        chosen = self.settings.python or self._env.get("VIRTUAL_ENV")
        return (*self.settings.sandbox.read, *(self.interpreter().read_paths if chosen else ()))

    def _faulty(self, fault: Fault) -> None:
        """A fault is logged. When a session is at work, it is one of its events; else the person is told at once. What
        another plugin had it do is that one's to hear, and logged alone."""
        told = "a plugin fails on what another gives it" if fault.caller else "a plugin is at fault"
        self.logger.warning(told, **msgspec.structs.asdict(fault))
        if fault.caller:
            return
        if self._at_work is not None:
            self._at_work.plugin_fault(fault)
        else:
            self._on_notice(
                f"the plugin {fault.plugin} is at fault, in {fault.hook}: {self.redactor.text(fault.error)}"
            )

    def _session(self, row: SessionRow, replayed: Recording | None = None) -> Session:
        self._at_work = Session(
            id=row.id,
            task=row.task,
            store=self.store,
            places=self.places,
            plugins=self.plugins,
            choices=self.choices,
            rules=replace(
                rules_of(self.settings, self.model_rules, read=self._readable(), chosen=self.choices.settings),
                allowed=self.allow_rules.read,
            ),
            bus=self.bus,
            logger=self.logger,
            redactor=self.redactor,
            replayed=replayed,
        )
        return self._at_work


def _refuse_keys(task: Task) -> None:
    """Raise `UsageError`, which does not repeat it, where a file, a test or a revision that the person has named looks
    like a key: a session keeps these names word for word, since nothing else would find what they mean."""
    named = (task.text,) if task.kind == "check" else task.files
    if any(map(has_secret_shape, named)):
        raise UsageError(
            "a name that you gave holds what looks like a key or a password, and what a session is about is kept with "
            "it; keys belong in a variable of the environment or in the system's keyring"
        )


def _replayed(events: Iterable[Event]) -> str:
    """The session that the one with these events replays; empty when it is no replay."""
    return next((replayed_by(event) for event in events if event.kind == "session.created"), "")


def rules_of(
    settings: Settings, models: ModelRules, *, read: tuple[str, ...] = (), chosen: Collection[str] = ()
) -> Rules:
    """What the settings say about how a session runs; its jobs may read the paths of `read` as well. `chosen` are the
    settings that the person has given for this very run: who says how many attempts is not asked on the way there."""
    loop, sandbox = settings.loop, settings.sandbox
    return Rules(
        limit=Limit(
            ladder=loop.ladder,
            same_failure=loop.same_failure_limit,
            breaker=loop.breaker_attempts,
            maximum=loop.max_attempts,
            granted=loop.max_attempts if _ATTEMPTS in chosen else 0,
        ),
        limits=Limits(
            tier=sandbox.tier, network=sandbox.network, require=sandbox.require, without=sandbox.without, read=read
        ),
        stage_timeout_s=loop.stage_timeout_s,
        supervise_every_s=loop.supervise_every_s,
        jobs=settings.budget.jobs,
        wall_s=settings.budget.wall_s,
        models=models,
        approval=settings.approval,
        severity_of=settings.scan.severity_of,
        install=settings.packages.install,
        packages=PackageRules(settings.packages.allow, settings.packages.deny),
        installer=settings.installer,
        protected=(settings.paths.deny, settings.paths.ask),
    )


def amounts_of(budget: BudgetSettings) -> Mapping[Scope, Amounts]:
    """The budgets of models by scope."""
    session: Amounts = {
        "usd": budget.usd,
        "tokens": budget.tokens,
        "calls": budget.calls,
        "executions": budget.executions,
    }
    return {
        "session": session,
        "day": msgspec.structs.asdict(budget.day),
        "month": msgspec.structs.asdict(budget.month),
    }


def _workspace_choice(kind: str) -> dict[str, bool]:
    """The setting `workspace` switches off the plugin that makes the other kind."""
    other = {"overlay": "workspace-copy", "copy": "workspace-overlay"}.get(kind)
    return {other: False} if other else {}
