"""Which language models are asked for a request, in which order, and with which limits each.

What the person chose for a role wins; what providers have now is asked for once, when it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Contribution, Model, Provider
from treadle.core.errors import NoModel
from treadle.core.models.as_sent import without_tools
from treadle.core.models.catalogue import Catalogue
from treadle.core.models.messages import ModelRequest, Offer
from treadle.core.models.routing import Known, chain, wanted_size, worth_asking
from treadle.core.models.tokens import estimate_request
from treadle.core.nearest import did_you_mean

MOST_TOKENS = 16_000
"""Tokens of a reply where nobody has said how many: enough for long files, and little enough to be paid for."""
LEAST_TOKENS = 512
"""Tokens of a reply for which there must be room; where there is not, the service says that the prompt is too long."""
REPLY_S = 600.0
"""Seconds that one reply may take where the budget leaves more."""
_NEAR = 0.7
"""How much alike two names of providers are where one may be meant by the other, from 0 to 1."""

HOW_TO_GET_ONE = (
    "no language model can be asked. Three ways to get one: set ANTHROPIC_API_KEY; set OPENAI_API_KEY, or name another "
    "service that speaks OpenAI's protocol under [plugins.openai-compatible]; or start Ollama on this machine and "
    "fetch a model for it. `treadle models` shows what is missing. Without a model `treadle fix`, `check` and "
    "`sandbox` work all the same"
)


class Asker(Protocol):
    """The part of a context that a call of a model needs."""

    def contributions(self, kind: str) -> tuple[Contribution, ...]: ...

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any: ...

    def cancelled(self) -> bool: ...


class ModelChoice:
    """The choice among the models that plugins and services have, in one session."""

    def __init__(self, settings: ModelsSettings, catalogue: Catalogue) -> None:
        self._settings = settings
        self._catalogue = catalogue
        self._offers: dict[str, Offer] = {}
        self._learnt: dict[str, int] = {}
        self._toolless: set[str] = set()

    def offers(self, asker: Asker) -> Mapping[str, Offer]:
        """What each provider has now, asked for once."""
        for provider in asker.contributions("provider"):
            self._offer(provider.name, asker)
        return self._offers

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
            raise NoModel(f"{self._there_is_no(names[0], asker)}`treadle models` lists them")
        raise NoModel(self._why_none(asker))

    def absent(self, request: ModelRequest) -> tuple[str, ...]:
        """Why services that the person has set up have no models now, a sentence each: others are asked in their place.
        None where the person has chosen the model."""
        if request.model or self._role(request.role).use:
            return ()
        return tuple(offer.missing for offer in self._offers.values() if offer.set_up and offer.missing)

    def unknown(self, role: str, asker: Asker) -> tuple[str, ...]:
        """Of each model that the person chose for the role and that nobody has, that there is none, a sentence each. No
        service is asked: one that can't be reached now may be later."""
        brought = [each.name for each in asker.contributions("model")]
        providers = [each.name for each in asker.contributions("provider")]
        use = self._role(role).use
        absent = (name for name in use if not _is_there(name, brought, providers))
        told = [self._there_is_no(name, asker).rstrip("; ") for name in absent]
        return (*told, *filter(None, (self.no_service(name, asker) for name in use)))

    def no_service(self, name: str, asker: Asker) -> str:
        """That the model's provider, which stands for several services, has none of that name; empty where it has, and
        for any other provider."""
        provider, _, model = name.partition("/")
        found = self.provider(provider, asker)
        if found is None or not found.several:
            return ""
        offer: Offer | None = asker.run("provider", provider, {"seconds": 0.0})
        if offer is None or offer.model(model) is not None:
            return ""
        service, there = model.partition("/")[0], [each.name.rstrip("/") for each in offer.unlisted]
        named = f"named are {', '.join(there)}" if there else offer.missing
        return f"there is no service {service!r}; {did_you_mean(service, there)}{named}".rstrip("; ")

    def concrete(self, request: ModelRequest, name: str, asker: Asker) -> ModelRequest:
        """The request to this very model, with the limits that hold for it."""
        role, facts = self._role(request.role), self._catalogue.facts(name)
        sampled = facts is None or facts.sampling
        most = min(filter(None, (request.max_tokens, role.max_tokens)), default=MOST_TOKENS)
        if request.tools and not self.takes_tools(name, asker):
            request = without_tools(request)
        return msgspec.structs.replace(
            request,
            model=name,
            max_tokens=self._fitting(most, request, name),
            temperature=(request.temperature if request.temperature is not None else role.temperature)
            if sampled
            else None,
            top_p=(request.top_p if request.top_p is not None else role.top_p) if sampled else None,
            effort=facts.effort_with_tools if facts and request.tools and not request.effort else request.effort,
        )

    def is_local(self, name: str, asker: Asker) -> bool:
        """Whether the model runs on this machine, and costs nothing."""
        provider, _, model = name.partition("/")
        found = self.provider(provider, asker)
        local = found is not None and found.local
        told = local or (found is not None and found.several)
        offer = self._offer(provider, asker) if told else self._offers.get(provider, Offer())
        offered = offer.model(model)
        return local if offered is None or offered.local is None else offered.local

    def takes_tools(self, name: str, asker: Asker) -> bool:
        """Whether the model can call tools, as the catalogue knows or its service tells; those of whom nobody knows are
        trusted to."""
        if name in self._toolless:
            return False
        facts = self._catalogue.facts(name)
        if facts is not None and facts.tools is not None:
            return facts.tools
        provider, _, model = name.partition("/")
        offered = self._offer(provider, asker).model(model)
        return offered is None or offered.tools is not False

    def context(self, name: str) -> int | None:
        """Tokens of prompt and reply together that the model takes, as its service tells or the catalogue knows."""
        if name in self._learnt:
            return self._learnt[name]
        facts = self._catalogue.facts(name)
        provider, _, model = name.partition("/")
        offered = self._offers.get(provider, Offer()).model(model)
        told = offered.context if offered and offered.context and offered.context > 0 else None
        return told or (facts.context if facts else None)

    def learn_no_tools(self, name: str) -> None:
        """The model takes no tools: its service has refused a request with some and said so."""
        self._toolless.add(name)

    def learn_context(self, name: str, tokens: int) -> None:
        """The model takes no more than these: its service has refused a request and said so."""
        self._learnt[name] = tokens

    def service(self, model: str, asker: Asker) -> str:
        """The service that the model is of: what is left alone when it fails."""
        provider, _, rest = model.partition("/")
        found = self.provider(provider, asker)
        return f"{provider}/{rest.partition('/')[0]}" if found is not None and found.several else provider

    def provider(self, name: str, asker: Asker) -> Provider | None:
        """The provider of that name, None when no plugin brings one."""
        brought = asker.contributions("provider")
        return next((each for each in brought if isinstance(each, Provider) and each.name == name), None)

    # ------------------------------------------------------------ behind it

    def _offer(self, provider: str, asker: Asker) -> Offer:
        if provider not in self._offers:
            if all(each.name != provider for each in asker.contributions("provider")):
                return Offer()
            offer: Offer | None = asker.run("provider", provider, {})
            self._offers[provider] = offer or Offer(missing="its plugin is at fault; see `treadle plugins`")
        return self._offers[provider]

    def _known(self, asker: Asker) -> Iterator[Known]:
        of_service: dict[str, list[Known]] = {}
        for provider, offer in self.offers(asker).items():
            for model in offer.models:
                name = f"{provider}/{model.name}"
                facts = self._catalogue.facts(name)
                known = facts.known if facts else Known(name="")
                usd = 0.0 if self.is_local(name, asker) else known.usd
                of_service.setdefault(self.service(name, asker), []).append(Known(name=name, size=known.size, usd=usd))
        for offered in of_service.values():
            yield from worth_asking(offered)

    def _why_none(self, asker: Asker) -> str:
        """Why no model can be asked: what is missing of the services that the person has set up, if there are any."""
        offers = self.offers(asker).values()
        missing = [offer.missing for offer in offers if offer.set_up and offer.missing]
        if not missing:
            return HOW_TO_GET_ONE
        return (
            f"no language model can be asked now: {'; '.join(missing)}. `treadle models` shows what can be reached, "
            "and `treadle resume` goes on"
        )

    def _there_is_no(self, name: str, asker: Asker) -> str:
        """That there is no such model, with the nearest name; more words can follow."""
        near = self._near(name, [each.name for each in asker.contributions("model")], asker)
        return f"there is no language model {name!r}; {near}"

    def _near(self, name: str, brought: Iterable[str], asker: Asker) -> str:
        """What the name of a model of no provider was probably meant to be: what stands before the first slash is
        compared with the providers' names, and with those of the services of which a provider has several."""
        first, slash, rest = name.partition("/")
        if not slash:
            return did_you_mean(name, brought)
        meant: dict[str, str] = {}
        for provider in asker.contributions("provider"):
            meant.setdefault(provider.name, f"{provider.name}/{rest}")
            if isinstance(provider, Provider) and provider.several:
                own = (each.name.rstrip("/") for each in self._offer(provider.name, asker).unlisted)
                meant |= {service: f"{provider.name}/{service}/{rest}" for service in own if service}
        import difflib  # only for who has made a mistake

        close = difflib.get_close_matches(first, meant, n=1, cutoff=_NEAR)
        return f"did you mean {meant[close[0]]!r}? " if close else did_you_mean(name, brought)

    def _role(self, role: str) -> RoleSettings:
        found = getattr(self._settings, role, None)
        return found if isinstance(found, RoleSettings) else RoleSettings()

    def _fitting(self, most: int, request: ModelRequest, name: str) -> int:
        """So many tokens of a reply as the model can write, and as there is room for behind the prompt."""
        facts, context = self._catalogue.facts(name), self.context(name)
        if facts and facts.output:
            most = min(most, facts.output)
        return min(most, max(LEAST_TOKENS, context - estimate_request(request))) if context else most


def _is_there(name: str, brought: Iterable[str], providers: Iterable[str]) -> bool:
    provider, slash, _ = name.partition("/")
    return name in set(brought) or bool(slash and provider in set(providers))
