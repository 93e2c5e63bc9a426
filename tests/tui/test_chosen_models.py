"""What a person says of the models that are asked."""

from __future__ import annotations

import pytest

from treadle.core.errors import UsageError
from treadle.tui.chosen_models import model_settings


@pytest.mark.parametrize("given", ["claude-sonnet-5-5", "claude-sonet-5-5", "coder=claude-sonnet-5-5"])
def test_a_model_without_its_provider_is_told_with_the_one_that_was_meant(given: str) -> None:
    with pytest.raises(UsageError, match=r"as PROVIDER/MODEL; did you mean 'anthropic/claude-sonnet-5-5'\?"):
        model_settings((given,))


def test_what_is_like_no_model_is_told_without() -> None:
    with pytest.raises(UsageError, match="as PROVIDER/MODEL; `treadle models` lists them"):
        model_settings(("foo",))
