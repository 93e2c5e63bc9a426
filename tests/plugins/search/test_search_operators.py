"""The catalogue: every operator's example is its test, and every edit is a minimal splice."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.records import GenerateRequest, Lesson, Plan, Task, Workspace
from treadle.plugins.generation.search import candidates, ordering, search
from treadle.plugins.generation.search.hints import NONE, Hints
from treadle.plugins.generation.search.operators import OPERATORS, Surroundings
from treadle.plugins.generation.search.ordering import Proposals
from treadle.plugins.generation.search.settings import SearchSettings
from treadle.plugins.generation.search.source import Edit, Splice, load
from treadle.testing import Witness

SAMPLE = '''
"""A module."""
from math import floor

LIMIT = 3


class Box:
    """Holds things."""

    size = 2

    def __init__(self, items=[], *, name="box"):
        self.items = items  # shared on purpose
        self.name = name

    def take(self, count):
        if not self.items or (count < 0 and
                              count != LIMIT):
            raise KeyError(f"{self.name}: {count + 1}")
        first, *rest = self.items[count:-1]
        for index, item in enumerate(rest):
            if item == first: continue
            elif item is None:
                break
            else:
                yield item if index % 2 else -floor(item)
        return


def total(boxes, start=0):
    count = start
    while count < sum(len(b.items) for b in boxes if b):
        count += (1 + LIMIT) * 2
    try:
        return {b.name: max(b.items, key=len) for b in boxes}
    except (ValueError, TypeError):
        return None
'''


ODD = '''
def rows(table, *rest, key=lambda row: row[0], **others):
    first, *_ = table[:, 0], table[1:2, ..., None]
    table[0, 1:] = others[key(
        first)] = {**others, "k": [*rest]}[f"{key!r:>{len(rest)}}"]
    if (n := len(rest)) > 1j or not ... : return 1 .real, -table[-n:][n - 1,],
    del table[first, :], rest
    while n: n -= 1; yield (yield n)
    else: n = [a @ b for a, (b, *c) in zip(rest, *table) if a if b < c[0] != 2]
    match table:
        case [{"k": v, **o}, *_] if v: others |= o
        case _: pass


class Odd(dict, key=rows): size: int = 3; both = names = "a" """
b""", (lambda: b"")()
'''


def edits(text: str, name: str, most: int | None = None, hints: Hints = NONE) -> list[tuple[Edit, str]]:
    """An operator's edits of a text, or `most` of them from all over it."""
    file = load("sample.py", text.encode())
    assert file is not None
    around = Surroundings(file, hints)
    (operator,) = (o for o in OPERATORS if o.name == name)
    found = [
        edit
        for statement in candidates.statements(file.tree)
        for site in candidates.sites(around, statement)
        if isinstance(site.node, operator.kinds)
        for edit in operator.propose(site.node, site)
    ]
    step = max(1, len(found) // most) if most else 1
    return [(edit, edit.apply(file.text)) for edit in found[::step]]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_an_operators_example_is_true(operator):
    assert operator.after in [text for _, text in edits(operator.before, operator.name)]


OBJECTS = """
class Outer:
    def put(self, a, b):
        self.size += (a +  # both
                      b)

    def take(self, a, b):
        return a

    @staticmethod
    def apart(a, b):
        return b

    class Inner:
        def put(self, a, b):
            self.parts += a
"""


def test_what_is_taken_back_is_done_to_the_same_object_and_in_one_piece() -> None:
    found = [after for _, after in edits(OBJECTS, "taken-back")]
    assert found and all(ast.parse(after) for after in found)
    assert {after.count("apart(a, b):\n        return b") for after in found} == {1}
    assert {after.count("self.parts") for after in found} == {1}


def test_a_function_is_walked_no_oftener_for_being_long(monkeypatch):
    walk = ast.walk
    walked = []

    def counted(node):
        walked.extend([node] if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) else [])
        return walk(node)

    def walks(lines):
        body = "".join(
            f"        n{i} = a[i] + g(n{i - 1}, b)\n        for c{i} in self.d:\n            b.append(c{i}.e)\n"
            for i in range(1, lines + 1)
        )
        text = f"class A:\n    def f(self, a, b, i):\n        n0 = len(a)\n{body}        raise E\n"
        walked.clear()
        for operator in OPERATORS:
            edits(text, operator.name)
        return len(walked)

    monkeypatch.setattr(ast, "walk", counted)
    assert walks(2) == walks(4)


