"""The settings of language models: which one does what, and how patient Treadle is with their services."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from treadle.core.config.key import key
from treadle.core.records import Record

Temperature = Annotated[float, msgspec.Meta(ge=0, le=2)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class RoleSettings(Record, frozen=True, kw_only=True):
    """What the person chose for one role. What is not set is the model's own."""

    use: Annotated[
        tuple[str, ...],
        key("Models for this role as `PROVIDER/MODEL`, in the order in which they are asked.", "never"),
    ] = ()
    temperature: Annotated[Temperature | None, key("How freely it picks its words.", "never")] = None
    top_p: Annotated[Share | None, key("The share of likely words that it picks from.", "never")] = None
    max_tokens: Annotated[Count | None, key("The most tokens of one reply.", "never")] = None


class ModelsSettings(Record, frozen=True, kw_only=True):
    """Which language models are asked."""

    preset: Annotated[
        Literal["fast", "balanced", "best"],
        key("How large the models are that are chosen for roles without one of their own.", "never"),
    ] = "balanced"
    retries: Annotated[
        int, key("How often a request is sent again that a service could not answer.", "lower", ge=0)
    ] = 4
    patience_s: Annotated[
        float,
        key(
            "The longest wait before a request is sent again, and up to half as much again by chance where the service "
            "asks for it; a longer one passes to the next model.",
            "lower",
            ge=0,
        ),
    ] = 60.0
    rest_s: Annotated[float, key("Seconds for which a provider that failed is left alone.", "lower", ge=0)] = 120.0
    planner: RoleSettings = RoleSettings()
    coder: RoleSettings = RoleSettings()
    tester: RoleSettings = RoleSettings()
    reviewer: RoleSettings = RoleSettings()
    reflector: RoleSettings = RoleSettings()
    summariser: RoleSettings = RoleSettings()
