"""Loops: what ends them, and what is left to do behind them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.loose_ends import is_empty
from treadle.plugins.generation.search.operators.made_conditions import nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.scope import in_loop
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_MOST_FED = 4
_MOST_LEFT_OVER = 8
_STEPS = ("-= 1", "+= 1", "//= 10", "//= 2")


@FAMILY.operator(
    "loop-moved",
    cost=0.6,
    on=(ast.While,),
    before="def f(a):\n    while a > 0:\n        g(a)",
    after="def f(a):\n    while a > 0:\n        g(a)\n        a -= 1",
)
def loop_moved(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A `while` whose body leaves what it waits for as it is gets a step to its end: one less, a tenth, the rest."""
    assert isinstance(node, ast.While)
    if site.function is None:
        return
    still = site.around.once(facts.unmoved_in_loop, node)
    waits_for = site.around.once(facts.names_in, node.test)
    later = 0.0 if len(still) == len(waits_for) else 0.5  # something else may end it
    ends = [(node.body[-1], 0.0), *((inner.body[-1], 0.15) for inner in node.body if isinstance(inner, ast.If))]
    for name in (n for n in still if n in site.variables()):
        for text, extra in _steps(name, node, site):
            for statement, more in ends:
                if edit := site.insert_after(statement, (text,), later + extra + more):
                    yield edit
            if edit := site.insert_before(node.body[0], (text,), later + extra + 0.3):
                yield edit


def _steps(name: str, node: ast.While, site: Site) -> Iterator[tuple[str, float]]:
    """Statements that give the name another value, the likeliest first."""
    kind = site.loose_ends.kinds.get(name, "")
    others = [n for n in dict.fromkeys((*site.around.once(facts.names_bound, node), *nearest(site))) if n != name]
    if kind in ("", "number"):
        used = site.around.once(facts.numbers, node)
        divided = [f"//= {n}" for n in used if n not in ("0", "1") and f"//= {n}" not in _STEPS]
        yield from ((f"{name} {step}", 0.05 * place) for place, step in enumerate((*_STEPS, *divided)))
        yield from ((f"{name} {sign} {n}", 0.3) for n in others[:4] for sign in ("//=", "-=", "+=", "*="))
    yield from ((f"{name} = {n}", 0.1 + 0.05 * place) for place, n in enumerate(others[:6]))
    for attribute in site.around.once(facts.attributes_by_name, site.function).get(name, ()) if site.function else ():
        yield f"{name} = {name}.{attribute}", 0.2
    if kind != "number":
        yield from ((f"{name}{rest}", 0.3) for rest in (".pop()", ".pop(0)", f" = {name}[1:]", f" = {name}[:-1]"))


