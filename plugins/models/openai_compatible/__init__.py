"""Models of every service that speaks OpenAI's protocol, Ollama's among them, through OpenAI's own SDK, which is
imported when the first call needs it and never before."""

from __future__ import annotations

from treadle.plugins.models.openai_compatible.plugin import (
    treadle_call,
    treadle_contributions,
    treadle_settings,
    treadle_start,
)

__all__ = ["treadle_call", "treadle_contributions", "treadle_settings", "treadle_start"]