def test_operators_have_names_of_their_own_and_costs_in_the_range():
    names = [o.name for o in OPERATORS]
    assert len(names) == len(set(names)) >= 15
    assert all(0.5 <= o.cost <= 2.9 for o in OPERATORS)
    assert all(o.summary.endswith(".") for o in OPERATORS)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_edits_of_a_crowded_file_still_parse(operator):
    """A few may not (an `else` whose `if` has gone); those never reach a test run. Most must."""
    texts = [text for _, text in edits(SAMPLE, operator.name, 50)]
    broken = []
    for text in texts:
        try:
            ast.parse(text)
        except SyntaxError:
            broken.append(text)
    assert len(broken) <= len(texts) // 4, broken[0]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_odd_code_is_no_fault_of_an_operators(operator):
    hints = Hints(answers={"rows": ("0",)}, compared={"rows": frozenset({"list", "text", "truth", "tuple"})})
    for edit, _ in edits(ODD, operator.name, hints=hints):
        assert all(0 <= splice.start <= splice.end <= len(ODD) for splice in edit.splices)


def test_the_splices_of_an_edit_do_not_overlap_and_reach_over_few_lines():
    for operator in OPERATORS:
        for edit, _ in edits(SAMPLE, operator.name, 50):
            spans = sorted((s.start, s.end) for s in edit.splices)
            assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans)), operator.name
            assert sum(SAMPLE[start:end].count("\n") for start, end in spans) <= 10, operator.name


def test_line_endings_stay_as_they_are():
    text = SAMPLE.replace("\n", "\r\n")
    for operator in OPERATORS:
        for _, after in edits(text, operator.name, 50):
            assert after.count("\r\n") == after.count("\n"), operator.name


@pytest.mark.parametrize(
    ("before", "operator", "after"),
    [
        ("x = a and b\ny = c or d", "expression-of-file", "x = a and (c or d)\ny = c or d"),
        ("x = a * b // c", "off-by-one", "x = a * b // (c - 1)"),
        ("x = (a + b) * c", "one-side", "x = a * c"),
        ("x = not (a and b)", "not-dropped", "x = a and b"),
        ("x = -(a + b)", "sign", "x = a + b"),
        ("return (a or b) and c", "boolean-operand-dropped", "return a or b"),
        ("return not (a or b) or c", "guard-turned", "return (a or b) and c"),
    ],
)
def test_parentheses_come_and_go_as_the_place_needs_them(before, operator, after):
    texts = [text for _, text in edits(before, operator)]
    assert after in texts


@pytest.mark.parametrize(
    ("text", "operator", "never"),
    [
        ('def f(a):\n    return a["k"]', "index-to-slice", '[:"k"]'),
        ('def f(a):\n    return a["k"]', "next-of-series", '["k" - 1]'),
        ("def f(a, b):\n    return a, b", "wrap-call", "sorted(a, b)"),
        ("def f(a, b):\n    return a, b", "given-as-tests-expect", "str(a, b)"),
        ("def f(a):\n    g(a)\n    b = [0]\n    return b", "looked-up-early", "g(a)\n    if a < len(b):"),
        ("def f(a):\n    class B:\n        def g(self): pass\n    return h(a)", "done-in-one-case", "if g("),
        ("def f(a):\n    if a: pass", "break-continue", "continue"),
        ("def f(a):\n    for b in a:\n        if b: continue\n    g(a)", "guard-inserted", "\n    if b:"),
    ],
)
def test_what_can_only_fail_is_not_proposed(text: str, operator: str, never: str) -> None:
    found = [changed for _, changed in edits(text, operator)]
    assert not [changed for changed in found if never in changed]


