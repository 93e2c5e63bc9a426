"""Fixtures: a project with a draft over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.agents.workplace import Workplace, make_place
from treadle import sandbox
from treadle.core.records import SessionInfo
from treadle.plugins.execution import sandboxed


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """An empty project, whose jobs nobody expects to be run."""
    return make_place(tmp_path, "copy")


@pytest.fixture(params=["overlay", "copy"])
def running(request: pytest.FixtureRequest, tmp_path: Path, plain_environment: Path) -> Iterator[Workplace]:
    """An empty project, whose jobs run in the sandbox."""
    if request.param == "overlay" and not sandbox.has_layer("overlay"):
        pytest.skip("this machine allows no overlay")
    place = make_place(tmp_path, request.param, str(plain_environment / "bin" / "python"))
    yield place
    sandboxed.treadle_stop(SessionInfo(id="1", task=place.task, state="SOLVED"), place.context)
