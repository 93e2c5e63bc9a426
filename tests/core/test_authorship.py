"""Names of operators that could be taken for something else in the `remedy` of a change."""

from __future__ import annotations

import pytest

from treadle.core.contributions import Operator, problems


@pytest.mark.parametrize("name", ["a + b", "given", "model"])
def test_no_operator_is_called_what_its_maker_could_not_be_told_by(name: str) -> None:
    (told,) = problems((Operator(name=name, summary="s"),), answers_calls=True)
    assert "give it another name" in told
    assert not list(problems((Operator(name="a+b", summary="s"),), answers_calls=True))
