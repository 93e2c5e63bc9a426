"""Conditions: added to, replaced, fixed to one answer; guards; if-expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.made_conditions import made
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_TYPES = ("int", "str", "float", "list")
_KEPT_OFF = frozenset({"IndexError", "KeyError", "TypeError", "AttributeError", "ZeroDivisionError", "ValueError"})
_NO_PLACES = (ast.Constant, ast.UnaryOp, ast.Tuple)
"""Indices that a length is not asked about: what is known, counted from the end, or of several dimensions."""
MOST_JOINED = 40
"""Conditions that are tried as a second part of another."""


def _test_of(node: ast.AST) -> ast.expr | None:
    return node.test if isinstance(node, ast.If | ast.While | ast.IfExp) else None


def _conditions(site: Site) -> list[tuple[str, float]]:
    own = site.scope.conditions if site.scope else ()
    return [(c, 0.0) for c in own] + [(c, 0.4) for c in site.vocabulary.conditions if c not in own]


@FAMILY.operator("arms-swapped", cost=1.0, on=(ast.IfExp, ast.If), before="a if c else b", after="b if c else a")
def arms_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The two arms of an if-expression, or of an if with one statement in each, change places."""
    if isinstance(node, ast.IfExp):
        yield Edit(
            (site.splice_for(node.body, site.text(node.orelse)), site.splice_for(node.orelse, site.text(node.body)))
        )
    elif isinstance(node, ast.If) and len(node.body) == 1 and len(node.orelse) == 1:
        first, second = node.body[0], node.orelse[0]
        if site.is_elif(second) or "\n" in site.text(first) + site.text(second):
            return
        spans = site.file.span(first), site.file.span(second)
        yield Edit((Splice(*spans[0], site.text(second)), Splice(*spans[1], site.text(first))), 0.3)


