"""Values brought into another form where they are used: by a call around them or a method of theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import facts
from treadle.plugins.generation.search.loose_ends import kind_of
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_WRAPPERS = (
    *("abs", "len", "sorted", "list", "set", "sum", "int", "str", "max", "min", "reversed", "tuple", "float", "round"),
)
_METHODS = (
    *("strip()", "lower()", "upper()", "copy()", "items()", "values()", "keys()", "split()", "sort()"),
    *("swapcase()", "title()", "capitalize()"),
)
_TWICE = (
    "tuple(sorted({}))",
    "sorted(set({}))",
    '"".join(sorted({}))',
    "list(set({}))",
    "len(set({}))",
    "sorted({}, reverse=True)",
    '"".join({})',
)
_MADE_OF = {
    "number": frozenset({"abs", "int", "str", "float", "round"}),
    "truth": frozenset({"int", "str"}),
    "text": frozenset(_WRAPPERS) - {"abs", "round", "sum"},
    "list": frozenset(_WRAPPERS) - {"abs", "round", "int", "float"},
    "set": frozenset(_WRAPPERS) - {"abs", "round", "int", "float", "reversed"},
    "dict": frozenset({"len", "sorted", "list", "set", "max", "min", "tuple"}),
}
"""What is made of a value of each kind; of one of which the text tells nothing, anything may be."""
_ASKED_OF = {
    "number": frozenset[str](),
    "truth": frozenset[str](),
    "text": frozenset({"strip()", "lower()", "upper()", "split()", "swapcase()", "title()", "capitalize()"}),
    "list": frozenset({"copy()", "sort()"}),
    "set": frozenset({"copy()"}),
    "dict": frozenset({"copy()", "items()", "values()", "keys()"}),
}
_TEXT_METHODS = frozenset(
    {"split", "title", "capitalize", "strip", "replace", "count", "startswith", "endswith", "index", "find", "isdigit"}
)
_CONVERSIONS = frozenset({"int", "str", "float", "list", "tuple"})
_OF_ALL = frozenset({"max", "min", "sum", "sorted", "list", "set", "any", "all", "tuple"})
_ONE_BY_ONE = frozenset({"zip", "enumerate", "map", "filter"})
"""Functions that go through their arguments."""
UNUSUAL, UNFIT = 0.6, 0.6
"""What it costs more where the place asks for nothing of the kind, and where the value is of a kind to which it is not
done."""


def is_gone_through(node: ast.AST, site: Site) -> bool:
    """Whether a loop goes through the value, or a function such as `zip` does."""
    parent = site.parent(node)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is node
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _ONE_BY_ONE


def _asked_for(node: ast.expr, site: Site) -> frozenset[str]:
    """The wrappers and methods that the place of a value asks for."""
    parent = site.parent(node)
    converted = _CONVERSIONS if "TypeError" in site.hints.raised else frozenset[str]()
    if is_gone_through(node, site):
        return converted | {"sorted", "reversed", "items()", "values()", "lower()", "upper()", "swapcase()", "split()"}
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "join":
        return converted | {"sorted", "reversed"}
    if isinstance(parent, ast.Assign | ast.Return):
        more = {"lower()", "strip()"} | ({"abs"} if isinstance(node, ast.BinOp) else set[str]())
        return converted | {"sorted", "copy()"} | more
    if isinstance(parent, ast.Compare):
        return converted | {"abs", "len", "lower()"}
    if isinstance(parent, ast.DictComp | ast.ListComp | ast.GeneratorExp | ast.SetComp):
        return converted | {"abs", "sorted", "lower()", "strip()"}
    if isinstance(parent, ast.Call):
        named = parent.func.id if isinstance(parent.func, ast.Name) else ""
        more = {"values()", "keys()", "items()"} if named in _OF_ALL else set[str]()
        return converted | {"abs", "sorted", "lower()", "strip()"} | more
    return converted


def _wrappable(node: ast.AST, site: Site) -> bool:
    parent = site.parent(node)
    if (isinstance(parent, ast.Call) and parent.func is node) or isinstance(parent, ast.Expr | ast.Attribute):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


@FAMILY.operator(
    "wrap-call",
    cost=1.7,
    on=(ast.Name, ast.Call, ast.Attribute, ast.BinOp, ast.Subscript, ast.ListComp, ast.Tuple),
    before=("f(a)"),
    after="f(abs(a))",
)
def wrap_call(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An expression is wrapped in abs, len, sorted, list, set, sum, int, str, ..., or kept from going below zero."""
    assert isinstance(node, ast.expr)
    text = site.grouped(node, 1)
    if not _wrappable(node, site) or len(text) > 60 or "\n" in text:
        return
    if isinstance(node, ast.Tuple) and isinstance(site.parent(node), ast.Subscript):
        return
    kind = kind_of(node, site.loose_ends.kinds)
    fit, asked_for = _MADE_OF.get(kind, frozenset(_WRAPPERS)), _asked_for(node, site)
    for place, name in enumerate(_WRAPPERS):
        seldom = 0.0 if name in asked_for else UNUSUAL
        yield site.put(node, f"{name}({text})", 0.03 * place + (seldom if name in fit else seldom + UNFIT))
    is_sized = kind not in ("", "number")
    yield site.put(node, f"max(0, {text})", UNUSUAL + 0.1 + UNFIT * is_sized)
    own = site.function.name if site.function else ""
    for name, (least, _) in list(site.vocabulary.functions.items())[:8]:
        calls_itself = name == own and site.function and name in site.around.once(facts.names_in, site.function)
        if least == 1 and (name != own or calls_itself):
            yield site.put(node, f"{name}({text})", 0.1 if calls_itself else UNUSUAL + 0.1)
    is_one = kind in ("number", "truth")
    for place, form in enumerate(_TWICE if not isinstance(node, ast.BinOp) else ()):
        yield site.put(node, form.format(text), UNUSUAL + 0.2 + 0.03 * place + UNFIT * is_one)


