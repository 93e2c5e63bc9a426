"""The search's settings: how many candidates, for how long, in what portions."""

from __future__ import annotations

import msgspec

from treadle.core.contributions import Setting
from treadle.core.records import Record

SETTINGS = (
    Setting(name="max_candidates", default=3000, least=1, summary="Variants tried in one attempt."),
    Setting(
        name="budget_s",
        default=240.0,
        least=0.0,
        summary="Seconds that their jobs may take in all; two of them pass in a second on two cores.",
    ),
    Setting(name="batch", default=16, least=1, summary="Jobs handed to the executor at once."),
    Setting(name="max_files", default=5, least=1, summary="The most suspicious files that are changed."),
    Setting(
        name="least_timeout_s",
        default=0.5,
        least=0.0,
        summary="A test's time limit when the passing ones are faster than a quarter of it.",
    ),
    Setting(
        name="trace_s",
        default=20.0,
        least=0.0,
        summary="Seconds of passing tests that are traced; more of them sharpen the localisation and take longer.",
    ),
    Setting(name="pairs", default=600, least=0, summary="Two-edit candidates tried after the single ones."),
)


class SearchSettings(Record, frozen=True, kw_only=True):
    """The values of `SETTINGS`, by their types."""

    max_candidates: int
    budget_s: float
    batch: int
    max_files: int
    least_timeout_s: float
    trace_s: float
    pairs: int


def settings_from(values: dict[str, object]) -> SearchSettings:
    """The settings as the person has set them. Raises `msgspec.ValidationError` for a value of the wrong type."""
    return msgspec.convert({**{setting.name: setting.default for setting in SETTINGS}, **values}, SearchSettings)
