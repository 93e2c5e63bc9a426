"""What failing tests say of a repair, and what a function begins and does not go on with."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from treadle.core.records import Workspace
from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search import candidates
from treadle.plugins.generation.search.facts import unmoved_in_loop
from treadle.plugins.generation.search.hints import Hints, hints_of
from treadle.plugins.generation.search.loose_ends import loose_ends, unmoved_attributes, unset_attributes
from treadle.plugins.generation.search.operators import OPERATORS, Surroundings
from treadle.plugins.generation.search.source import load

TESTS = """
import pytest

def test_empty():
    with pytest.raises(OutOfRange, match="one at least"):
        take([])

def test_other():
    with pytest.raises(KeyError):
        take("not looked at")
"""
SOURCE = """
class Shelf:
    def __init__(self, size):
        self.sold = 0
        self._size = size

    def take(self, names, most, last):
        found, seen, count = [], set(), 0
        for name in names:
            seen.add(name)
            total = len(name)
        limit = None
        return found, count, most, limit, self.colour
"""


def edits(text: str, name: str, hints: Hints) -> list[tuple[float, str]]:
    file = load("m.py", text.encode())
    assert file is not None
    around = Surroundings(file, hints)
    (operator,) = (o for o in OPERATORS if o.name == name)
    sites = (site for s in candidates.statements(file.tree) for site in candidates.sites(around, s))
    found = (e for s in sites if isinstance(s.node, operator.kinds) for e in operator.propose(s.node, s))
    return sorted((edit.extra, edit.apply(text)) for edit in found)


def test_hints_are_of_the_failing_tests_alone(tmp_path: Path) -> None:
    (tmp_path / "test_m.py").write_text(TESTS)
    workspace = Workspace(id="w", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper="")
    failing = (
        TestResult(id="test_m.py::test_empty[x]", outcome="failed", exception="IndexError"),
        TestResult(id="test_m.py::test_gone", outcome="failed", exception="AssertionError"),
    )
    hints = hints_of(failing, Tree(workspace))
    named = frozenset({"pytest", "raises", "OutOfRange", "take"})
    assert hints == Hints((("OutOfRange", "one at least"),), ("IndexError",), ("one at least",), named)


def test_what_answers_are_compared_with_is_known_by_the_function(tmp_path: Path) -> None:
    compared = """
class TestCase:
    def test_all(self):
        assert largest([1]) == -1 and -1 == largest([]) and shop.largest([3, 9]) == "none of that length"
        assert pairs() == (1, 2)
        self.assertEqual(pairs(), [])
        assert found is None
"""
    (tmp_path / "test_m.py").write_text(compared)
    workspace = Workspace(id="w", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper="")
    hints = hints_of((TestResult(id="test_m.py::TestCase::test_all", outcome="failed"),), Tree(workspace))
    assert hints.compared == {"largest": {"number", "text"}, "pairs": {"tuple", "list"}}
    assert hints.answers == {"largest": ("-1",), "pairs": ("[]",)}


def test_an_answer_takes_the_form_that_tests_compare_with() -> None:
    text = "def f(a):\n    return [b for b in a]\n"
    tells = Hints(compared={"f": frozenset({"text"})})
    assert edits(text, "given-as-tests-expect", tells)[0][1] == text.replace(
        "[b for b in a]", '"".join([b for b in a])'
    )
    assert edits(text, "given-as-tests-expect", tells)[0][0] < edits(text, "given-as-tests-expect", Hints())[0][0]


def test_a_guard_answers_what_tests_wait_for_before_anything_else() -> None:
    text = "def f(a):\n    return g(a)\n"
    assert "        return -1\n" in edits(text, "early-return", Hints(answers={"f": ("-1",)}))[0][1]
    assert "        return -1\n" not in edits(text, "early-return", Hints())[0][1]


@pytest.mark.parametrize(
    ("body", "still"),
    [
        ("while a < b:\n    a += 1", ("b",)),
        ("while a:\n    a.pop()", ()),
        ("while a:\n    pop(a)", ()),
        ("while a > 0:\n    pop(a)", ("a",)),
        ("while a[0]:\n    a[0] -= 1", ()),
        ("while is_odd(a):\n    b = a", ("a",)),
    ],
)
def test_what_a_loop_leaves_as_it_is(body: str, still: tuple[str, ...]) -> None:
    file = load("m.py", body.encode())
    assert file is not None
    (loop,) = file.tree.body
    assert isinstance(loop, ast.While)
    assert unmoved_in_loop(file, loop) == still


def test_a_guard_raises_what_a_test_waits_for_before_anything_else() -> None:
    text = "def f(a):\n    return g(a)\n\n\ndef h(a):\n    raise KeyError(a)\n"
    first = edits(text, "raising-guard", Hints((("OutOfRange", "one at least"),)))[0][1]
    assert 'raise OutOfRange("one at least")' in first
    assert 'raise KeyError("a must be positive")' in edits(text, "raising-guard", Hints())[0][1]


def test_what_may_not_be_there_is_looked_up_with_a_default_sooner_after_a_key_error() -> None:
    sooner = edits("a = b[c]\n", "default-of-lookup", Hints(raised=("KeyError",)))
    later = edits("a = b[c]\n", "default-of-lookup", Hints())
    assert sooner[0][1] == later[0][1] == "a = b.get(c, 0)\n"
    assert sooner[0][0] < later[0][0]


def test_loose_ends_of_a_function_and_of_a_class() -> None:
    text = SOURCE.replace("found, seen, count = [], set(), 0", "found = []\n        seen = set()\n        count = 0")
    file = load("m.py", text.encode())
    assert file is not None
    (owner,) = (n for n in file.tree.body if isinstance(n, ast.ClassDef))
    (take,) = (n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "take")
    ends = loose_ends(take)
    assert set(ends.unread) == {"last", "total", "seen"}
    assert set(ends.unmoved) == {"count", "limit"}
    assert ends.unfilled == ("found",)
    assert (ends.kinds["found"], ends.kinds["seen"], ends.kinds["total"]) == ("list", "set", "number")
    assert list(unmoved_attributes(owner)) == ["sold"]
    assert unset_attributes(owner) == ("colour",)


def test_a_check_goes_last_and_what_stands_twice_first() -> None:
    text = "def f(a):\n    if a:\n        raise E\n    a.b()\n    c = g(a)\n    a.b()\n    return c\n"
    order = [after for _, after in edits(text, "statement-deleted", Hints())]
    assert order[0].count("a.b()") == 1
    assert "raise E" not in order[-1]
