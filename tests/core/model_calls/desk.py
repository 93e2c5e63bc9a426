"""Model calls over a real ledger, with plugins whose answers are given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treadle.core.config.model_settings import ModelsSettings
from treadle.core.contributions import Contribution, Provider, kind_of
from treadle.core.model_calls import ModelCalls, ModelRules, Served
from treadle.core.models.catalogue import Catalogue
from treadle.core.models.messages import (
    Message,
    ModelFailure,
    ModelReply,
    ModelRequest,
    Offer,
    Trouble,
)
from treadle.core.purse import Purse
from treadle.core.store.spending import Amounts, Spending

PRICED = "anthropic/claude-sonnet-5-5"
REQUEST = ModelRequest(role="coder", system="s" * 30, messages=(Message(text="t" * 60),))
SENT = ("model.asked", "model.counting")
Answer = ModelReply | ModelFailure | None | Callable[[ModelRequest], ModelReply]


class Plugins:
    """What plugins bring, with the answers that each model gives, one after the other; the last one for ever."""

    def __init__(self, *brought: Contribution, offers: Mapping[str, Offer] | None = None) -> None:
        self.brought = brought
        self.offers = dict(offers or {})
        self.answers: dict[str, list[Answer]] = defaultdict(list)
        self.asked: list[ModelRequest] = []
        self.counted = 0
        self.counts = 0
        self.counting: Callable[[], object] = lambda: None
        self.stop = False
        self.listed: list[Mapping[str, object]] = []

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return tuple(each for each in self.brought if kind_of(each) == kind)

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any:
        if kind == "provider":
            self.listed.append(arguments)
            return self.offers[name] if name in self.offers else Offer()
        request = arguments["request"]
        assert isinstance(request, ModelRequest)
        if kind == "token count":
            self.counts += 1
            self.counting()
            return self.counted
        self.asked.append(request)
        answers = self.answers[name]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer(request) if callable(answer) else answer

    def cancelled(self) -> bool:
        return self.stop

    @property
    def names(self) -> list[str]:
        return [request.model for request in self.asked]


class Desk:
    """Model calls over a real ledger, with a clock that goes on when somebody waits."""

    def __init__(self, file: Path, plugins: Plugins) -> None:
        self.plugins = plugins
        self.file = file
        self.now = 1000.0
        self.left_s = 900.0
        self.waits: list[float] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.chance = 0.0
        self.settings = ModelsSettings()
        self.amounts: Amounts = {}
        self.spending: Spending | None = None
        self._calls: ModelCalls | None = None

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def ask(self, request: ModelRequest = REQUEST) -> ModelReply:
        return self.serve(request).reply

    def serve(self, request: ModelRequest = REQUEST) -> Served:
        if self._calls is None:
            rules = ModelRules(self.settings, Catalogue.load(None), {"session": self.amounts})
            self.spending = Spending(self.file, "s", rules.amounts, tell=str)
            self._calls = ModelCalls(
                rules,
                Purse(self.spending, lambda kind, data: self.told.append((kind, data))),
                lambda kind, data: (self.sent if kind in SENT else self.told).append((kind, data)),
                clock=lambda: self.now,
                wait=self.wait,
                chance=lambda: self.chance,
            )
        return self._calls.ask(request, self.plugins, "key", self.left_s)

    def is_local(self, name: str) -> bool:
        assert self._calls is not None
        return self._calls.choice.is_local(name, self.plugins)

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]


ONE, TWO = Provider(name="one", summary="."), Provider(name="two", summary=".", local=True)


def failure(trouble: Trouble, after: float | None = None) -> ModelFailure:
    return ModelFailure(trouble=trouble, message=f"it is {trouble}", retry_after_s=after)


def spent(desk: Desk, what: str) -> float:
    assert desk.spending is not None
    return next(level.used for level in desk.spending.levels() if level.what == what)
