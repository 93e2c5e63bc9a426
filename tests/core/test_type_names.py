"""Types as authors are told them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from treadle.core import type_names
from treadle.core.contributions import SPOKEN
from treadle.core.hook_types import hook_types


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("model", "a ModelReply or a ModelFailure"),
        ("provider", "an Offer"),
        ("token count", "an int"),
        ("skill", "a str"),
        ("operator", "a tuple of tuple of Change"),
        ("scan rule", "a tuple of Hit"),
    ],
)
def test_what_is_due_of_a_contribution_has_a_short_name(kind: str, said: str) -> None:
    assert type_names.due(SPOKEN[kind].answers) == said


def test_no_name_of_a_module_is_told_of_any_hook() -> None:
    told = {name: type_names.due(hook.answer) for name, hook in hook_types().items()}
    assert told["treadle_scan"] == "a tuple of Finding or None"
    assert told["treadle_contributions"].endswith("ScanRule, Command or Panel or None")
    assert not [each for each in told.values() if "." in each or "|" in each or "[" in each]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "nothing"),
        (True, "a bool"),
        (b"x", "bytes"),
        ({}, "an empty dict"),
        ({"a": 1}, "a dict with a"),
        (dict.fromkeys("abcdefgh", 1), "a dict with a, b, c, d, e, f, ..."),
        ([], "an empty list"),
        ([1, "a", 2], "a list of int and str"),
    ],
)
def test_what_came_is_named_by_its_type(value: object, said: str) -> None:
    assert type_names.given(value) == said


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (int, "x", "due is an int, and a str came"),
        (
            list[int],
            [1, "x"],
            "due is a list of int, and a list of int and str came: Expected `int`, got `str` - at `$[1]`",
        ),
    ],
)
def test_where_the_trouble_is_stands_behind_what_came(kind: Any, value: object, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(value, kind)
    assert type_names.mismatch(kind, value, raised.value) == said
