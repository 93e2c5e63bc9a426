from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.slugify import slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Hello, World!", "hello-world"),
        ("  --already--a--slug--  ", "already-a-slug"),
        ("Don\u2019t stop", "dont-stop"),
        ("Cr\u00e8me br\u00fbl\u00e9e", "creme-brulee"),
        ("Stra\u00dfe \u00c6r\u00f8 \u0141\u00f3d\u017a \u0130stanbul \u0131s\u0131", "strasse-aero-lodz-istanbul-isi"),
        ("\ufb01nal \u2122 \u2460", "final-tm-1"),
        ("C++ & C#", "c-c"),
        ("a_b.c/d\\e", "a-b-c-d-e"),
        ("../../etc/passwd", "etc-passwd"),
        ("line\nbreak\ttab\0nul", "line-break-tab-nul"),
    ],
)
def test_titles(text: str, slug: str) -> None:
    assert slugify(text) == slug


def test_nothing_left_gives_the_fallback() -> None:
    assert slugify("\u4f60\u597d!", fallback="untitled") == "untitled"
    assert slugify("") == ""


@pytest.mark.parametrize(
    ("length", "slug"), [(1, "o"), (2, "on"), (3, "one"), (4, "one"), (6, "one"), (7, "one-two"), (99, "one-two-three")]
)
def test_a_limit_cuts_after_a_whole_word_where_one_fits(length: int, slug: str) -> None:
    assert slugify("One two THREE", max_length=length) == slug


def test_another_separator() -> None:
    assert slugify("a b", separator="_") == "a_b"


@pytest.mark.parametrize("separator", ["", "/", "--", "a", " "])
def test_a_separator_that_is_not_safe_is_refused(separator: str) -> None:
    with pytest.raises(ValueError, match="separator"):
        slugify("a b", separator=separator)


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="max_length"):
        slugify("a", max_length=0)


@given(st.text(max_size=60), st.none() | st.integers(1, 30))
def test_a_slug_is_safe_short_enough_and_its_own_slug(text: str, length: int | None) -> None:
    slug = slugify(text, max_length=length)
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", slug)
    assert length is None or len(slug) <= length
    assert slugify(slug, max_length=length) == slug
