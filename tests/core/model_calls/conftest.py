"""A desk at which models are asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.model_calls.desk import ONE, PRICED, TWO, Desk, Plugins
from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Provider
from treadle.core.models.messages import (
    ModelReply,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "spending.db", Plugins(ONE, TWO))
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a", "two/b")))
    desk.plugins.answers["two/b"] = [ModelReply(text="from two")]
    yield desk
    if desk.spending:
        desk.spending.close()


@pytest.fixture
def priced(desk: Desk) -> Desk:
    """A desk whose only model has a price that is known."""
    desk.settings = ModelsSettings(coder=RoleSettings(use=(PRICED,), max_tokens=100))
    desk.plugins.brought = (Provider(name="anthropic", summary=".", counts=True),)
    desk.amounts = {"usd": 100.0, "tokens": 1_000_000}
    return desk
