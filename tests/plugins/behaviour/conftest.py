"""A project whose jobs run, as the search's tests have it."""

from __future__ import annotations

from tests.plugins.search.conftest import project, workers  # noqa: F401 - fixtures
