"""Limits that a plugin's own jobs may have."""

from __future__ import annotations

import math

import pytest

from treadle.core import reach
from treadle.core.records import Job, Limits


@pytest.mark.parametrize("limits", [Limits(wall_s=math.nan), Limits(cpu_s=-1), Limits(memory=0), Limits(processes=-3)])
def test_a_limit_that_is_none_is_refused(limits: Limits) -> None:
    with pytest.raises(ValueError, match="the job 'j' has the limit"):
        reach.bounded((Job(id="j", script="pass", limits=limits),), Limits())
