"""What a job leaves comes back up to a limit for all of it, and what does not is told."""

from __future__ import annotations

import sys

import pytest

from treadle.sandbox import Limits, Policy, Result, run

MB = 1 << 20
LIMITS = Limits.tier("quick", file_size=200 * MB, disk=300 * MB)


def left(sizes: dict[str, int], without: str = "") -> Result:
    source = f"""
import os
for name, size in {sizes}.items():
    open(os.environ["TREADLE_JOB"] + "/" + name, "wb").truncate(size)
"""
    policy = Policy(without=frozenset({without} - {""}))
    return run([sys.executable, "-c", source], policy=policy, limits=LIMITS, collect=("a", "b", "none", "c"))


@pytest.mark.parametrize("without", ["", "mountns"])
def test_all_that_fits_comes_back_and_the_rest_is_told(without: str) -> None:
    result = left({"a": 40 * MB, "b": 24 * MB + 1, "c": 24 * MB}, without)
    assert (result.verdict, {name: len(content) for name, content in result.files.items()}) == (
        "ok",
        {"a": 40 * MB, "c": 24 * MB},
    )
    assert result.message == "more than the 64 MB that come back of one job's files; left out: b"


def test_no_word_is_lost_on_what_is_not_there() -> None:
    result = left({"a": 1})
    assert (result.files, result.message) == ({"a": b"\0"}, "")
