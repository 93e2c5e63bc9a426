"""Each test begins with what a process knows of services that it has not asked yet: nothing."""

from __future__ import annotations

import pytest

from treadle.plugins.models.anthropic import turns
from treadle.plugins.models.openai_compatible import reply


@pytest.fixture(autouse=True)
def _nothing_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply, "_learnt", {})
    monkeypatch.setattr(turns, "_refused", set())