@FAMILY.operator("arm-chosen", cost=1.7, on=(ast.IfExp,), before="a if c else b", after="a")
def arm_chosen(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An if-expression gives way to one of its arms."""
    assert isinstance(node, ast.IfExp)
    yield site.put(node, site.text(node.body))
    yield site.put(node, site.text(node.orelse))


@FAMILY.operator(
    "condition-fixed", cost=2.0, on=(ast.If, ast.While), before="if a:\n    b()", after="if True:\n    b()"
)
def condition_fixed(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A condition always holds, or never."""
    test = _test_of(node)
    assert test is not None
    yield site.put(test, "True")
    if isinstance(node, ast.If):
        yield site.put(test, "False")


@FAMILY.operator(
    "condition-replaced",
    cost=2.1,
    on=(ast.If, ast.While, ast.IfExp),
    before=("if a:\n    f()\nif b:\n    g()"),
    after="if b:\n    f()\nif b:\n    g()",
)
def condition_replaced(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A condition becomes another one of the file."""
    test = _test_of(node)
    assert test is not None
    for condition, extra in _conditions(site):
        if condition != site.text(test):
            yield site.put(test, condition, extra)


@FAMILY.operator(
    "condition-joined",
    cost=2.1,
    on=(ast.If, ast.While, ast.IfExp),
    before=("if a:\n    f()\nif b:\n    g()"),
    after="if a and b:\n    f()\nif b:\n    g()",
)
def condition_joined(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A condition is strengthened or weakened by another one of the file, or by a variable's truth."""
    test = _test_of(node)
    assert test is not None
    yield from _joined(site, test, 0.0)


@FAMILY.operator(
    "condition-guarded",
    cost=1.3,
    on=(ast.If, ast.While, ast.IfExp, ast.comprehension),
    before="if a.b is None:\n    f()",
    after="if a is None or a.b is None:\n    f()",
)
def condition_guarded(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Before something is asked of an object, whether it is None, empty or there at all is."""
    test = _test_of(node) or next(iter(getattr(node, "ifs", ())), None)
    if test is None:
        return
    for place, (guard, word) in enumerate(_guards_against(set(site.hints.raised), test, site)):
        yield site.put(test, f"{guard} {word} {site.grouped(test, 5 if word == 'and' else 4)}", min(0.02 * place, 0.2))
    inside = (n for n in ast.walk(test) if isinstance(n, ast.Attribute | ast.Subscript))
    asked = dict.fromkeys(n.value.id for n in inside if isinstance(n.value, ast.Name) and n.value.id != "self")
    later = 0.0 if {"AttributeError", "TypeError", "IndexError"} & set(site.hints.raised) else 0.7
    for name in asked:
        own, strong = site.grouped(test, 4), site.grouped(test, 5)
        yield site.put(test, f"{name} is None or {own}", later)
        yield site.put(test, f"{name} is not None and {strong}", later + 0.05)
        yield site.put(test, f"not {name} or {own}", later + 0.1)
        yield site.put(test, f"{name} and {strong}", later + 0.1)


def _guards_against(raised: set[str], test: ast.expr, site: Site) -> Iterator[tuple[str, str]]:
    """What has to be asked first, so that a condition does not raise what a failing test got."""
    for node in ast.walk(test):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            owner, key = site.text(node.value), site.grouped(node.slice, 8)
            if "KeyError" in raised:
                yield from ((f"{key} not in {owner}", "or"), (f"{key} in {owner}", "and"))
            if "IndexError" in raised and not isinstance(node.slice, _NO_PLACES):
                yield from ((f"{key} < len({owner})", "and"), (f"{key} >= len({owner})", "or"))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            if "ZeroDivisionError" in raised:
                divisor = site.grouped(node.right, 9)
                yield from ((f"{divisor} != 0", "and"), (f"{divisor} == 0", "or"))
        elif isinstance(node, ast.Compare) and "TypeError" in raised:
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Name | ast.Subscript | ast.Attribute):
                    yield from ((f"{site.text(side)} is None", "or"), (f"{site.text(side)} is not None", "and"))


@FAMILY.operator(
    "condition-joined-returned",
    cost=2.2,
    on=(ast.Return, ast.comprehension),
    before=("if a:\n    f()\nreturn b == c"),
    after="if a:\n    f()\nreturn b == c and a",
)
def condition_joined_returned(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A truth value that is returned, or the filter of a comprehension, is strengthened or weakened."""
    values = node.ifs if isinstance(node, ast.comprehension) else [getattr(node, "value", None)]
    for value in values:
        if isinstance(value, ast.Compare | ast.BoolOp | ast.Call):
            yield from _joined(site, value, 0.0)


def _joined(site: Site, test: ast.expr, extra: float) -> Iterator[Edit]:
    own = site.text(test)
    found = dict((*reversed(list(made(site))), *reversed(_conditions(site))))
    for condition, more in sorted(found.items(), key=lambda each: each[1])[:MOST_JOINED]:
        if condition == own:
            continue
        for word in ("and", "or"):
            level = 5 if word == "and" else 4
            looser = " or " in condition or " if " in condition
            new = f"({condition})" if looser and word == "and" else condition
            yield site.put(test, joined(site, site.grouped(test, level), word, new), extra + more)


def joined(site: Site, own: str, word: str, new: str) -> str:
    """A condition with a new part: in front, where a failing test got an exception that it may keep from coming."""
    return f"{new} {word} {own}" if _KEPT_OFF & set(site.hints.raised) else f"{own} {word} {new}"


@FAMILY.operator(
    "none-guard",
    cost=2.3,
    on=(ast.Attribute, ast.Subscript, ast.Call),
    before=("def f(a):\n    return a.b"),
    after="def f(a):\n    return a.b if a is not None else None",
)
def none_guard(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An expression that would fail on None or on something empty answers None, zero or empty instead."""
    assert isinstance(node, ast.Attribute | ast.Subscript | ast.Call)
    parent = site.parent(node)
    if isinstance(parent, ast.Attribute | ast.Subscript) or (isinstance(parent, ast.Call) and parent.func is node):
        return
    if not isinstance(parent, ast.Return | ast.Assign | ast.Call) or not isinstance(
        getattr(node, "ctx", ast.Load()), ast.Load
    ):
        return
    owner: ast.AST = node
    while isinstance(owner, ast.Attribute | ast.Subscript | ast.Call):
        owner = owner.func if isinstance(owner, ast.Call) else owner.value
    names = [owner.id] if isinstance(owner, ast.Name) else []
    if isinstance(node, ast.Call):
        names += [a.id for a in node.args if isinstance(a, ast.Name)]
    for name in dict.fromkeys(n for n in names if n in site.variables() and n != "self"):
        for place, other in enumerate(("None", "0", '""', "[]")):
            yield site.put(node, f"{site.text(node)} if {name} is not None else {other}", 0.1 * place)
            yield site.put(node, f"{site.text(node)} if {name} else {other}", 0.1 * place)


@FAMILY.operator("default-or", cost=1.5, on=(ast.Assign, ast.Return, ast.Call), before="a = b.c", after='a = b.c or ""')
def default_or(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value that is empty or None gives way to a default."""
    if isinstance(node, ast.Call):
        converted = isinstance(node.func, ast.Name) and node.func.id in ("int", "float") and len(node.args) == 1
        for place, default in enumerate(("0", "1") if converted and "ValueError" in site.hints.raised else ()):
            yield site.put(node.args[0], f"{site.grouped(node.args[0], 4)} or {default}", 0.05 * place)
        return
    value = getattr(node, "value", None)
    if isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        for place, default in enumerate(('""', "0", "[]", "{}", "None")):
            yield site.put(value, f"{site.text(value)} or {default}", 0.8 + 0.05 * place)


@FAMILY.operator("while-if", cost=1.5, on=(ast.If, ast.While), before="if a:\n    b()", after="while a:\n    b()")
def while_if(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`if` becomes `while`, and the other way round."""
    assert isinstance(node, ast.If | ast.While)
    start = site.file.span(node)[0]
    if isinstance(node, ast.While):
        yield Edit((Splice(start, start + 5, "if"),))
    elif not site.is_elif(node) and not (node.orelse and site.is_elif(node.orelse[0])):
        yield Edit((Splice(start, start + 2, "while"),), 0.2)


@FAMILY.operator(
    "elif-if",
    cost=1.7,
    on=(ast.If,),
    before=("if a:\n    f()\nelif b:\n    g()"),
    after="if a:\n    f()\nif b:\n    g()",
)
def elif_if(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`elif` becomes `if`, and an `if` after another becomes `elif`."""
    assert isinstance(node, ast.If)
    start = site.file.span(node)[0]
    if site.is_elif(node):
        yield Edit((Splice(start, start + 4, "if"),))
        return
    block = site.block_of(node)
    place = next((i for i, s in enumerate(block) if s is node), 0)
    if place and isinstance(block[place - 1], ast.If):
        yield Edit((Splice(start, start + 2, "elif"),), 0.1)


@FAMILY.operator(
    "filter-dropped", cost=1.8, on=(ast.comprehension,), before="[a for a in b if a]", after="[a for a in b]"
)
def filter_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A comprehension loses its filter."""
    assert isinstance(node, ast.comprehension)
    if len(node.ifs) == 1:
        start = site.file.grouped_span(node.iter)[1]
        yield Edit((Splice(start, site.file.grouped_span(node.ifs[0])[1], ""),))


@FAMILY.operator(
    "filter-added", cost=1.5, on=(ast.comprehension,), before="[a for a in b]", after="[a for a in b if a]"
)
def filter_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A comprehension gets a filter: an item's truth, or a condition of the file."""
    assert isinstance(node, ast.comprehension)
    if node.ifs:
        return
    end = site.file.grouped_span(node.iter)[1]
    parent = site.parent(node)
    element = getattr(parent, "elt", None)
    copies = isinstance(element, ast.Name) and isinstance(node.target, ast.Name) and element.id == node.target.id
    later = 0.0 if copies else 0.5  # one that only copies was hardly meant to
    names = [n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)]
    conditions = names + [f"not {n}" for n in names] + [f"{n} is not None" for n in names]
    conditions += [f"{n} > 0" for n in names] + [f"{n} != 0" for n in names]
    conditions += [f"isinstance({n}, {kind})" for n in names for kind in _TYPES]
    for place, condition in enumerate(conditions):
        yield Edit((Splice(end, end, f" if {condition}"),), later + min(0.05 * place, 0.4))
    for name in (n for n in names if site.loose_ends.kinds.get(n, "") in ("text", "")):
        sooner = 0.0 if "ValueError" in site.hints.raised else 0.4
        for place, test in enumerate(("isdigit", "isalpha", "isalnum", "strip")):
            yield Edit((Splice(end, end, f" if {name}.{test}()"),), sooner + 0.05 * place)
    others = [n for n in site.variables() if n not in (*names, "self", "cls")][:6]
    attributes = [a for a in site.vocabulary.attributes if a not in site.vocabulary.methods][:10]
    members = [
        f"self.{m}" for m in site.class_members() if m not in site.vocabulary.methods and "self" in site.variables()
    ]
    for name in names:
        for attribute in attributes:
            yield Edit((Splice(end, end, f" if {name}.{attribute}"),), later + 0.1)
            yield Edit((Splice(end, end, f" if not {name}.{attribute}"),), later + 0.1)
        for other in (*others, *members):
            for sign in ("not in", "in", "!=", "<=", "<", ">", ">="):
                yield Edit((Splice(end, end, f" if {name} {sign} {other}"),), later + 0.35)
