from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle, _solved_and_kept, solved, treadle, write_project  # noqa: F401 - fixtures
from tests.plugins.models.scripted_service import Service, serving
from tests.tui.terminal import terminals  # noqa: F401 - a fixture


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain_environment: Path) -> Path:
    """A state folder of the test's own, which the app takes from the environment as it does for a person."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("TREADLE_HOME", str(folder))
    monkeypatch.setenv("VIRTUAL_ENV", str(plain_environment))
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A small project whose `spread` is wrong."""
    return write_project(tmp_path / "project")


@pytest.fixture
def service(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A model's service, to which a test says what it will answer."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-planted")
    with serving() as service:
        models = '[models]\nretries = 1\n[models.planner]\nuse = ["anthropic/claude-sonnet-5-5"]\n'
        models += '[models.coder]\nuse = ["anthropic/claude-sonnet-5-5"]\n'
        (home / "config.toml").write_text(f'{models}[plugins.anthropic]\nbase_url = "{service.url}"\n')
        yield service


@pytest.fixture
def solved_here(solved: Treadle, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811 - it is the fixture
    monkeypatch.setenv("TREADLE_HOME", str(solved.home))
    return solved.folder
