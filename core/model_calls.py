"""Asking language models: the right one for the role, with patience, within the budgets, and another when it fails.

One `ModelCalls` serves a session. What a service does wrong becomes a `ModelFailure`, which is decided on here: sent
again after a wait, or passed on to the next model of the chain while the service is left alone for a while.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Contribution, Model, Provider
from treadle.core.errors import BudgetExceeded, NoModel, NoPlugin, Stopped
from treadle.core.models.catalogue import Catalogue, cost
from treadle.core.models.messages import PASSING, Message, ModelFailure, ModelReply, ModelRequest, Offer
from treadle.core.models.routing import Known, chain, wanted_size
from treadle.core.models.tokens import estimate
from treadle.core.nearest import did_you_mean
from treadle.core.redaction import Redactor
from treadle.core.store.spending import Amounts, Level, Scope

MOST_TOKENS = 16_000
"""Tokens of a reply where nobody has said how many: enough for long files, and little enough to be paid for."""
LEAST_TOKENS = 512
"""Tokens of a reply for which there must be room; where there is not, the service says that the prompt is too long."""
REPLY_S = 600.0
"""Seconds that one reply may take where the budget leaves more."""
FIRST_WAIT_S = 1.0
"""The wait before a request is sent again the first time; it doubles each time, and up to half of it is chance."""
_KEPT_AWAY: frozenset[str] = frozenset({"unreachable", "busy", "broken", "refused"})
"""Troubles of the whole service, not of this request: it is left alone for a while."""

HOW_TO_GET_ONE = (
    "no language model can be asked. Three ways to get one: set ANTHROPIC_API_KEY; set OPENAI_API_KEY, or name another "
    "service that speaks OpenAI's protocol under [plugins.openai-compatible]; or start Ollama on this machine. "
    "`treadle models` shows what is missing. Without a model `treadle fix`, `check` and `sandbox` work all the same"
)


class Asker(Protocol):
    """The part of a context that a call of a model needs."""

    def contributions(self, kind: str) -> tuple[Contribution, ...]: ...

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any: ...

    def cancelled(self) -> bool: ...


class Purse(Protocol):
    """What is spent, held against budgets; `core.store.spending.Spending` is one."""

    def reserve(self, key: str, amounts: Amounts) -> tuple[Level, ...]: ...

    def settle(self, key: str, amounts: Amounts) -> None: ...


@dataclass(frozen=True)
class ModelRules:
    """What the settings and the catalogue say about models; `amounts` are the budgets by scope."""

    settings: ModelsSettings
    catalogue: Catalogue
    amounts: Mapping[Scope, Amounts]


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A reply, the full name of the model that gave it, and what it cost in US dollars, None when nobody knows."""

    reply: ModelReply
    model: str
    usd: float | None
    seconds: float