def test_a_function_gets_a_decorator_that_its_neighbours_have():
    text = "@curry\ndef f(a):\n    return a\n\n\n@x.setter\ndef h(a): pass\n\n\ndef g(a):\n    return a\n"
    (after,) = (after for _, after in edits(text, "decorated"))
    assert after == text.replace("def g", "@curry\ndef g")


def test_a_decorator_of_a_neighbour_that_holds_its_name_gets_the_functions_own():
    text = "@on('add')\ndef add():\n    pass\n\n\ndef take():\n    pass\n"
    assert [after for _, after in edits(text, "decorated")] == [text.replace("def take", "@on('take')\ndef take")]


def test_a_function_that_stands_for_another_gets_its_looks():
    text = "import functools\n\n\ndef outer(f, n):\n    def inner(*a):\n        return f(*a, n)\n    return inner\n"
    assert [line for _, after in edits(text, "decorated") for line in after.splitlines() if "@" in line] == [
        "    @functools.wraps(f)"
    ]


@pytest.mark.parametrize("name", ["import-widened", "import-left-out"])
def test_names_that_come_by_another_way_are_not_imported(name):
    froms = "".join(f"from m{n} import a{n}\n" for n in range(10))
    drawn = "".join(f"w{n} = Widget{n}()\n" for n in range(40))
    assert not edits(f"from tkinter import *\n{froms}{drawn}", name)
    assert not edits(f"{froms}here = path(__file__, path=1)\n\n\ndef path(*a, **b):\n    return __spec__\n", name)
    assert len(edits(f"{froms}{drawn}", name)) <= 40, "so many unbound names are bound somehow"


def test_an_import_goes_where_imports_are():
    text = '"""Doc."""\nfrom __future__ import annotations\nfrom a import b\n\n\ndef f(x):\n    return Path(x)\n'
    first, second = (after for _, after in edits(text, "import-left-out"))
    assert first == text.replace("from a", "from pathlib import Path\nfrom a")
    assert second == text.replace("import b", "import b, Path")
    plain = "def f(x):\n    return json.dumps(x)\n"
    assert [after for _, after in edits(plain, "import-left-out")] == ["import json\n\n\n" + plain]


@pytest.mark.parametrize(
    ("operator", "text"),
    [
        ("field-written-otherwise", 'def f(a, b):\n    return f"{a[1:2]} {b:{a}.{b}f}\\N{EM DASH}"'),
        ("fields-exchanged", 'def f(a, b):\n    return f"{a[1:2]} {b} {a!r}"'),
        ("formatted-ends", 'def f(a, b):\n    return f"ä {a} xy {b!r} {{}}{b}\\n\\N{EM DASH}"'),
        ("optional-argument", "round(\n    a,\n)\nb.strip()\n[c.get(d,)]"),
        ("keyword-passed-on", "def f(a, b=0): ...\ndef g(a, b):\n    f(a,)\n    f(c for c in a)"),
        ("sibling-function", "a.append (b)\na.append(b for b in c)\na.insert(0, (b))"),
        ("key-keyword", "a.sort(reverse=True)\nsorted(\n    a,\n)"),
    ],
)
def test_an_edit_inside_a_call_or_a_formatted_string_parses(operator: str, text: str) -> None:
    assert all(ast.parse(after) for _, after in edits(text, operator))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sorted(a, key=True)", "sorted(a, reverse=True)"),
        ("from datetime import timedelta as t\nt(hours=1)", "from datetime import timedelta as t\nt(days=1)"),
        ("import json\njson.dumps(a, default=2)", "import json\njson.dumps(a, indent=2)"),
        (
            "class A:\n    def __init__(self, b, *, c=0): ...\nA(1, b=2)",
            "class A:\n    def __init__(self, b, *, c=0): ...\nA(1, c=2)",
        ),
        ("cached(default=key)", "cached(key=key)"),
        ("x.pack(fill=1)\ny.pack(side=2)", "x.pack(fill=1)\ny.pack(fill=2)"),
        (
            "def f(a, *, b=0): ...\nclass A:\n    def f(self, c): ...\nf(1, d=2)",
            "def f(a, *, b=0): ...\nclass A:\n    def f(self, c): ...\nf(1, b=2)",
        ),
        (
            "class A:\n    @staticmethod\n    def f(a): ...\n    def g(self): self.f(b=1)",
            "class A:\n    @staticmethod\n    def f(a): ...\n    def g(self): self.f(a=1)",
        ),
    ],
)
def test_a_keyword_becomes_one_that_is_taken(before: str, after: str) -> None:
    assert after in [text for _, text in edits(before, "keyword-renamed")]


