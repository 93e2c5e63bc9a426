"""Slips of the pen in the code of a reply."""

from __future__ import annotations

import pytest

from treadle.core.replies.slips import without_slips

CODE = 'def f(a):\n    if a <= "b" and a >= "a":\n        return a\n'


@pytest.mark.parametrize(
    "slipped",
    [
        CODE.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;"),
        CODE.replace('"b"', "\u201cb\u201d"),
        "".join(f" {line}\n" for line in CODE.splitlines()),
        "".join(f"{n:3} | {line}\n" for n, line in enumerate(CODE.splitlines(), 1)),
        CODE.replace("<", "&lt;").replace('"b"', "\u201cb\u201d"),
    ],
)
def test_what_is_python_but_for_slips_is_taken_without_them(slipped: str) -> None:
    assert without_slips(slipped) == CODE


def test_so_is_what_stands_in_a_class() -> None:
    within = "".join(f"    {line}\n" for line in CODE.splitlines())
    assert without_slips(within.replace('"b"', "\u201cb\u201d")) == within
    assert without_slips(within) == within


@pytest.mark.parametrize("text", ['x = "&lt; \u201c\u00a0"\n', "def (:\n    \u201cx\u201d\n", "1 | 2\n"])
def test_python_and_what_is_none_in_any_way_stay_as_they_are(text: str) -> None:
    assert without_slips(text) == text
