"""Fixtures for the search's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.search.search_driver import Project, Workers


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """The processes that run the jobs of all tests."""
    made = Workers()
    yield made
    made.close()


@pytest.fixture
def project(tmp_path: Path, workers: Workers) -> Project:
    """An empty project."""
    root = tmp_path / "project"
    root.mkdir()
    return Project(root, workers)
