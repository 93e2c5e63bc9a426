"""The SDK of this service, as it is loaded."""

from __future__ import annotations

from treadle.plugins.models.loading import Loading

SDK = Loading("anthropic")
