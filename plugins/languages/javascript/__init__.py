"""JavaScript and TypeScript by Node: planning, scanning and validating, each in a module of its own."""

from __future__ import annotations

from treadle.plugins.languages.javascript.planning import treadle_contributions, treadle_plan, treadle_settings
from treadle.plugins.languages.javascript.scanning import treadle_scan
from treadle.plugins.languages.javascript.validation import treadle_validate

__all__ = [
    "treadle_contributions",
    "treadle_plan",
    "treadle_scan",
    "treadle_settings",
    "treadle_validate",
]
