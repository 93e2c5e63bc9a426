"""The scanner on labelled snippets: what is hostile is found, what is benign is let alone."""

from __future__ import annotations

import pytest

from tests.benchmarks.bench_scanner import is_within, table
from tests.scanning.labelled_set import Figures, benign, figures, hostile
from treadle.plugins.scanning.table import RULES


@pytest.fixture(scope="module")
def found() -> Figures:
    return figures(hostile(), benign())


def test_at_least_95_of_100_hostile_snippets_are_found_and_no_benign_one_is_refused(found: Figures) -> None:
    assert is_within(found), table("labelled", found)


def test_most_of_them_are_found_by_the_rule_that_is_meant_for_them(found: Figures) -> None:
    assert found.named >= 0.9, table("labelled", found)


def test_the_set_is_large_enough_and_its_labels_are_rules() -> None:
    bad, good = hostile(), benign()
    assert len(bad) >= 300 and len(good) >= 350
    assert len({snippet.name for snippet in (*bad, *good)}) == len(bad) + len(good)
    assert {rule for snippet in bad for rule in snippet.rules} <= set(RULES)
    assert len({rule for snippet in bad for rule in snippet.rules}) >= 40
