"""What plugins are given as `context` outside of a session: for a command, a panel, a skill's code."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from treadle.core.contribution_calls import ContributionCalls
from treadle.core.errors import NoPlugin
from treadle.core.model_calls import ModelCalls, ModelRules
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.paths import encode
from treadle.core.places import Places, private_folder
from treadle.core.plugin_host.brought import Brought
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.purse import Purse
from treadle.core.records import Execution, Job, Question
from treadle.core.redaction import Redactor, without_secrets
from treadle.core.services import Logger
from treadle.core.store.spending import Spending
from treadle.core.tree.remove_tree import remove_tree

MOST_S = 3600.0
"""Seconds after which a call is asked to stop: no session limits what it asks for."""


@dataclass(frozen=True)
class OutsideContext(ContributionCalls):
    """Events of a plugin's own go to the structured log; `tell` shows its notes, `ask_person` puts its questions.
    `mark` names the folders that are removed at the end."""

    plugins: PluginManager
    places: Places
    logger: Logger
    models: ModelCalls
    redactor: Redactor
    tell: Callable[[str], None]
    ask_person: Callable[[Question], str]
    mark: str
    over_at_s: float = field(default_factory=lambda: time.monotonic() + MOST_S)

    def brought(self) -> Brought:
        return self.plugins.brought

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.logger.info(f"plugin.{self.plugin}.{kind}", data=data)

    def note(self, text: str) -> None:
        self.tell(f"{self.plugin}: {text}")

    def progress(self, done: int, total: int | None, text: str) -> None:
        self.logger.debug("progress", plugin=self.plugin, done=done, total=total, text=text)

    def delta(self, text: str, thinking: bool) -> None:
        self.logger.debug("delta", plugin=self.plugin, characters=len(text), thinking=thinking)

    def cancelled(self) -> bool:
        return time.monotonic() > self.over_at_s  # and a Ctrl-C ends the whole program

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        raise NoPlugin("jobs are run by sessions, and this is none: `treadle fix` and `treadle check` start one")

    def complete(self, request: ModelRequest) -> ModelReply:
        left_s = self.over_at_s - time.monotonic()
        request = without_secrets(request, self.redactor)
        return self.models.ask(request, self, f"complete.{secrets.token_hex(4)}", left_s).reply

    def ask(self, question: Question) -> str:
        text = f"the plugin {self.plugin} asks: {question.text}"
        return self.ask_person(msgspec.structs.replace(question, text=text))

    def settings(self) -> dict[str, object]:
        return self.plugins.settings_of(self.plugin)

    def folder(self, scope: Literal["project", "session"]) -> str:
        keeps_in = self.plugins.keeps_in(self.plugin)
        if scope == "project":
            return str(private_folder(self.places.plugin_folder(keeps_in)))
        return str(self.places.make_plugin_session_folder(keeps_in, self.mark))

    def log(self, level: str, message: str, **fields: object) -> None:
        write = {"debug": self.logger.debug, "warning": self.logger.warning, "error": self.logger.error}
        write.get(level, self.logger.info)(message, **fields | {"plugin": self.plugin})


@contextmanager
def outside(
    plugins: PluginManager,
    places: Places,
    rules: ModelRules,
    logger: Logger,
    redactor: Redactor,
    tell: Callable[[str], None],
    ask_person: Callable[[Question], str],
) -> Iterator[OutsideContext]:
    """A context for as long as the block runs."""
    mark = f"outside-{secrets.token_hex(4)}"
    spending = Spending(places.spending, mark, rules.amounts, tell)

    def happened(kind: str, data: dict[str, Any]) -> None:
        logger.info(kind, **data)
        if kind == "budget.warned":  # else said by the session
            tell(str(data["text"]))

    models = ModelCalls(rules, Purse(spending, happened), happened, clock=time.monotonic, wait=time.sleep)
    context = OutsideContext(plugins, places, logger, models, redactor, tell, ask_person, mark)
    try:
        yield context
    finally:
        spending.close()
        for folder in places.plugin_session_folders(context.mark):
            try:
                remove_tree(folder.parent, folder.name)
            except OSError as error:  # its plugin may still be changing it
                logger.warning("a plugin's folder was left", folder=encode(folder), error=str(error))
