"""The search's settings: how many candidates, for how long, in what portions."""

from __future__ import annotations

from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from treadle.core.contributions import Setting
from treadle.core.records import Record


class SearchSettings(Record, frozen=True, kw_only=True):
    """The settings with their types, defaults, bounds and what they are for; `SETTINGS` follows from it."""

    max_candidates: Annotated[int, Meta(ge=1, description="Variants tried in one attempt.")] = 5000
    budget_s: Annotated[
        float,
        Meta(ge=0, description="Seconds that their jobs may take in all; two of them pass in a second on two cores."),
    ] = 240.0
    batch: Annotated[int, Meta(ge=1, description="Jobs handed to the executor at once.")] = 16
    max_files: Annotated[int, Meta(ge=1, description="The most suspicious files that are changed.")] = 5
    least_timeout_s: Annotated[
        float,
        Meta(ge=0, description="A test's time limit when the passing ones are faster than a quarter of it."),
    ] = 0.25
    trace_s: Annotated[
        float,
        Meta(
            ge=0,
            description="Seconds of passing tests that are traced; more of them sharpen the localisation and take "
            "longer.",
        ),
    ] = 20.0
    near_miss_s: Annotated[
        float,
        Meta(
            ge=0,
            description="Seconds that jobs may take to mend what a model wrote and nearly holds; 0: a model is asked.",
        ),
    ] = 12.0
    near_miss: Annotated[int, Meta(ge=1, description="Variants tried to mend what a model wrote.")] = 200
    trust_s: Annotated[
        float,
        Meta(
            ge=0,
            description="Seconds that jobs may take for each question of how far a repair can be trusted; 0: nobody "
            "looks.",
        ),
    ] = 4.0
    trust_candidates: Annotated[
        int, Meta(ge=0, description="Candidates tried after the first repair to find others that pass.")
    ] = 200
    rivals: Annotated[
        int, Meta(ge=0, description="Other repairs that are looked for, to be compared with the first.")
    ] = 6
    pairs: Annotated[int, Meta(ge=0, description="Two-edit candidates tried after the single ones.")] = 600


def settings_from(values: dict[str, object]) -> SearchSettings:
    """The settings as the person has set them. Raises `msgspec.ValidationError` for a value of the wrong type, or out
    of its bounds."""
    return msgspec.convert(values, SearchSettings)


def _declared(field: msgspec.structs.FieldInfo) -> Setting:
    _, meta = get_args(field.type)
    return Setting(name=field.name, default=field.default, least=meta.ge, summary=meta.description)


SETTINGS = tuple(map(_declared, msgspec.structs.fields(SearchSettings)))
