"""Repair by search: find the suspicious lines, try small changes in order of likelihood, keep what the tests accept."""

from __future__ import annotations

from treadle.plugins.generation.search.plugin import (
    treadle_call,
    treadle_contributions,
    treadle_generate,
    treadle_settings,
)

__all__ = ["treadle_call", "treadle_contributions", "treadle_generate", "treadle_settings"]
