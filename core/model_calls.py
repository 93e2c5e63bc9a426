"""Asking language models: with patience, within the budgets, and another one when one fails.

One `ModelCalls` serves a session. What a service does wrong becomes a `ModelFailure`, which is decided on here: sent
again after a wait, or passed on to the next model of the chain while the service is left alone for a while.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from treadle.core.config.model_settings import ModelsSettings
from treadle.core.contributions import Contribution
from treadle.core.durations import in_seconds, in_words
from treadle.core.errors import BudgetExceeded, NoModel, NoPlugin, Stopped
from treadle.core.model_choice import LEAST_TOKENS, MOST_TOKENS, REPLY_S, Asker, ModelChoice
from treadle.core.models.as_sent import settled
from treadle.core.models.believable import believed, believed_count, believed_part
from treadle.core.models.catalogue import Catalogue, cost
from treadle.core.models.messages import PASSING, ModelFailure, ModelReply, ModelRequest, Offer, Trouble, Usage
from treadle.core.models.tokens import estimate_reply, estimate_request, most_of_request
from treadle.core.purse import Purse
from treadle.core.redaction import shown, without_keys
from treadle.core.store.spending import Amounts, Scope

FIRST_WAIT_S = 1.0
"""The wait before a request is sent again the first time; it doubles each time, and up to half of it is chance."""
_TOO_LATE = "no time is left for it"
_LEAST_S = 0.1
_MONEY = "no money is left for it"
_KEPT_AWAY: frozenset[Trouble] = frozenset({"unreachable", "busy", "broken", "refused"})
"""Troubles of the whole service, not of this request: it is left alone for a while."""
_FAILING: frozenset[Trouble] = frozenset({"unreachable", "broken"})
"""Those in which it neither answers nor asks for patience."""


@dataclass(frozen=True)
class ModelRules:
    """What the settings and the catalogue say about models; `amounts` are the budgets by scope."""

    settings: ModelsSettings
    catalogue: Catalogue
    amounts: Mapping[Scope, Amounts]


@dataclass(frozen=True)
class _InTime:
    """Who asks, with the time that is left for all of it, which services are told that are asked for their models."""

    asker: Asker
    left_s: Callable[[], float]

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return self.asker.contributions(kind)

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any:
        timed = {**arguments, "seconds": max(_LEAST_S, self.left_s())} if kind == "provider" else arguments
        answer = self.asker.run(kind, name, timed)
        # What providers say of trouble, those of all plugins, goes into the log and the result.
        if isinstance(answer, Offer):
            return msgspec.structs.replace(answer, missing=shown(answer.missing))
        if isinstance(answer, ModelFailure):
            return msgspec.structs.replace(answer, message=shown(answer.message))
        return answer

    def cancelled(self) -> bool:
        return self.asker.cancelled()


@dataclass(frozen=True)
class _Rest:
    """A service is left alone until then, and `why`. Before `in_vain_until` it makes no sense to ask it even where
    there is nobody else."""

    until: float
    why: str
    in_vain_until: float


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A reply, the full name of the model that gave it, and what it cost in US dollars, None when nobody knows: an
    upper estimate where the price is known and the tokens are not. Its `usage` is one that can be, or None."""

    reply: ModelReply
    model: str
    usd: float | None
    seconds: float