def test_values_that_are_handed_over_by_name_change_places():
    assert "f(a, b=d, c=c)" in [text for _, text in edits("f(a, b=c, c=d)", "argument-swap")]


def test_a_long_call_has_no_more_swaps_for_each_argument_than_a_shorter_one():
    few, many = (edits(f"f({', '.join(f'a{i}={i}' for i in range(n))})", "argument-swap") for n in (40, 80))
    assert len(many) < 2.5 * len(few)


def test_behind_a_loop_what_is_put_stays_in_the_parentheses_of_the_call():
    text = "def f(a):\n    b = []\n    for c in a:\n        b.append(d for d in c)\n    return b"
    put = [after.splitlines()[4].strip() for _, after in edits(text, "done-after-loop")]
    assert put[0] == "b.append(d for d in c)" and "b.append(c)" in put and "b.appendc" not in put


def names_put(text: str, operator: str, at: str) -> list[str]:
    """What an operator puts in the place of this name, by what it costs."""
    found = [edit for edit, _ in edits(text, operator) if text[edit.splices[0].start : edit.splices[0].end] == at]
    return [edit.splices[0].text for edit in sorted(found, key=lambda edit: edit.extra)]


def test_an_attribute_becomes_first_one_of_the_same_value_and_one_that_is_called_where_it_is():
    text = "import m\nm.up(a.wrong)\nb.near\na.own\na.run()\nm.down()\n"
    assert names_put(text, "attribute", "wrong") == ["own", "run", "near"]
    assert names_put("a.far\ndef f(b, c):\n    b.near\n    c.wrong", "attribute", "wrong") == ["near", "far"]
    assert names_put(text, "attribute", "up") == ["down"], "what a module has is not what other things have"
    text = "def f(a: str, b):\n    b.pop()\n    b.strip()\n    a.up()\n    b.wrong"
    assert names_put(text, "attribute", "up") == ["strip", "pop"], "a text has no pop, and wrong is not called"


def test_a_variable_becomes_first_one_that_nobody_reads_then_one_of_its_kind_that_was_spoken_of_last():
    text = "def f(a, b):\n    lost = 1\n    one, two, kind = a[0], b, [1]\n    g(two)\n    h(one, kind)\n    return two"
    found = names_put(
        text.replace("return two", "return wrong").replace("two, kind", "wrong, kind"), "variable", "wrong"
    )
    assert found[0] == "lost" and found.index("one") < found.index("b")
    assert names_put("def f(wrong: int, a: int, b: str):\n    g(a)\n    g(b)\n    wrong", "variable", "wrong")[0] == "a"
    inner = "def f(a):\n    b = a\n    return [wrong + c for c in b]"
    assert names_put(inner, "variable", "wrong")[0] == "c", "what a comprehension goes through is spoken of there"


def test_a_block_is_indented_as_the_file_does_that():
    text = "def f(a):\n\treturn g(a)\n"
    assert text.replace("\tr", "\tif not a:\n\t\treturn None\n\tr") in [t for _, t in edits(text, "early-return")]


