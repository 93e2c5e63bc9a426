"""Functions that call themselves: what they hand on, what they join what comes back with, and with which items."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.loose_ends import kind_of
from treadle.plugins.generation.search.operators.made_conditions import nearest
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.operators.wrapping import is_gone_through
from treadle.plugins.generation.search.scope import called_name
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_SMALLER = {
    "number": ("{} - 1", "{} // 2", "{} // 10", "{} - 2"),
    "text": ("{}[1:]", "{}[:-1]", "{}[1:-1]"),
    "list": ("{}[1:]", "{}[:-1]"),
    "": ("{}[1:]", "{} - 1", "{}[:-1]", "{} // 2"),
}
_NOT_ENDLESS = 0.7
_MOST_ITEMS = 5


def _calls_itself(node: ast.AST, site: Site) -> bool:
    name = site.function.name if site.function else ""
    if not isinstance(node, ast.Call) or not name:
        return False
    called = called_name(node)
    return called == name


@FAMILY.operator(
    "less-handed-on",
    cost=1.1,
    on=(ast.Call,),
    before="def f(a):\n    return f(a)",
    after="def f(a):\n    return f(a[1:])",
)
def less_handed_on(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function that calls itself with a parameter as it is hands on less of it."""
    assert isinstance(node, ast.Call)
    if not _calls_itself(node, site) or site.scope is None:
        return
    later = 0.0 if "RecursionError" in site.hints.raised else _NOT_ENDLESS
    for argument in node.args:
        if isinstance(argument, ast.Name) and argument.id in site.scope.parameters:
            forms = _SMALLER.get(site.loose_ends.kinds.get(argument.id, ""), ())
            for place, form in enumerate(forms):
                yield site.put(argument, form.format(argument.id), later + 0.05 * place)


@FAMILY.operator(
    "called-once-more",
    cost=1.6,
    on=(ast.Call,),
    before="def f(a):\n    return f(a - 1)",
    after="def f(a):\n    return f(a - 1) + f(a - 2)",
)
def called_once_more(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What a function gets from itself is joined with what it gets for another argument: the next, or as it is."""
    assert isinstance(node, ast.Call)
    if not _calls_itself(node, site) or len(site.text(node)) > 60:
        return
    own, start = site.text(node), site.file.span(node)[0]
    for place, argument in enumerate(node.args):
        if not isinstance(argument, ast.BinOp):
            continue
        begin, end = (at - start for at in site.file.grouped_span(argument))
        for more, other in enumerate((site.moved(argument, -1), site.text(argument.left))):
            again = f"{own[:begin]}{other}{own[end:]}"
            yield site.put(node, f"{own} + {again}", 0.05 * place + 0.1 * more)
            yield site.put(node, f"{again} + {own}", 0.1 + 0.05 * place + 0.1 * more)
            around = site.parent(site.parent(node) or node)
            if isinstance(around, ast.ListComp) and is_gone_through(node, site):
                yield site.put(around, f"{site.text(around)} + {again}", 0.1 * more)


@FAMILY.operator(
    "item-joined",
    cost=1.7,
    on=(ast.BinOp, ast.Name, ast.Call),
    before="def f(a, b: list, c: list):\n    return b + c",
    after="def f(a, b: list, c: list):\n    return b + [a] + c",
)
def item_joined(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A list that is given back or put away gets one more item: before, behind, or between its parts."""
    assert isinstance(node, ast.expr)
    parent = site.parent(node)
    is_put = (
        isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in ("append", "add") and parent.args == [node]
    )
    if site.function is None or not (isinstance(parent, ast.Return) or is_put) or not _may_be_list(node, site):
        return
    kinds = site.loose_ends.kinds
    names = [name for name in nearest(site) if kinds.get(name, "") not in ("list", "set", "dict")]
    items = [text for text in site.around.once(container_facts.items, site.function) if len(text) < 20][:2]
    text = site.grouped(node, 12)
    for place, item in enumerate((*items, *(name for name in names if name != site.text(node)))):
        if place == _MOST_ITEMS:
            return
        yield site.put(node, f"[{item}] + {text}", 0.1 * place)
        yield site.put(node, f"{text} + [{item}]", 0.05 + 0.1 * place)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            end = site.file.grouped_span(node.left)[1]
            yield Edit((Splice(end, end, f" + [{item}]"),), 0.1 * place)


def _may_be_list(node: ast.expr, site: Site) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and (_may_be_list(node.left, site) or _may_be_list(node.right, site))
    if isinstance(node, ast.Call) and _calls_itself(node, site):
        compared = site.hints.compared.get(site.function.name, frozenset()) if site.function else frozenset[str]()
        return "list" in compared
    kind = kind_of(node, site.loose_ends.kinds)
    itself = site.function is not None and site.function.name in site.around.once(facts.names_in, site.function)
    return kind == "list" or (not kind and isinstance(node, ast.Name) and itself)
