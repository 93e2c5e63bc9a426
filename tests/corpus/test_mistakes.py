"""Each mistake is made as its name says, in one place."""

from __future__ import annotations

import itertools

import pytest

from tests.corpus.code_text import Code
from tests.corpus.mistakes import MAKERS, Maker
from tests.corpus.mistakes import excess as e
from tests.corpus.mistakes import functions as f
from tests.corpus.mistakes import missing as m
from tests.corpus.mistakes import operators as o
from tests.corpus.mistakes import values as v
from tests.corpus.mistakes import variables as n

LOOP = "def f(xs):\n    s = 0  # so far\n    for x in xs:\n        s += x\n    return s\n"
BRANCHES = (
    "def f(x):\n    if x < 0:\n        return 0\n"
    "    if x > 9:\n        x = 9\n    else:\n        x += 1\n    return x\n"
)
LEAVING = "def f(xs):\n    for x in xs:\n        if x:\n            print(x)\n    return 1\n"
TRYING = "def f(x):\n    try:\n        y = int(x)\n    except ValueError:\n        y = 0\n    return y\n"
CLASS = (
    "class A:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\n\n"
    "    def one(self):\n        return self.two() + self.a\n\n    def two(self):\n        return self.b\n"
)
MOVED = "def f(x, y):\n    x = y.strip()\n    z = x\n    return z\n"

EXAMPLES: list[tuple[Maker, str, str, str]] = [
    (v.number_of_another_unit, "x = t * 60  # s\n", "60", "3600"),
    (v.number_far_off, "x = t + 5\n", "5", "8"),
    (v.number_off_by_one, "x = t[1]\n", "1", "0"),
    (v.decimal_point_misplaced, "x = t * 0.5\n", "0.5", "5.0"),
    (v.string_misspelt, "x = 'north'\n", "north", "noth"),
    (v.string_in_another_case, "x = '%Y-%m'\n", "%Y-%m", "%y-%M"),
    (v.another_separator, "x = ', '.join(t)\n", "', '", "','"),
    (v.characters_forgotten, "x = 'aeiou'\n", "aeiou", "aeio"),
    (v.entries_exchanged, "x = {'a': 1, 'b': 2}\n", "1, 'b': 2", "2, 'b': 1"),
    (v.wrong_start, "best = float('-inf')\nx = None\n", "None", "0"),
    (v.wrong_default, "def f(x, n=1):\n    return x\n", "n=1", "n=0"),
    (v.wrong_result, "def f(x):\n    return []\n", "[]", "None"),
    (v.wrong_flag, "x = sorted(t, reverse=True)\n", "True", "False"),
    (o.boundary_counted_wrongly, "x = a < b\n", "<", "<="),
    (o.comparison_of_another_family, "x = a not in b\n", "not in", "in"),
    (o.arithmetic_of_another_family, "x = (a) // b\n", "//", "/"),
    (o.operands_exchanged, "x = (a + 1) - b\n", "(a + 1) - b", "b - (a + 1)"),
    (o.joined_the_other_way, "x = a and (b) and c\n", "(b) and", "(b) or"),
    (o.parentheses_forgotten, "x = (a + b) * c\n", "(a + b)", "a + b"),
    (o.parentheses_misplaced, "x = a + b * c\n", "a + b", "(a + b)"),
    (o.negated_too_much, "x = not a and b\n", "not a and b", "not (a and b)"),
    (o.condition_negated, "if a:\n    b()\n", "if a", "if not a"),
    (o.accumulated_wrongly, "x += (a)\n", "+=", "="),
    (o.sign_lost, "x = -a\n", "-a", "a"),
    (o.chain_broken, "x = 0 <= a < b\n", "<=", ">="),
    (n.another_name, "def f(a, b):\n    return a\n", "return a", "return b"),
    (n.loop_variables_mixed, "def f(a):\n    return [x for y in a for x in y]\n", "[x for", "[y for"),
    (n.same_one_twice, "def f(a, b):\n    return a - b\n", "a - b", "a - a"),
    (n.written_to_another, "def f(a, b):\n    b = a\n    return b\n", "b = a", "a = a"),
    (n.unpacked_in_another_order, "for k, v in t:\n    p(k)\n", "k, v", "v, k"),
    (n.raw_for_prepared, MOVED, "z = x", "z = y"),
    (n.container_for_item, LOOP, "s += x", "s += xs"),
    (n.another_attribute, CLASS, "+ self.a", "+ self.b"),
    (n.attribute_for_parameter, CLASS, "self.b = b", "self.b = self.b"),
    (n.indices_exchanged, "x = t[i][j + 1]\n", "i][j + 1", "j + 1][i"),
    (f.another_method, "x = t.lstrip('a')\n", "lstrip", "rstrip"),
    (f.another_function, "x = sorted(t, key=len)\n", "sorted", "list"),
    (f.another_of_the_file, CLASS.replace("+ self.a", "+ self.one(1)"), "self.one(1)", "self.two(1)"),
    (f.arguments_exchanged, "x = g(a, (b), c)\n", "a, (b)", "(b), a"),
    (f.argument_forgotten, "x = g(a, key=(b))\n", ", key=(b)", ""),
    (f.keyword_misused, "x = g(days=1)\n", "days", "hours"),
    (f.receiver_exchanged, "x = a.g(b)\n", "a.g(b)", "b.g(a)"),
    (f.call_forgotten, "x = a.g()\n", "g()", "g"),
    (f.arguments_misunderstood, "x = a.pop(0)\n", "pop(0)", "pop()"),
    (f.made_in_place, "x = sorted(a)\n", "sorted(a)", "a.sort()"),
    (m.statement_left_out, LOOP, "        s += x\n", "        pass\n"),
    (m.update_left_out, "def f(x):\n    while x:\n        y = x\n        x = 0\n", "        x = 0\n", ""),
    (m.guard_left_out, BRANCHES, "    if x < 0:\n        return 0\n", ""),
    (m.branch_left_out, BRANCHES, "    else:\n        x += 1\n", ""),
    (m.condition_left_out, LEAVING, "        if x:\n            print(x)\n", "        print(x)\n"),
    (m.part_of_condition_left_out, "x = a and (b or c)\n", "a and ", ""),
    (m.filter_left_out, "x = [a for a in b if (a)]\n", " if (a)", ""),
    (m.return_left_out, LOOP, "return s", "s"),
    (m.step_left_out, "x = a.strip().lower()\n", ".strip()", ""),
    (m.term_left_out, "x = (a + 1) * b\n", " + 1", ""),
    (m.bound_left_out, "x = a[1:n]\n", "[1:n]", "[1:]"),
    (m.fallback_left_out, "x = a.get(b, 0)\n", ".get(b, 0)", "[b]"),
    (m.handling_left_out, TRYING, TRYING[10:-13], "    y = int(x)\n"),
    (m.taken_out_of_block, "for x in a:\n    b(x)\n    c(x)\n", "    c(x)", "c(x)"),
    (m.decorator_left_out, "@g\ndef f():\n    return 1\n", "@g\n", ""),
    (e.term_too_many, "x = g(a)\n", "g(a)", "g(a) % 10"),
    (e.wrapped, "x = g(a)\n", "g(a)", "set(g(a))"),
    (e.prepared_too_much, "x = g(a)\n", "(a)", "(a[:-1])"),
    (e.condition_too_many, "def f(a):\n    if a.b:\n        g()\n", "a.b", "a.b and a != 1"),
    (e.filtered, "x = [a for a in b]\n", "in b", "in b if a"),
    (e.guarded, "def f(a):\n    return 1\n", "    return 1", "    if not a:\n        return a\n    return 1"),
    (e.left_too_early, LOOP, "        s += x\n", "        s += x\n        return s\n"),
    (e.done_twice, LOOP, "        s += x\n", "        s += x\n        s += x\n"),
    (e.set_back_in_loop, LOOP, "        s += x\n", "        s = 0\n        s += x\n"),
    (e.argument_changed, LOOP, "    s = 0", "    xs.sort()\n    s = 0"),
    (e.one_turn_too_few, LOOP, "in xs", "in xs[1:]"),
    (e.taken_into_block, LOOP, "    return s", "        return s"),
]