@FAMILY.operator(
    "assigned-together",
    cost=1.2,
    on=(ast.Assign,),
    before="def f(a, b):\n    while b:\n        a = b\n    return a",
    after="def f(a, b):\n    while b:\n        a, b = b, a % b\n    return a",
)
def assigned_together(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a `while` waits for, and its body leaves as it is, is worked out together with what the body assigns."""
    assert isinstance(node, ast.Assign)
    loop = next((a for a in site.file.ancestors(node) if isinstance(a, ast.While)), None)
    if loop is None or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return
    one, value = site.text(node.targets[0]), site.text(node.value)
    for other in site.around.once(facts.unmoved_in_loop, loop):
        if other == one:
            continue
        for place, made in enumerate((f"{one} % {other}", f"{one} - {other}", f"{one} + {other}", f"{one} // {other}")):
            yield Edit((Splice(*site.file.span(node), f"{one}, {other} = {value}, {made}"),), 0.05 * place)


@FAMILY.operator(
    "kept-on",
    cost=1.3,
    on=(ast.Assign,),
    before='def f(a):\n    b = ""\n    for c in a:\n        b = c\n    return b',
    after='def f(a):\n    b = ""\n    for c in a:\n        b = b + c\n    return b',
)
def kept_on(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a loop gives another value in each turn, or a part of it, keeps what it had: by a sum, min or max."""
    assert isinstance(node, ast.Assign)
    if site.function is None or len(node.targets) != 1 or not in_loop(site.file, node):
        return
    for had, value in _had_before(node.targets[0], node.value, site):
        yield site.put(value, f"{had} + {site.grouped(value, 13)}")
        yield site.put(value, f"{site.grouped(value, 12)} + {had}", 0.05)
        yield site.put(value, f"{had} * {site.grouped(value, 14)}", 0.1)
        yield site.put(value, f"max({had}, {site.text(value)})", 0.15)
        yield site.put(value, f"min({had}, {site.text(value)})", 0.2)


def _had_before(target: ast.expr, value: ast.expr, site: Site) -> Iterator[tuple[str, ast.expr]]:
    """What a variable was begun with and its new value, or the parts of a tuple of which others are kept."""
    if isinstance(target, ast.Name) and site.function is not None:
        begun = site.around.once(facts.begun, site.function).get(target.id)
        if begun not in (None, value) and target.id not in site.around.once(facts.names_in, value):
            yield target.id, value
    elif isinstance(target, ast.Subscript) and isinstance(value, ast.Tuple):
        parts = [(f"{site.text(target)}[{place}]", part) for place, part in enumerate(value.elts)]
        if any(had == site.text(part) for had, part in parts):
            yield from ((had, part) for had, part in parts if had not in site.text(part))


@FAMILY.operator(
    "begun-anew",
    cost=1.6,
    on=(ast.Expr, ast.Assign, ast.AugAssign),
    before="def f(a):\n    b = []\n    for c in a:\n        g(b)\n    return b",
    after="def f(a):\n    b = []\n    for c in a:\n        g(b)\n        b = []\n    return b",
)
def begun_anew(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A loop that has used what it collects or counts begins that anew, with what it was begun with."""
    assert isinstance(node, ast.stmt)
    if site.function is None or not any(isinstance(a, ast.For | ast.While) for a in site.file.ancestors(node)):
        return
    begun = site.around.once(facts.begun, site.function)
    spoken = site.around.once(facts.names_in, node)
    for name, value in begun.items():
        if name in site.variables() and (isinstance(value, ast.Constant) or is_empty(value)):
            stored = name in site.around.once(facts.names_bound, node)
            if not stored and (
                edit := site.insert_after(node, (f"{name} = {site.text(value)}",), (name not in spoken) * 0.4)
            ):
                yield edit


@FAMILY.operator(
    "done-after-loop",
    cost=1.4,
    on=(ast.For, ast.While),
    before="def f(a):\n    b = []\n    for c in a[:-1]:\n        b.append(c)\n    return b",
    after="def f(a):\n    b = []\n    for c in a[:-1]:\n        b.append(c)\n    b.append(a[-1])\n    return b",
)
def done_after_loop(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a loop puts into a container, or adds to a sum, is put there once more behind it: again, or what is left."""
    assert isinstance(node, ast.For | ast.While)
    if site.function is None:
        return
    left_over = _left_over(node, site)
    seen: set[str] = set()
    for before, own, behind in site.around.once(container_facts.fed_in_loop, node)[:_MOST_FED]:
        receiver = _names_in(before)[0]
        for value, extra in ((own, 0.0), *left_over):
            put = f"{before}{value}{behind}"
            if value == receiver or put in seen:
                continue
            seen.add(put)
            names = [name for name in _names_in(put) if name != receiver and name in site.variables()]
            guards = [f"if {name}:" for name in names[:3]] + ([f"if {value} > 1:"] if value in names else [])
            for place, lines in enumerate(((put,), *((guard, f"    {put}") for guard in guards))):
                if edit := site.insert_after(node, lines, extra + 0.1 * place):
                    yield edit


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"[^\W\d]\w*", text)))


def _left_over(node: ast.For | ast.While, site: Site) -> list[tuple[str, float]]:
    """What may be left when a loop is over: what it changes, the last of what it goes through, what it waits for."""
    found = dict.fromkeys(site.around.once(facts.names_bound, node), 0.1)
    over = node.iter if isinstance(node, ast.For) else None
    inner = over.value if isinstance(over, ast.Subscript) else over
    if isinstance(inner, ast.Name | ast.Attribute):
        found[f"{site.text(inner)}[-1]"] = 0.1
    for name in nearest(site):
        found.setdefault(name, 0.3)
    return list(found.items())[:_MOST_LEFT_OVER]
