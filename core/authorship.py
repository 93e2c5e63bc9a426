"""Who made a candidate, and who judged it: the words by which stages know each other's work.

They are plain values, so a plugin that takes the place of a built-in one says the same words.
"""

from __future__ import annotations

GIVEN = "given"
"""The `remedy` of a candidate that the person gave: nothing else will come from where it came."""
BY_MODEL = "model"
"""The `remedy` of a candidate that a language model wrote."""
AND = " + "
"""Between the operators in the `remedy` of a candidate that a search made by several."""

REVIEW = "review"
"""The `kind` of a signal in which a model that has read the change says what it thinks."""
WRITTEN_TESTS = "written tests"
"""The `kind` of a signal of the tests that a model wrote for the task."""
JUDGED_BY_MODELS = frozenset({REVIEW, WRITTEN_TESTS})
"""The kinds of signals that are no check of the project's own."""
