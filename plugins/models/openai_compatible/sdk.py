"""The SDK of this protocol, as it is loaded."""

from __future__ import annotations

from treadle.plugins.models.loading import Loading

SDK = Loading("openai")