class ModelCalls:
    """Asks models in the name of one session; `choice` says which."""

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
        self.choice = ModelChoice(rules.settings, rules.catalogue)
        self._purse = purse
        self._log = log
        self._clock = clock
        self._wait = wait
        self._chance = chance
        self._resting: dict[str, _Rest] = {}
        self._unknown: dict[str, str] = {}
        self._switches: dict[str, tuple[str, str]] = {}
        self._absent: set[str] = set()

    def ask(self, request: ModelRequest, asker: Asker, key: str, left_s: float) -> Served:
        """The reply of the first model of the chain that gives one. `key` names the call in the ledger, `left_s` are
        the seconds that all of it may take at most, waits and other models among them. Raises `NoModel`,
        `BudgetExceeded`, `Stopped`."""
        until = self._clock() + left_s
        asker = _InTime(asker, lambda: until - self._clock())
        names = self.choice.chain(request, asker)
        self._tell_absent(request)
        self._purse.reserve("session", {"sessions": 1})  # with nobody to ask it is none with a model
        self._pause(min(self._somewhat_more(max(0.0, request.after_s)), self._settings.patience_s, left_s), asker)
        problems: dict[str, str] = {}
        before: tuple[str, str, str] | None = None
        over: BudgetExceeded | None = None
        tried: set[str] = set()
        resting = dict(self._resting)
        # Those that were left alone come again where nobody else has answered: they may be well by now.
        order = (*names, *self._rested(names, asker))
        for place, name in enumerate(order):
            if name in tried:
                continue
            if unknown := self._unknown.get(name):  # said once: its service will not know it the next time either
                problems[name] = unknown
                continue
            service = self.choice.service(name, asker)
            # One that has failed again meanwhile, by another of its models, is not well yet.
            may_be_well = place >= len(names) and self._resting.get(service) is resting.get(service)
            left_alone = self._left_alone(service, again=may_be_well)
            problem, reason = left_alone or self._too_late(until)
            if not problem:
                if before is not None and before[0] != name:
                    self._tell_switch(*before, name)
                tried.add(name)
                elsewhere = self._is_elsewhere(name, (each for each in names[place + 1 :] if each not in tried), asker)
                try:
                    concrete = self.choice.concrete(request, name, asker)
                    served, problem = self._ask_one(concrete, asker, key, until, elsewhere=elsewhere)
                    reason = problem
                except BudgetExceeded as error:
                    behind = [each for each in order[place + 1 :] if each not in tried]
                    if error.what != "usd" or not any(self._costs_none(each, asker) for each in behind):
                        raise
                    served, problem, reason, over = None, str(error), _MONEY, error
                if served is not None:
                    self._switches.pop(name, None)
                    self._resting.pop(self.choice.service(name, asker), None)
                    return served
                before = None
            problems[name] = problem
            before = before or (name, problem, reason)
        if over is not None:
            raise over
        told = "; ".join(f"{name}: {problem}" for name, problem in problems.items())
        raise NoModel(
            f"no language model answered ({told}); `treadle models` shows what can be reached, "
            "and `treadle resume` goes on"
        )

    def _rested(self, names: Iterable[str], asker: Asker) -> tuple[str, ...]:
        """Those whose services are left alone now and might answer all the same."""
        resting = ((name, self._resting.get(self.choice.service(name, asker))) for name in names)
        return tuple(name for name, rest in resting if rest and rest.in_vain_until <= self._clock() < rest.until)

    def _is_elsewhere(self, name: str, others: Iterable[str], asker: Asker) -> bool:
        """Whether there is a model among the others that can be asked now, of another service than this one."""
        here = self.choice.service(name, asker)
        services = (self.choice.service(each, asker) for each in others if each not in self._unknown)
        return any(each != here and self._left_alone(each, again=False) is None for each in services)

    def _costs_none(self, name: str, asker: Asker) -> bool:
        """Whether it is known that the model costs no money, so that no budget of money speaks against it."""
        facts = self._catalogue.facts(name)
        return self.choice.is_local(name, asker) or (facts is not None and facts.price.upper(1_000, 1_000) == 0.0)

    # ------------------------------------------------------------ one model

    def _ask_one(
        self, request: ModelRequest, asker: Asker, key: str, until: float, *, elsewhere: bool
    ) -> tuple[Served | None, str]:
        """Ask that model, as often as it takes and is allowed. `elsewhere`: there is another service to go to."""
        service = self.choice.service(request.model, asker)
        costs = not self.choice.is_local(request.model, asker)
        problem = ""
        for again in range(self._settings.retries + 1):
            self._check_wanted(asker)
            left_s = until - self._clock()
            if left_s <= 0:
                return None, problem or _TOO_LATE
            aside = self._aside(self._timed(request, left_s), asker, key)
            left_s = until - self._clock()  # to count it may have taken a while
            if left_s <= 0:
                return None, problem or _TOO_LATE
            most_s = self._most_s(left_s)
            timed = self._timed(request, left_s)
            over_at = self._clock() + most_s
            answer, served = self._send(timed, aside, asker, key)
            if served is not None:
                return served, ""
            if answer is None:
                problem = "its plugin is at fault"
                usd = self._lost(timed, None)["usd"]
                self._tell_failure(key, request.model, "fault", problem, None, paid=costs, usd=usd)
                return None, problem
            problem = answer.message
            out_of_time = self._clock() >= over_at and answer.trouble in PASSING
            if out_of_time:  # by the budget: the service, which may have needed no longer than others, is not to blame
                problem = f"its answer was not whole when the {in_seconds(most_s)} that were left for it were over"
            shorter = self._shorter(request, answer, asker)
            wait_s = None if out_of_time else self._wait_s(answer, again, until - self._clock(), elsewhere=elsewhere)
            if shorter is not None and again < self._settings.retries:
                request, wait_s = shorter, 0.0
            in_text = self._in_text(request, answer, asker)
            wait_s = 0.0 if in_text is not None else wait_s
            paid = costs and answer.may_be_paid
            usd = self._lost(timed, answer)["usd"]
            self._tell_failure(key, request.model, answer.trouble, problem, wait_s, paid=paid, usd=usd)
            budget_s = self._purse.left("model_s")
            if out_of_time and budget_s is not None and budget_s <= 0:  # which raises
                self._purse.reserve(f"{key}#over", {"model_s": 1.0})
            if in_text is not None:  # another request, with all the tries of one
                return self._ask_one(in_text, asker, key, until, elsewhere=elsewhere)
            if wait_s is None:
                if answer.trouble in _KEPT_AWAY and not out_of_time:
                    self._leave_alone(service, answer)
                elif answer.trouble == "unknown model":
                    self._unknown[request.model] = problem
                return None, problem
            self._pause(wait_s, asker)
        return None, problem

    def _in_text(self, request: ModelRequest, failure: ModelFailure, asker: Asker) -> ModelRequest | None:
        """The request to a model that has turned out to take no tools, where it had some."""
        if failure.trouble != "no tools" or not request.tools:
            return None
        self.choice.learn_no_tools(request.model)
        return self.choice.concrete(request, request.model, asker)

    def _shorter(self, request: ModelRequest, failure: ModelFailure, asker: Asker) -> ModelRequest | None:
        """The request for a shorter reply, where its service has said how much room there is, and that is enough; where
        nobody knows how much, for a quarter of the reply."""
        if failure.trouble != "too long":
            return None
        quarter = (request.max_tokens or MOST_TOKENS) // 4
        if not failure.context:
            unknown = self.choice.context(request.model) is None and quarter >= LEAST_TOKENS
            return msgspec.structs.replace(request, max_tokens=quarter) if unknown else None
        left, known = failure.context - estimate_request(request), self.choice.context(request.model)
        if not LEAST_TOKENS <= left < (request.max_tokens or MOST_TOKENS) or (known and known <= failure.context):
            return None
        self.choice.learn_context(request.model, failure.context)
        return self.choice.concrete(request, request.model, asker)

    def _most_s(self, left_s: float) -> float:
        """The seconds that a model may take of those that are left, by the budgets of models' time."""
        budget_s = self._purse.left("model_s")
        return left_s if budget_s is None else min(left_s, max(_LEAST_S, budget_s))

    def _timed(self, request: ModelRequest, left_s: float) -> ModelRequest:
        return msgspec.structs.replace(request, seconds=min(REPLY_S, self._most_s(left_s)))

    def _too_late(self, until: float) -> tuple[str, str]:
        """That there is no time to ask anybody, and the same again, "" where there is."""
        why = _TOO_LATE if self._clock() >= until else ""
        return why, why

    def _left_alone(self, service: str, *, again: bool) -> tuple[str, str] | None:
        """How long the service is left alone, and why; and only why. None where it is not. `again`: it comes again
        where there is nobody else, and is left alone only as long as it would be asked in vain."""
        rest = self._resting.get(service)
        if rest and again and rest.in_vain_until <= self._clock():
            return None
        left_s = rest.until - self._clock() if rest else 0.0
        return (f"still left alone for {in_words(left_s)} ({rest.why})", rest.why) if rest and left_s > 0 else None

    def _leave_alone(self, service: str, failure: ModelFailure) -> None:
        """It has asked for that many seconds itself, or is in trouble that may be over sooner."""
        now, asked_s = self._clock(), failure.retry_after_s or 0.0
        until = now + max(self._settings.rest_s, asked_s)
        may_pass = failure.trouble in PASSING
        self._resting[service] = _Rest(until, failure.message, now + asked_s if may_pass else until)

    def _tell_absent(self, request: ModelRequest) -> None:
        """Say once of each service that was set up and has no models now that others are asked."""
        for why in self.choice.absent(request):
            if why not in self._absent:
                self._absent.add(why)
                self._log("model.absent", {"why": why})

    def _tell_switch(self, name: str, why: str, reason: str, to: str) -> None:
        """Say that another one is asked in place of `name`, for this `reason`, unless that was the last said of it."""
        if self._switches.get(name) != (to, reason):
            self._switches[name] = (to, reason)
            self._log("model.switched", {"from": name, "to": to, "why": why})

    def _tell_failure(
        self, key: str, model: str, trouble: str, why: str, again_in_s: float | None, *, paid: bool, usd: float
    ) -> None:
        told = {"call": key, "model": model, "trouble": trouble, "message": why, "again_in_s": again_in_s}
        self._log("model.failed", told | {"may_be_paid": paid, "usd": usd})

    def _send(
        self, request: ModelRequest, aside: Mapping[str, float], asker: Asker, key: str
    ) -> tuple[ModelFailure | None, Served | None]:
        # Each sending has a row of its own: what a crash has cut off may well be paid for, and stays set aside.
        row = f"{key}#{secrets.token_hex(4)}"
        self._purse.reserve(row, aside)
        costs = not self.choice.is_local(request.model, asker)
        told = {"call": key, "model": request.model, "usd": aside.get("usd", 0.0), "may_be_paid": costs}
        self._log("model.asked", told | settled(request))
        began = self._clock()
        # What is raised here leaves the call as it was set aside: nobody knows what of it is paid for.
        answer: ModelReply | ModelFailure | None = asker.run("model", request.model, {"request": request})
        seconds = self._clock() - began
        if not isinstance(answer, ModelReply):
            self._purse.settle(row, self._lost(request, answer) | {"model_s": seconds})
            return answer, None
        # Held to sense here, for the providers of all plugins: this goes into the ledger, the log and the result.
        prompt, most = estimate_request(request), request.max_tokens or MOST_TOKENS
        usage = believed(answer.usage, answer, prompt=prompt, most=most)
        reply = msgspec.structs.replace(without_keys(answer), usage=usage, context=self.choice.context(request.model))
        tokens, usd = self._used(request, reply, answer.usage)
        if self.choice.is_local(request.model, asker):
            usd = 0.0
        # A price that nobody knows counts as nothing.
        self._purse.settle(row, {"calls": 1, "tokens": tokens, "usd": usd or 0.0, "model_s": seconds})
        return None, Served(reply=reply, model=request.model, usd=usd, seconds=seconds)

    def _used(self, request: ModelRequest, reply: ModelReply, said: Usage | None) -> tuple[int, float | None]:
        """The tokens and the US dollars, None when nobody knows these: as the service tells, else estimated, rather
        too high, but not above what it `said`, which is not believed, that so long a reply took."""
        usage, facts = reply.usage, self._catalogue.facts(request.model)
        if usage is None:
            told, read, written = None, estimate_request(request), estimate_reply(reply)
            if said is not None and said.output > (request.max_tokens or MOST_TOKENS):
                written = min(written, said.output)
        else:
            told, read, written = cost(usage, facts), usage.input + usage.cache_read + usage.cache_written, usage.output
        upper = facts.price.upper(read, written) if facts else None
        return read + written, upper if told is None else told

    def _lost(self, request: ModelRequest, failure: ModelFailure | None) -> dict[str, float]:
        """What a request without a reply has used up: it was read where its answer was begun, and else not; and of the
        answer what has come was written. Where a plugin is at fault nobody knows, and it may well have been read."""
        if failure is not None and not failure.may_be_paid:
            return {"calls": 1, "tokens": 0, "usd": 0.0}
        read, facts = estimate_request(request), self._catalogue.facts(request.model)
        written = believed_part(failure.written if failure is not None else 0, most=request.max_tokens or MOST_TOKENS)
        usd = (facts.price.upper(read, written) if facts else None) or 0.0
        return {"calls": 1, "tokens": read + written, "usd": usd}

    def _wait_s(self, failure: ModelFailure, again: int, left_s: float, *, elsewhere: bool) -> float | None:
        """How long to wait before the request is sent again, None when it should not be: where the service asks for
        longer than a person has patience for, or it would take the time that another model can be asked in. What the
        service asks for is told to all who ask it, so to that, too, some is added by chance. A service that fails is
        asked but once more where there is another one to go to, whether nothing comes to it or its answer breaks off:
        who has set up two has done so for this."""
        if failure.trouble not in PASSING or again >= self._settings.retries:
            return None
        if elsewhere and failure.trouble in _FAILING and again >= 1:
            return None
        asked_s = failure.retry_after_s or 0.0
        if asked_s > self._settings.patience_s:
            return None
        backoff = self._somewhat_more(FIRST_WAIT_S * 2**again)
        wait_s = max(min(backoff, self._settings.patience_s), self._somewhat_more(asked_s))
        return wait_s if wait_s < left_s else None

    def _somewhat_more(self, seconds: float) -> float:
        """Up to half as much again, so that those who failed together do not come back together."""
        return seconds * (1 + self._chance() / 2)

    def _pause(self, seconds: float, asker: Asker) -> None:
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0:
            self._check_wanted(asker)
            self._wait(min(left, 0.2))

    @staticmethod
    def _check_wanted(asker: Asker) -> None:
        if asker.cancelled():
            raise Stopped("no language model has answered: the session was asked to stop, or its stage is out of time")

    # ------------------------------------------------------------ what it may cost

    def _aside(self, request: ModelRequest, asker: Asker, key: str) -> dict[str, float]:
        """The most that the call can take, to be set aside. Where it hangs on the length of the request whether a
        budget lets it through, the service counts it, if it can; else it is estimated."""
        tokens = estimate_request(request)
        if self._could_be_too_long(request, asker):
            tokens = self._count(request, asker, key) or tokens
        return self._most(request, tokens, asker)

    def _could_be_too_long(self, request: ModelRequest, asker: Asker) -> bool:
        """Whether a budget has room for the request, and perhaps not for all of it."""
        shortest, longest = (self._most(request, tokens, asker) for tokens in (0, most_of_request(request)))
        return not self._purse.fits("", longest) and self._purse.fits("", shortest)

    def _most(self, request: ModelRequest, tokens: int, asker: Asker) -> dict[str, float]:
        written = request.max_tokens or MOST_TOKENS
        # How long it will take nobody knows; that it takes a second holds where all of that budget is used up.
        most: dict[str, float] = {"calls": 1, "tokens": tokens + written, "model_s": 1.0}
        facts = self._catalogue.facts(request.model)
        usd = facts.price.upper(tokens, written) if facts else None
        if usd == 0.0 or self.choice.is_local(request.model, asker):
            return most  # a budget of money has no say in what is known to cost none
        return most | {"usd": usd or 0.0}

    def _count(self, request: ModelRequest, asker: Asker, key: str) -> int | None:
        found = self.choice.provider(request.model.partition("/")[0], asker)
        if found is None or not found.counts:
            return None
        # All of it goes to the service, also where the budget then says no.
        self._log("model.counting", {"call": key, "model": request.model} | settled(request))
        try:
            counted: int | None = asker.run("token count", request.model, {"request": request})
        except NoPlugin:
            return None
        return believed_count(counted, prompt=estimate_request(request))
