"""What a session asked of language models, read from its events."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.events import Event
from treadle.core.forks import without_copies
from treadle.core.heard_again import without_heard_again
from treadle.core.records import Record


class ModelUse(Record, frozen=True, kw_only=True):
    """Requests that were sent, `failed` of them without a reply, `lost` of these such as may be paid for all the same:
    they broke off, or an interruption cut them off; `lost_usd` is an estimate of it, rather too high.

    Of those that were answered the tokens that were read (`cached`: of them from the service's cache) and written, and
    what they cost in US dollars. `untold` are those whose tokens the service does not tell, which are in no number of
    tokens, `usd_unknown` those whose price nobody knows, of the models `unpriced`. `usd_estimated`: of so many `usd`
    holds an estimate, rather too high, since the price is known and the tokens are not."""

    requests: int = 0
    failed: int = 0
    lost: int = 0
    lost_usd: float = 0.0
    untold: int = 0
    read: int = 0
    cached: int = 0
    written: int = 0
    usd: float = 0.0
    usd_unknown: int = 0
    usd_estimated: int = 0
    seconds: float = 0.0
    models: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()

    @property
    def answered(self) -> int:
        """Requests that came to a reply."""
        return self.requests - self.failed


def use_of(events: Iterable[Event]) -> ModelUse:
    """The use of models that these events tell of, without what a fork's original has asked, or a replay's."""
    logged = list(without_copies(without_heard_again(events)))
    asked = [event for event in logged if _is_sent(event)]
    asked += _cut_off(logged)
    paid = [event for event in asked if event.data.get("may_be_paid", event.kind == "model.asked") is True]
    finished = [event.data for event in asked if event.kind == "complete.finished"]
    usages = [data["usage"] for data in finished if isinstance(data.get("usage"), dict)]
    costs = [data.get("usd") for data in finished]
    guessed = [data.get("usd") for data in finished if not isinstance(data.get("usage"), dict)]

    def count(*names: str) -> int:
        return sum(int(usage.get(name, 0)) for usage in usages for name in names)

    return ModelUse(
        requests=len(asked),
        failed=len(asked) - len(finished),
        lost=len(paid),
        lost_usd=sum(float(event.data.get("usd") or 0.0) for event in paid),
        untold=len(finished) - len(usages),
        read=count("input", "cache_read", "cache_written"),
        cached=count("cache_read"),
        written=count("output"),
        usd=sum(cost for cost in costs if isinstance(cost, int | float)),
        usd_unknown=sum(cost is None for cost in costs),
        usd_estimated=sum(bool(cost) for cost in guessed),
        seconds=sum(float(data.get("seconds", 0.0)) for data in finished),
        models=tuple(dict.fromkeys(str(event.data["model"]) for event in asked if "model" in event.data)),
        unpriced=tuple(dict.fromkeys(str(data.get("model", "")) for data in finished if data.get("usd") is None)),
    )


def _cut_off(events: Iterable[Event]) -> list[Event]:
    """The requests of which nothing is known but that they were sent."""
    under_way: dict[str, Event] = {}
    found = []
    for event in events:
        call = str(event.data.get("key" if event.kind == "complete.finished" else "call", ""))
        if event.kind in ("model.asked", "model.failed", "complete.finished"):
            before = under_way.pop(call, None)
        if event.kind == "model.asked":
            found += [before] if before else []
            under_way[call] = event
    return [*found, *under_way.values()]


def _is_sent(event: Event) -> bool:
    """Whether it tells of a request that was sent. One that was refused costs nothing, and without a key was never
    sent."""
    return event.kind == "complete.finished" or (
        event.kind == "model.failed" and event.data.get("trouble") != "refused"
    )
