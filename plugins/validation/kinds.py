"""The kinds of signals that models give: what they judge is no check of the project's own."""

from __future__ import annotations

REVIEW = "review"
WRITTEN_TESTS = "written tests"

BY_MODELS = frozenset({REVIEW, WRITTEN_TESTS})
