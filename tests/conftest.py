"""What holds for every test."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import plain_environment as environment
from tests import postgres_server, quick_sessions
from tests.event_logs import EventLogs, places_in
from treadle.core import keys

os.environ.update(quick_sessions.ENVIRONMENT)

# Whoever runs the tests may have models: none of theirs is asked.
for variable in keys.USUAL:
    os.environ.pop(variable, None)
os.environ["OLLAMA_HOST"] = "127.0.0.1:9"

# A machine that is busy is no failure: no example has to be fast.
settings.register_profile(
    "treadle", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("treadle")

# Thousands of tests and all that they import are there to stay: to look through them again and again takes a tenth of
# the time of the tests that run in this process.
gc.set_threshold(20_000, 20, 20)


def pytest_collection_finish() -> None:
    """What has been collected stays as well."""
    gc.freeze()


@pytest.fixture(autouse=True)
def no_known_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test takes for a key is none in the next one."""
    monkeypatch.setattr(keys, "KNOWN", keys.KnownKeys())


@pytest.fixture(scope="session")
def plain_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python environment of the projects of tests: it has pytest and nothing else."""
    return environment.make(tmp_path_factory.mktemp("plain") / "env")


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A PostgreSQL server for all tests of this process."""
    why_not = postgres_server.missing()
    if why_not:
        pytest.skip(why_not)
    with postgres_server.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def logs(request: pytest.FixtureRequest, tmp_path: Path) -> EventLogs:
    """The event log over one back end; what a test says of it holds for each."""
    server = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return EventLogs(places_in(tmp_path), server)
