"""Fixtures for the search's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.plugins.search.search_driver import Project
from treadle.core.records import Candidate


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    root = tmp_path / "project"
    root.mkdir()
    made = Project(root)
    yield made
    for context in made.contexts:
        context.close()


@pytest.fixture
def text_of() -> Callable[[Candidate], str]:
    """The new text of a candidate's only file."""

    def text(candidate: Candidate) -> str:
        (change,) = candidate.files
        assert change.content is not None
        return change.content.decode()

    return text