def test_a_variable_of_an_inner_function_is_not_that_of_the_outer_one_of_the_same_name():
    for parameter, unfilled in (("a", ()), ("b", ("a",))):
        file = load("sample.py", f"def f():\n    a = []\n    def g({parameter}): return len(a)\n    return g".encode())
        assert file is not None
        (inner,) = (node for node in ast.walk(file.tree) if getattr(node, "name", "") == "g")
        ends = Surroundings(file).loose_ends(inner)  # type: ignore[arg-type]
        assert ends.unfilled == unfilled and ends.kinds.get("a", "") == ("list" if unfilled else "")


def test_what_follows_a_case_is_its_other_case_where_both_change_the_same():
    text = "for a in b:\n    if a:\n        c[-1] = a\n    elif d:\n        c = d\n    c.append(a)\n"
    ((edit, after),) = edits(text, "rest-otherwise")
    assert after == text.replace("    c.app", "    else:\n        c.app") and edit.extra == 0.0


def test_a_generator_argument_keeps_the_parentheses_of_its_call():
    texts = [text for _, text in edits("a = 1\nsum(b for b in c)", "wrap-call")]
    assert all(ast.parse(text) for text in texts)


WORDS = st.sampled_from(["a", "b1", "größe", "x.y", "f(a)", "a[0]", "'ä'", "3", "(a + b)", "not a", "[a, b]", "a < b"])
JOINED = st.sampled_from([" + ", " and ", " == ", ", ", " if c else ", " - "])


@st.composite
def statements(draw):
    parts = [draw(WORDS)]
    for _ in range(draw(st.integers(0, 4))):
        parts += [draw(JOINED), draw(WORDS)]
    return "".join(parts)


@settings(max_examples=30, deadline=None)
@given(st.lists(statements(), min_size=1, max_size=4), st.sampled_from(["utf-8", "utf-8-sig", "latin-1"]))
def test_an_edit_of_any_text_leaves_every_byte_outside_of_it(lines, encoding):
    head = "# -*- coding: latin-1 -*-\r\n" if encoding == "latin-1" else ""
    content = (head + "".join(f"v{i} = {line}  # ü\r\n" for i, line in enumerate(lines))).encode(encoding)
    file = load("m.py", content)
    if file is None:
        return
    scores = dict.fromkeys(candidates.statements(file.tree), 1.0)
    for proposal in itertools.islice(Proposals(((file, scores),)), 80):
        patched = file.patched(proposal.edit)
        if patched is None:
            continue
        start = min(s.start for s in proposal.edit.splices)
        end = max(s.end for s in proposal.edit.splices)
        bom = 3 if encoding == "utf-8-sig" else 0
        plain = "latin-1" if encoding == "latin-1" else "utf-8"
        before, after = file.text[:start].encode(plain), file.text[end:].encode(plain)
        assert patched[: bom + len(before)] == content[: bom + len(before)]
        assert patched.endswith(after)
        assert patched[:bom] == content[:bom]


SCORES = (0.0, 0.1, 0.35, 0.5, 1.0)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_no_edit_costs_less_than_its_operator(operator) -> None:
    unread = "def total(a, b):\n    c = 0\n    for d in a:\n        c += d\n    return c\n"
    hints = Hints(
        expected=(("KeyError", ""),),
        raised=("AttributeError", "KeyError", "TypeError"),
        answers={"total": ("0", "None")},
        compared={"total": frozenset({"text"})},
    )
    for text in (operator.before, SAMPLE, unread):
        assert all(edit.extra >= 0 for edit, _ in edits(text, operator.name, hints=hints))


