"""How long a call of a stage may take."""

from __future__ import annotations

import pytest

from treadle.core.stage_call import StageCall


@pytest.mark.parametrize("in_all", [False, True])
def test_what_is_waited_for_counts_only_where_the_limit_is_for_all_of_it(in_all: bool) -> None:
    now = [0.0]
    call: StageCall[None] = StageCall("stop", lambda: None, 10.0, lambda: now[0], in_all=in_all)
    with call.waiting(100.0):
        now[0] = 50.0
        assert call.out_of_time() is in_all
    now[0] = 55.0
    assert call.out_of_time() is in_all