@pytest.mark.parametrize(("maker", "text", "old", "new"), EXAMPLES, ids=[maker.__name__ for maker, *_ in EXAMPLES])
def test_a_mistake_is_made_as_its_name_says(maker: Maker, text: str, old: str, new: str) -> None:
    assert text.count(old) == 1
    made = [edit.applied_to(text) for edit in maker(Code(text))]
    assert text.replace(old, new) in made


def test_each_mistake_has_an_example_and_a_name_of_its_own() -> None:
    assert [maker for maker, *_ in EXAMPLES] == list(itertools.chain.from_iterable(MAKERS.values()))
    names = [maker.__name__ for maker, *_ in EXAMPLES]
    assert len(set(names)) == len(names)


def test_texts_that_nobody_runs_are_left_alone() -> None:
    head = '"""What north is."""\n\n\ndef f(x: "north" = None) -> "north":\n    """The north of 60."""\n'
    text = head + '    return f"{x + 60}"\n'
    edits = [edit for kind in MAKERS.values() for maker in kind for edit in maker(Code(text))]
    assert {text[start:end] for start, end, _ in edits} == {"None", "", "return "}


def test_places_are_counted_in_characters() -> None:
    text = 'x = ["é", "größer"]; y = "süd" + a\n'
    made = [edit.applied_to(text) for edit in o.operands_exchanged(Code(text))]
    assert made == ['x = ["é", "größer"]; y = a + "süd"\n']