def all_then_sorted(files, lessons, brought):
    """Every proposal, made at once and then put in its order: each operator's by cost, site, place and text, and all of
    them with what the earlier ones of the same operator add."""
    discounts = ordering._discounts(lessons)
    found = [[] for _ in range(len(OPERATORS) + len(brought))]

    turn = 0

    def add(place, statement, number, operator, edit):
        cost = operator.cost - discounts.get(operator.name, 0.0) + edit.extra
        priority = round(cost - 2.0 * files[place][1][statement], 6)
        start, text = min(s.start for s in edit.splices), "\0".join(s.text for s in edit.splices)
        found[number].append((priority, turn, start, text, len(found[number]), (place, operator.name, edit)))

    for number, each in enumerate(brought, start=len(OPERATORS)):
        add(each.place, each.statement, number, each.operator, each.edit)
    for place, (file, scores) in enumerate(files):
        around = Surroundings(file)
        for statement in candidates.statements(file.tree):
            for site in candidates.sites(around, statement) if scores.get(statement) else ():
                turn += 1
                for number, operator in enumerate(OPERATORS):
                    if isinstance(site.node, operator.kinds):
                        for edit in operator.propose(site.node, site):
                            add(place, statement, number, operator, edit)
    in_all = []
    for number, own in enumerate(found):
        for before, each in enumerate(sorted(own, key=lambda each: each[:-1])):
            in_all.append(
                (round(each[0] + ordering.REPEATED_COST * math.log2(1 + before), 6), number, before, each[-1])
            )
    return [each[-1] for each in sorted(in_all, key=lambda each: each[:-1])]


@pytest.mark.parametrize(("turn", "with_lesson"), [(0, False), (3, True)])
def test_proposals_come_in_the_order_in_which_all_of_them_would_stand(turn: int, with_lesson: bool) -> None:
    raising = "def f(a):\n    if a < 1:\n        return ValueError(a)\n    return a\n"
    loaded = (load("m.py", SAMPLE.encode()), load("n.py", (raising + SAMPLE).encode()))
    files = tuple(
        (file, {each: SCORES[(n * 7 + turn) % 5] for n, each in enumerate(candidates.statements(file.tree))})
        for file in loaded
    )
    names = {id(file): place for place, file in enumerate(loaded)}
    lessons = (
        Lesson(id="1", signature="s", text="t", remedy="raise-return + comparison-neighbour", uses=2, successes=1),
    )
    lessons = lessons if with_lesson else ()
    statement = next(each for each, score in files[1][1].items() if score)
    own = dataclasses.replace(OPERATORS[0], name="brought", cost=1.0)
    brought = (candidates.Brought(1, statement, own, Edit((Splice(0, 1, "d"),))),)
    expected = all_then_sorted(files, lessons, brought)
    ordered = Proposals(files, lessons, brought)
    assert [(names[id(p.file)], p.operator.name, p.edit) for p in ordered] == expected
    counted = Proposals(files, lessons, brought)
    assert 50 <= counted.count(50) < len(expected)
    assert [(names[id(p.file)], p.operator.name, p.edit) for p in counted] == expected
    assert Proposals(files, lessons, brought).count(10**6) == len(expected)


def test_only_what_is_tried_is_proposed():
    file = load("m.py", SAMPLE.encode())
    found = list(candidates.statements(file.tree))
    ordered = Proposals(((file, {statement: 1.0 / (place + 1) for place, statement in enumerate(found)}),))
    next(iter(ordered))
    first = ordered.found
    assert 0 < first < ordered.count(10**6)


def test_an_edit_is_never_ranked_among_the_pairs_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    file = load("m.py", SAMPLE.encode())
    files = ((file, dict.fromkeys(candidates.statements(file.tree), 1.0)),)
    request = GenerateRequest(
        task=Task(id="t", kind="fix", project="/p", python="python"),
        plan=Plan(steps=(), checks=()),
        workspace=Workspace(id="w", kind="copy", project="/p", root="/p", upper=""),
        baseline=(),
    )
    one = search.Search(request, Witness(), SearchSettings(), ())
    every = [variant.rank for variant in one._singles(Proposals(files), [])]
    assert every[-1] > 9
    monkeypatch.setattr(search, "PAIRS_FROM", 9)
    kept: list[candidates.Proposal] = []
    assert [variant.rank for variant in one._singles(Proposals(files), kept)] == [rank for rank in every if rank < 9]
    assert min(variant.rank for variant in one._pairs(kept)) == 9
