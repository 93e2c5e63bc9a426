"""What a later text takes back of what an earlier one had changed."""

from __future__ import annotations

import pytest

from treadle.core.replies.undone import undone
from treadle.core.tree.bound_names import body_of

FIRST = "class A:\n    a = 1\n\n    def f(self):\n        return 1\n\n\ndef g():\n    return 1\n"


@pytest.mark.parametrize(
    ("between", "back"),
    [
        (FIRST.replace("a = 1", "a = 2"), {"A.a"}),
        (FIRST.replace("self):\n        return 1", "self):\n        return 2"), {"A.f"}),
        (FIRST.replace("class A", "class A(B)"), {"A"}),
        (f"class B:\n    pass\n\n\n{FIRST}", {"B"}),
        (FIRST.replace("def g():\n    return 1", "def g():\n    return 2"), set()),
        (FIRST, set()),
    ],
    ids=["constant", "method", "base", "new", "changed again", "nothing"],
)
def test_what_is_as_it_was_at_first_is_taken_back(between: str, back: set[str]) -> None:
    now = FIRST.replace("def g():\n    return 1", "def g():\n    return 3")
    texts = [body_of(text) or () for text in (FIRST, between, now)]
    assert undone(*texts) == back
    assert undone(*texts, among=["A.f", "B"]) == back & {"A.f", "B"}
