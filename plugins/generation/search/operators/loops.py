"""Loops: what ends them, and what is left to do behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.operators.made_conditions import nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit

FAMILY = Family()

_STEPS = ("-= 1", "+= 1", "//= 10", "//= 2")


@FAMILY.operator(
    "loop-moved",
    cost=0.9,
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
    later = 0.0 if len(still) == len(waits_for) else 0.2  # something else may end it
    for name in (n for n in still if n in site.variables()):
        for text, extra in _steps(name, node, site):
            for place in ((node.body[-1], True), (node.body[0], False)):
                statement, behind = place
                insert = site.insert_after if behind else site.insert_before
                if edit := insert(statement, (text,), later + extra + (0.0 if behind else 0.3)):
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
    "done-after-loop",
    cost=1.5,
    on=(ast.For, ast.While),
    before="def f(a):\n    b = []\n    for c in a[:-1]:\n        b.append(c)\n    return b",
    after="def f(a):\n    b = []\n    for c in a[:-1]:\n        b.append(c)\n    b.append(a[-1])\n    return b",
)
def done_after_loop(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a loop puts into a container, or adds to a sum, is put there once more behind it: what is left over."""
    assert isinstance(node, ast.For | ast.While)
    if site.function is None:
        return
    left_over = _left_over(node, site)
    for receiver in site.around.once(facts.fed_in_loop, node):
        for value, extra in left_over:
            if receiver.split(maxsplit=1)[0].split(".")[0] == value:
                continue
            put = f"{receiver}({value})" if receiver.endswith(("append", "add")) else f"{receiver} {value}"
            guards = () if "[" in value else (f"if {value}:", f"if {value} > 1:")
            for lines, more in (((put,), 0.0), *(((g, f"    {put}"), 0.1 + 0.1 * n) for n, g in enumerate(guards))):
                if edit := site.insert_after(node, lines, extra + more):
                    yield edit


def _left_over(node: ast.For | ast.While, site: Site) -> list[tuple[str, float]]:
    """What may be left when a loop is over: what it changes, the last of what it goes through, what it waits for."""
    found = dict.fromkeys(site.around.once(facts.names_bound, node), 0.0)
    over = node.iter if isinstance(node, ast.For) else None
    inner = over.value if isinstance(over, ast.Subscript) else over
    if isinstance(inner, ast.Name | ast.Attribute):
        found[f"{site.text(inner)}[-1]"] = 0.0
    for name in nearest(site):
        found.setdefault(name, 0.2)
    return list(found.items())[:8]
