"""What a session asked of language models, read from its events."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.events import Event
from treadle.core.records import Record


class ModelUse(Record, frozen=True, kw_only=True):
    """Requests that were answered, the tokens that were read (`cached`: of them from the service's cache) and written,
    and what they cost in US dollars, without those whose tokens the service does not tell, or whose price nobody knows:
    `untold` and `usd_unknown` count them."""

    requests: int = 0
    untold: int = 0
    read: int = 0
    cached: int = 0
    written: int = 0
    usd: float = 0.0
    usd_unknown: int = 0
    seconds: float = 0.0
    models: tuple[str, ...] = ()


def use_of(events: Iterable[Event]) -> ModelUse:
    """The use of models that these events tell of."""
    finished = [event.data for event in events if event.kind == "complete.finished"]
    usages = [data["usage"] for data in finished if isinstance(data.get("usage"), dict)]
    costs = [data.get("usd") for data in finished]

    def count(*names: str) -> int:
        return sum(int(usage.get(name, 0)) for usage in usages for name in names)

    return ModelUse(
        requests=len(finished),
        untold=len(finished) - len(usages),
        read=count("input", "cache_read", "cache_written"),
        cached=count("cache_read"),
        written=count("output"),
        usd=sum(cost for cost in costs if isinstance(cost, int | float)),
        usd_unknown=sum(cost is None for cost in costs),
        seconds=sum(float(data.get("seconds", 0.0)) for data in finished),
        models=tuple(dict.fromkeys(str(data["model"]) for data in finished if "model" in data)),
    )
