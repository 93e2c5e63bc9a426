"""Which models are asked, in which order."""

from __future__ import annotations

import random

import pytest

from treadle.core.models.routing import Known, chain, wanted_size, worth_asking

OFFERED = (
    Known(name="a/large", size="large", usd=10.0),
    Known(name="a/medium", size="medium", usd=4.0),
    Known(name="b/medium", size="medium", usd=2.0),
    Known(name="c/medium", size="medium"),
    Known(name="local/unknown", usd=0.0),
    Known(name="a/small", size="small", usd=1.0),
)


@pytest.mark.parametrize(
    ("preset", "role", "step", "size"),
    [
        ("balanced", "coder", 0, "medium"),
        ("balanced", "summariser", 0, "small"),
        ("balanced", "coder", 1, "large"),
        ("balanced", "coder", 5, "large"),
        ("balanced", "coder", -1, "small"),
        ("fast", "coder", 0, "small"),
        ("fast", "coder", -3, "small"),
        ("best", "planner", 0, "large"),
        ("best", "tester", 0, "medium"),
        ("best", "a role of a plugin's own", 0, "small"),
    ],
)
def test_a_preset_a_role_and_a_step_make_a_size(preset: str, role: str, step: int, size: str) -> None:
    assert wanted_size(preset, role, step) == size  # type: ignore[arg-type]


def test_what_fits_comes_first_and_of_that_the_cheapest() -> None:
    offered = list(OFFERED)
    random.Random(3).shuffle(offered)
    assert chain(chosen=(), brought=(), offered=offered, wanted="medium") == (
        "b/medium",
        "a/medium",
        "c/medium",
        "a/large",
        "a/small",
        "local/unknown",
    )


def test_without_one_that_fits_the_next_larger_is_asked_before_a_smaller_one() -> None:
    two = (Known(name="s", size="small", usd=1.0), Known(name="l", size="large", usd=9.0))
    assert chain(chosen=(), brought=(), offered=two, wanted="medium") == ("l", "s")


def test_models_that_nobody_knows_are_asked_where_their_service_has_no_others_and_then_a_few() -> None:
    unknown = [Known(name=f"a/{n}") for n in range(100)]
    assert worth_asking([*unknown, OFFERED[0], *unknown]) == [OFFERED[0]]
    assert [each.name for each in worth_asking(unknown)] == ["a/0", "a/1", "a/2"]


def test_what_the_person_chose_is_all_that_is_asked() -> None:
    assert chain(chosen=("x/y", "a/small", "x/y"), brought=("p",), offered=OFFERED, wanted="large") == (
        "x/y",
        "a/small",
    )


def test_a_plugins_model_comes_before_what_services_offer() -> None:
    assert chain(chosen=(), brought=("p",), offered=OFFERED[:1], wanted="small") == ("p", "a/large")
