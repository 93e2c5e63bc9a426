"""The search's settings: how many candidates, for how long, in what portions."""

from __future__ import annotations

import msgspec

from treadle.core.records import Record


class SearchSettings(Record, frozen=True, kw_only=True):
    """`max_candidates`: variants tried in one attempt. `budget_s`: seconds that their jobs may take in all (two of them
    pass in a second on two cores). `batch`: jobs handed to the executor at once. `max_files`: the most suspicious files
    that are changed. `least_timeout_s`: a test's time limit when the passing ones are faster than a quarter of it.
    `trace_s`: seconds of passing tests that are traced; more of them sharpen the localisation and take longer.
    `pairs`: two-edit candidates tried after the single ones."""

    max_candidates: int = 3000
    budget_s: float = 240.0
    batch: int = 16
    max_files: int = 5
    least_timeout_s: float = 0.5
    trace_s: float = 20.0
    pairs: int = 600


def defaults() -> dict[str, object]:
    """The settings as plain values by name."""
    return msgspec.structs.asdict(SearchSettings())


def settings_from(values: dict[str, object]) -> SearchSettings:
    """The settings as the person has set them. Raises `msgspec.ValidationError` for a value of the wrong type."""
    return msgspec.convert({**defaults(), **values}, SearchSettings)