@FAMILY.operator(
    "method-added",
    cost=1.7,
    on=(ast.Name, ast.Call, ast.Attribute, ast.Subscript),
    before=("f(a)"),
    after="f(a.strip())",
)
def method_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`.strip()`, `.lower()`, `.copy()`, `.items()` or the like is called on an expression."""
    assert isinstance(node, ast.expr)
    if not _wrappable(node, site) or len(site.text(node)) > 60:
        return
    kind = kind_of(node, site.loose_ends.kinds)
    fit, asked_for = _ASKED_OF.get(kind, frozenset(_METHODS)), _asked_for(node, site)
    for place, method in enumerate(_METHODS):
        seldom = 0.0 if method in asked_for else UNUSUAL
        more = 0.05 * place + (seldom if method in fit else seldom + UNFIT)
        yield site.put(node, f"{site.grouped(node, 16)}.{method}", more)


@FAMILY.operator("method-before", cost=1.8, on=(ast.Name,), before="f(a.split())", after="f(a.lower().split())")
def method_before(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Before something is asked of a text, it is split, brought into lower case or freed of the space around it."""
    assert isinstance(node, ast.Name)
    parent = site.parent(node)
    if not isinstance(parent, ast.Attribute) or parent.attr not in _TEXT_METHODS:
        return
    if site.loose_ends.kinds.get(node.id, "") in ("text", ""):
        for place, method in enumerate(("strip()", "lower()", "split()", "upper()")):
            if method.removesuffix("()") != parent.attr:
                yield site.put(node, f"{node.id}.{method}", 0.05 * place)


@FAMILY.operator(
    "each-converted", cost=1.3, on=(ast.Call,), before="a, b = c.split()", after="a, b = map(int, c.split())"
)
def each_converted(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The parts of a text are made numbers of, or freed of the space around them."""
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("split", "rsplit", "groups"):
        return
    parent, text = site.parent(node), site.text(node)
    if isinstance(parent, ast.Assign) or is_gone_through(node, site):
        for place, made in enumerate(("int", "float", "str.strip")):
            new = f"map({made}, {text})"
            is_list = isinstance(parent, ast.Assign) and not isinstance(parent.targets[0], ast.Tuple)
            yield site.put(node, f"list({new})" if is_list else new, 0.1 * place)


@FAMILY.operator("collected", cost=1.2, on=(ast.GeneratorExp,), before="a = (b for b in c)", after="a = [b for b in c]")
def collected(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A generator becomes a list, which can be gone through more than once and compared."""
    text = site.text(node)
    if text.startswith("(") and not isinstance(site.parent(node), ast.Call):
        yield Edit((Splice(*site.file.span(node), f"[{text[1:-1]}]"),))
