"""What can be told of a loop while it runs: that it never ends, or nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest


def looked_at(loop: str) -> str:
    """What a look at the loop of that name says."""
    command = [sys.executable, "-m", "tests.plugins.test_runs.endless_loops", loop]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@pytest.mark.parametrize(
    "loop", ["narrowing_down", "on_one_line", "in_a_circle", "with_a_count", "with_a_sum", "of_an_object"]
)
def test_a_loop_that_finds_everything_as_it_was_never_ends(loop: str) -> None:
    assert looked_at(loop).startswith("never ends")


@pytest.mark.parametrize(
    "loop",
    [
        "counting",
        "with_a_count_that_is_looked_at",
        "with_sums_of_one_another",
        "with_a_product",
        "with_a_count_that_another_is_made_of",
        "filling",
        "through_an_iterator",
        "writing_elsewhere",
        "by_the_clock",
        "by_a_hidden_clock",
        "by_a_property",
        "by_what_cannot_be_seen",
        "raising",
        "with_a_thread",
        "until_a_signal",
    ],
)
def test_nothing_is_said_of_a_loop_that_may_end_some_day(loop: str) -> None:
    assert looked_at(loop) == "nothing"
