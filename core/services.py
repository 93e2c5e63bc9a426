"""What the parts of one running session share, and what they ask of each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from treadle.core import failed_effects
from treadle.core.budget import Budget
from treadle.core.errors import ReplayDiverged
from treadle.core.events import Bus
from treadle.core.journal import Journal
from treadle.core.model_calls import Served
from treadle.core.model_choice import Asker
from treadle.core.models.messages import ModelRequest
from treadle.core.packages.session_packages import SessionPackages
from treadle.core.plugin_host.brought import Brought
from treadle.core.plugin_host.guard import Running
from treadle.core.purse import Purse
from treadle.core.records import Limits
from treadle.core.redaction import Redactor
from treadle.core.screening import Screening

if TYPE_CHECKING:
    from treadle.core.places import Places
    from treadle.core.plugin_host.plugin_manager import Observer


class Plugins(Protocol):
    """The part of the plugin manager that a session needs."""

    def call(self, hook: str, **arguments: Any) -> Any: ...

    def observers(self, hook: str) -> tuple[Observer, ...]: ...

    def tell(self, observer: Observer, hook: str, **arguments: Any) -> None: ...

    def blame(self, plugin: str, hook: str, why: str) -> None: ...

    def answerers(self, hook: str) -> tuple[str, ...]: ...

    def passed_over(self, hook: str) -> tuple[str, ...]: ...

    def left_out(self) -> tuple[str, ...]: ...

    def of_projects_file(self) -> tuple[str, ...]: ...

    def keeps_in(self, plugin: str) -> str: ...

    def is_built_in(self, plugin: str) -> bool: ...

    def settings_of(self, plugin: str) -> dict[str, object]: ...

    def running(self) -> tuple[Running, ...]: ...

    @property
    def brought(self) -> Brought: ...

    def use(self) -> dict[str, dict[str, float]]: ...

    def count_faults(self, faults: Mapping[str, Mapping[str, int]], ended: Mapping[str, AbstractSet[str]]) -> None: ...


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
    """What the parts of one running session share. `model_writes`: its candidates are a language model's, whoever
    answers with them; `diverged` is where a replay took another way than the session that it replays."""

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

    def ending_as_then(self, kind: str, key: str, stage: str) -> AbstractContextManager[None]:
        """As `failed_effects.ending_as_then`, of an effect in that stage."""
        return failed_effects.ending_as_then(self.journal, kind, key, self.redactor, stage=stage)

    def is_stranger(self, plugin: str) -> bool:
        """Whether a plugin of that name is none of Treadle's own: what it makes counts as what a model wrote."""
        return bool(plugin) and not self.plugins.is_built_in(plugin)

    def check_way(self) -> None:
        """Raises `ReplayDiverged` where one was raised before, which a plugin may have taken for an answer."""
        if self.diverged:
            raise self.diverged[0]
