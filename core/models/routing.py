"""Which language models are asked for a role, and in which order: decided on plain values.

What the person chose for a role wins. Else a preset says how large the model should be, a step up the ladder makes it
larger, and of those that fit the cheapest comes first. The others follow, so that there is somebody left to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from treadle.core.records import Difficulty, Record

Size = Literal["small", "medium", "large"]
SIZES: tuple[Size, ...] = ("small", "medium", "large")
"""The ladder of models, from the cheapest on."""

Preset = Literal["fast", "balanced", "best"]

ROLES: tuple[str, ...] = ("planner", "coder", "tester", "reviewer", "reflector", "summariser")

_WANTED: Mapping[Preset, Mapping[str, Size]] = {
    "fast": {},
    "balanced": {
        "planner": "medium",
        "coder": "medium",
        "tester": "medium",
        "reviewer": "medium",
        "reflector": "medium",
    },
    "best": {
        "planner": "large",
        "coder": "large",
        "reviewer": "large",
        "reflector": "large",
        "tester": "medium",
        "summariser": "medium",
    },
}
"""The size that each preset wants for a role; small where it names none."""


MOST_UNSIZED = 3
"""Models of one service, none of which is known, that are asked one after the other."""

_RUNGS: Mapping[Difficulty, int] = {"simple": -1, "medium": 0, "complex": 1}


class Known(Record, frozen=True, kw_only=True):
    """A model that can be asked. `usd` is what a million tokens read and a quarter of a million written cost, None when
    nobody knows; `size` None likewise."""

    name: str
    size: Size | None = None
    usd: float | None = None


def rungs_for(difficulty: Difficulty) -> int:
    """How many rungs up the ladder of models, or down, a task of this class begins: for its planner by what it is
    classed as before, for its coder by what the plan says."""
    return _RUNGS[difficulty]


def wanted_size(preset: Preset, role: str, step: int) -> Size:
    """How large a model for the role should be, `step` rungs up (or down) the ladder of models."""
    start = SIZES.index(_WANTED[preset].get(role, "small"))
    return SIZES[min(max(start + step, 0), len(SIZES) - 1)]


def worth_asking(offered: Sequence[Known]) -> Sequence[Known]:
    """Of all models of one service those that are asked unnamed: the ones whose size is known, and where there is none,
    the first few. Services list dozens that paint, speak or make embeddings, and a request that the first one refuses
    would go through all of them."""
    return [each for each in offered if each.size] or offered[:MOST_UNSIZED]


def chain(*, chosen: Sequence[str], brought: Sequence[str], offered: Iterable[Known], wanted: Size) -> tuple[str, ...]:
    """The models in the order in which they are asked: those that the person has `chosen` and no others, else those
    that plugins have `brought` for the role, then those that services have `offered`."""
    if chosen:
        return tuple(dict.fromkeys(chosen))
    return tuple(dict.fromkeys((*brought, *(known.name for known in sorted(offered, key=_place(wanted))))))


def _place(wanted: Size) -> Callable[[Known], tuple[int, bool, float]]:
    order = _by_fit(wanted)

    def place(known: Known) -> tuple[int, bool, float]:
        fit = len(order) if known.size is None else order.index(known.size)
        return fit, known.usd is None, known.usd or 0.0

    return place


def _by_fit(wanted: Size) -> tuple[Size, ...]:
    """The size itself, then the larger ones, then the smaller ones: what does the work first, what costs less next."""
    at = SIZES.index(wanted)
    return (*SIZES[at:], *reversed(SIZES[:at]))
