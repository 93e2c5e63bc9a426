"""Whether the order of a set may matter: in doubt it does."""

from __future__ import annotations

import ast
import collections
import types

import pytest

from treadle.plugins.behaviour.runners.orders import MOST_VALUES, hold_sets, makes_sets


@pytest.mark.parametrize(
    "text",
    [
        "x = {1, 2}",
        "x = {a for a in b}",
        "x = set(b)",
        "x = list(map(frozenset, b))",
        "x = hash(a) % 8",
        "x = sorted(b, key=id)",
        "x = a.__hash__()",
        "x = a.keys() & b",
        "x = b - a.items()",
        "x = a.keys()\nfor y in x & b: print(y)",
        "def f(a): return a.keys()",
        "import typing\ndef f(a: typing.Set[int]): return list(a)",
        "import weakref\nx = weakref.WeakSet()",
        "import networkx",
        "def f():\n    from yaml.nodes import Node",
    ],
)
def test_what_makes_sets_or_asks_for_hashes_may_hang_on_an_order(text: str) -> None:
    assert makes_sets(ast.parse(text), {"own"}.__contains__)


@pytest.mark.parametrize(
    "text",
    [
        "import json, os.path\nfrom collections import Counter\nx = {1: 2}",
        "import own.parts\nfrom own import part\nfrom . import other\nfrom .. import more",
        "x = a.keys() == b\nfor y in a.items(): print(y - 1)",
        "def settle(identity): return identity.ids",
    ],
)
def test_what_makes_none_does_not(text: str) -> None:
    assert not makes_sets(ast.parse(text), {"own"}.__contains__)


class Slots:
    __slots__ = ("parts",)

    def __init__(self, parts: object) -> None:
        self.parts = parts


def test_a_set_is_found_wherever_it_lies_among_values() -> None:
    around = types.SimpleNamespace(parts=[{"a": ({1},)}])
    assert hold_sets([around]) and hold_sets([{"a": frozenset()}]) and hold_sets([range(3), {(frozenset(),): 1}])
    assert hold_sets([list(range(10**6, 10**6 + 2 * MOST_VALUES))])
    assert hold_sets([Slots({1})]) and hold_sets([collections.deque([{1}])])
    around.parts = [around]
    assert not hold_sets([around])
    assert not hold_sets([types.SimpleNamespace(parts=[{"a": (1, "b")}]), set, collections.Counter("ab"), None])