class ModelCalls:
    """Asks models in the name of one session."""

    def __init__(
        self,
        rules: ModelRules,
        purse: Purse,
        log: Callable[[str, dict[str, Any]], object],
        *,
        clock: Callable[[], float],
        wait: Callable[[float], object],
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`log` is told what the person should see, as a kind of event and its data; `wait` waits for seconds."""
        self._settings = rules.settings
        self._catalogue = rules.catalogue
        self._purse = purse
        self._log = log
        self._clock = clock
        self._wait = wait
        self._chance = chance
        self._resting: dict[str, tuple[float, str]] = {}
        self._offers: dict[str, Offer] = {}
        self._warned: set[str] = set()
        self._sent = 0

    def ask(self, request: ModelRequest, asker: Asker, key: str, left_s: float) -> Served:
        """The reply of the first model of the chain that gives one. `key` names the call in the ledger, `left_s` are
        the seconds that it may take at most. Raises `NoModel`, `BudgetExceeded`, `Stopped`."""
        names = self.chain(request, asker)
        problems: list[str] = []
        for place, name in enumerate(names):
            served, problem = self._ask_one(self._concrete(request, name, left_s, asker), asker, key)
            if served is not None:
                return served
            problems.append(f"{name}: {problem}")
            if place + 1 < len(names):
                self._log("model.switched", {"from": name, "to": names[place + 1], "why": problem})
        raise NoModel(
            f"no language model answered ({'; '.join(problems)}); `treadle models` shows what can be reached, "
            "and `treadle resume` goes on"
        )

    def offers(self, asker: Asker) -> Mapping[str, Offer]:
        """What each provider has now, asked for once."""
        for provider in asker.contributions("provider"):
            self._offer(provider.name, asker)
        return self._offers

    def _offer(self, provider: str, asker: Asker) -> Offer:
        if provider not in self._offers:
            if all(each.name != provider for each in asker.contributions("provider")):
                return Offer()
            offer: Offer | None = asker.run("provider", provider, {})
            self._offers[provider] = offer or Offer(missing="its plugin is at fault; see `treadle plugins`")
        return self._offers[provider]

    # ------------------------------------------------------------ which models

    def chain(self, request: ModelRequest, asker: Asker) -> tuple[str, ...]:
        """The models that are asked for the request, in their order. Raises `NoModel` when there is none."""
        brought = [each for each in asker.contributions("model") if isinstance(each, Model)]
        chosen = (request.model,) if request.model else self._role(request.role).use
        names = chain(
            chosen=chosen,
            brought=tuple(each.name for each in brought if not each.roles or request.role in each.roles),
            offered=() if chosen else self._known(asker),
            wanted=wanted_size(self._settings.preset, request.role, request.step),
        )
        providers = [each.name for each in asker.contributions("provider")]
        there = tuple(name for name in names if _is_there(name, (each.name for each in brought), providers))
        if there:
            return there
        if names:
            known = [*(each.name for each in brought), *(f"{provider}/" for provider in providers)]
            near = did_you_mean(names[0], known)
            raise NoModel(f"there is no language model {names[0]!r}; {near}`treadle models` lists them")
        raise NoModel(HOW_TO_GET_ONE)

    def _known(self, asker: Asker) -> Iterator[Known]:
        for provider, offer in self.offers(asker).items():
            for model in offer.models:
                facts = self._catalogue.facts(f"{provider}/{model.name}")
                known = facts.known if facts else Known(name="")
                usd = 0.0 if self.is_local(f"{provider}/{model.name}", asker) else known.usd
                yield Known(name=f"{provider}/{model.name}", size=known.size, usd=usd)

    def _role(self, role: str) -> RoleSettings:
        found = getattr(self._settings, role, None)
        return found if isinstance(found, RoleSettings) else RoleSettings()

    def _concrete(self, request: ModelRequest, name: str, left_s: float, asker: Asker) -> ModelRequest:
        """The request to this very model, with the limits that hold for it."""
        role, facts = self._role(request.role), self._catalogue.facts(name)
        sampled = facts is None or facts.sampling
        most = request.max_tokens or role.max_tokens or MOST_TOKENS
        if request.tools and not self._takes_tools(name, asker):
            system = "\n\n".join(filter(None, (request.system, request.without_tools)))
            request = msgspec.structs.replace(request, system=system, tools=())
        return msgspec.structs.replace(
            request,
            model=name,
            max_tokens=self._fitting(most, request, name),
            temperature=(request.temperature if request.temperature is not None else role.temperature)
            if sampled
            else None,
            top_p=(request.top_p if request.top_p is not None else role.top_p) if sampled else None,
            effort=facts.effort_with_tools if facts and request.tools and not request.effort else request.effort,
            seconds=min(REPLY_S, left_s),
        )

    def _fitting(self, most: int, request: ModelRequest, name: str) -> int:
        """So many tokens of a reply as the model can write, and as there is room for behind the prompt."""
        facts = self._catalogue.facts(name)
        provider, _, model = name.partition("/")
        offered = (each.context for each in self._offers.get(provider, Offer()).models if each.name == model)
        context = next(offered, None) or (facts.context if facts else None)
        if facts and facts.output:
            most = min(most, facts.output)
        return min(most, max(LEAST_TOKENS, context - _estimate(request))) if context else most

    def _takes_tools(self, name: str, asker: Asker) -> bool:
        """Whether the model can call tools, as the catalogue knows or its service tells; those of whom nobody knows are
        trusted to."""
        facts = self._catalogue.facts(name)
        if facts is not None and facts.tools is not None:
            return facts.tools
        provider, _, model = name.partition("/")
        offer = self._offer(provider, asker)
        return not any(each.name == model and each.tools is False for each in offer.models)

    # ------------------------------------------------------------ one model

    def _ask_one(self, request: ModelRequest, asker: Asker, key: str) -> tuple[Served | None, str]:
        service = self._service(request.model, asker)
        until, why = self._resting.get(service, (0.0, ""))
        if self._clock() < until:
            return None, f"left alone for {until - self._clock():.0f} s more ({why})"
        problem = ""
        for again in range(self._settings.retries + 1):
            answer, served = self._send(request, asker, key)
            if served is not None:
                return served, ""
            if answer is None:
                return None, "its plugin is at fault"
            problem = answer.message
            wait_s = self._wait_s(answer, again)
            self._log(
                "model.failed",
                {"model": request.model, "trouble": answer.trouble, "message": problem, "again_in_s": wait_s},
            )
            if wait_s is None:
                if answer.trouble in _KEPT_AWAY:
                    rest_s = max(self._settings.rest_s, answer.retry_after_s or 0.0)
                    self._resting[service] = (self._clock() + rest_s, problem)
                return None, problem
            self._pause(wait_s, asker)
        return None, problem

    def _send(self, request: ModelRequest, asker: Asker, key: str) -> tuple[ModelFailure | None, Served | None]:
        self._sent += 1
        row = f"{key}#{self._sent}"
        self._reserve(row, request, asker)
        began = self._clock()
        # What is raised here leaves the call as it was set aside: nobody knows what of it is paid for.
        answer: ModelReply | ModelFailure | None = asker.run("model", request.model, {"request": request})
        seconds = self._clock() - began
        if not isinstance(answer, ModelReply):
            self._purse.settle(row, self._lost(request, answer) | {"model_s": seconds})
            return answer, None
        usage = answer.usage
        usd = cost(usage, self._catalogue.facts(request.model)) if usage else None
        if self.is_local(request.model, asker):
            usd = 0.0
        tokens = (
            usage.input + usage.output + usage.cache_read + usage.cache_written
            if usage
            else _estimate(request) + estimate(answer.text)
        )
        self._purse.settle(row, {"calls": 1, "tokens": tokens, "usd": usd or 0.0, "model_s": seconds})
        return None, Served(reply=answer, model=request.model, usd=usd, seconds=seconds)

    def _lost(self, request: ModelRequest, failure: ModelFailure | None) -> dict[str, float]:
        """What a request without a reply has used up: it was read where its answer was begun, and else not."""
        if failure is None or failure.trouble != "broken":
            return {"calls": 1, "tokens": 0, "usd": 0.0}
        tokens, facts = _estimate(request), self._catalogue.facts(request.model)
        return {"calls": 1, "tokens": tokens, "usd": (facts.price.upper(tokens, 0) if facts else None) or 0.0}

    def _wait_s(self, failure: ModelFailure, again: int) -> float | None:
        """How long to wait before the request is sent again, None when it should not be."""
        if failure.trouble not in PASSING or again >= self._settings.retries:
            return None
        asked_s = failure.retry_after_s or 0.0
        if asked_s > self._settings.patience_s:
            return None
        backoff: float = FIRST_WAIT_S * 2**again * (1 + self._chance() / 2)
        return max(min(backoff, self._settings.patience_s), asked_s)

    def _pause(self, seconds: float, asker: Asker) -> None:
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0:
            if asker.cancelled():
                raise Stopped("the session was asked to stop while it waited for a language model")
            self._wait(min(left, 0.2))

    # ------------------------------------------------------------ what it may cost

    def _reserve(self, row: str, request: ModelRequest, asker: Asker) -> None:
        """Set aside the most that the call can take. Where a rough estimate does not fit, the service counts, if it
        can."""
        try:
            levels = self._purse.reserve(row, self._most(request, _estimate(request)))
        except BudgetExceeded:
            counted = self._count(request, asker)
            if counted is None:
                raise
            levels = self._purse.reserve(row, self._most(request, counted))
        for level in levels:
            if level.key not in self._warned:
                self._warned.add(level.key)
                self._log("budget.warned", {**msgspec.to_builtins(level), "text": str(level)})

    def _most(self, request: ModelRequest, tokens: int) -> dict[str, float]:
        written = request.max_tokens or MOST_TOKENS
        facts = self._catalogue.facts(request.model)
        usd = facts.price.upper(tokens, written) if facts else None
        return {"calls": 1, "tokens": tokens + written, "usd": usd or 0.0}

    def _count(self, request: ModelRequest, asker: Asker) -> int | None:
        found = self._provider(request.model.partition("/")[0], asker)
        if found is None or not found.counts:
            return None
        try:
            counted: int | None = asker.run("token count", request.model, {"request": request})
        except NoPlugin:
            return None
        return counted

    def _provider(self, name: str, asker: Asker) -> Provider | None:
        brought = asker.contributions("provider")
        return next((each for each in brought if isinstance(each, Provider) and each.name == name), None)

    def _service(self, model: str, asker: Asker) -> str:
        """The service that the model is of: what is left alone when it fails."""
        provider, _, rest = model.partition("/")
        found = self._provider(provider, asker)
        return f"{provider}/{rest.partition('/')[0]}" if found is not None and found.several else provider

    def is_local(self, name: str, asker: Asker) -> bool:
        """Whether the model runs on this machine, and costs nothing."""
        provider, _, model = name.partition("/")
        found = self._provider(provider, asker)
        local = found is not None and found.local
        told = local or (found is not None and found.several)
        offer = self._offer(provider, asker) if told else self._offers.get(provider, Offer())
        said = next((each.local for each in offer.models if each.name == model), None)
        return local if said is None else said


def without_secrets(request: ModelRequest, redactor: Redactor) -> ModelRequest:
    """The request without what must not reach any service."""

    def clean(message: Message) -> Message:
        return msgspec.structs.replace(
            message,
            text=redactor.known(message.text),
            calls=tuple(msgspec.structs.replace(c, arguments=redactor.known(c.arguments)) for c in message.calls),
            results=tuple(msgspec.structs.replace(r, text=redactor.known(r.text)) for r in message.results),
        )

    return msgspec.structs.replace(
        request,
        system=redactor.known(request.system),
        without_tools=redactor.known(request.without_tools),
        messages=tuple(map(clean, request.messages)),
    )


def _is_there(name: str, brought: Iterable[str], providers: Iterable[str]) -> bool:
    provider, slash, _ = name.partition("/")
    return name in set(brought) or bool(slash and provider in set(providers))


def _estimate(request: ModelRequest) -> int:
    """The tokens of what is sent, roughly and rather too many: of all its texts as JSON."""
    return estimate(msgspec.json.encode((request.system, request.messages, request.tools)).decode())
