"""Definitions: defaults of parameters, mutable defaults, order of parameters, aliases instead of copies."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import FUNCTIONS, Edit, FunctionNode, Splice

FAMILY = Family()

MOST_BESIDE = 4
"""Decorators of neighbours that a function may get, the most frequent first."""
_OF_A_PROPERTY = (".setter", ".getter", ".deleter")
_EMPTY = {"[]", "{}", "set()", "list()", "dict()"}


@FAMILY.operator(
    "mutable-default",
    cost=1.2,
    on=FUNCTIONS,
    before=("def f(a=[]):\n    return a"),
    after="def f(a=None):\n    if a is None:\n        a = []\n    return a",
)
def mutable_default(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A default that all calls share becomes None, and a new one is made in each call."""
    assert isinstance(node, FUNCTIONS)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    documented = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
    first = node.body[1] if documented and len(node.body) > 1 else node.body[0]
    for argument, default in pairs:
        text = site.text(default)
        if text in _EMPTY:
            guard = site.insert_before(first, (f"if {argument.arg} is None:", f"    {argument.arg} = {text}"))
            if guard and first.lineno > node.lineno:
                yield Edit((site.splice_for(default, "None"), *guard.splices))


@FAMILY.operator(
    "parameters-swapped",
    cost=1.9,
    on=FUNCTIONS,
    before=("def f(a, b):\n    return a"),
    after="def f(b, a):\n    return a",
)
def parameters_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two neighbouring parameters without defaults change places."""
    assert isinstance(node, FUNCTIONS)
    plain = node.args.args[: len(node.args.args) - len(node.args.defaults)]
    for a, b in itertools.pairwise(plain):
        if a.arg not in ("self", "cls"):
            yield Edit((Splice(*site.file.span(a), site.text(b)), Splice(*site.file.span(b), site.text(a))))


@FAMILY.operator(
    "decorated",
    cost=1.7,
    on=FUNCTIONS,
    before="class A:\n    @property\n    def b(self):\n        return 1\n\n    def c(self):\n        return 2",
    after=(
        "class A:\n    @property\n    def b(self):\n        return 1\n\n"
        "    @property\n    def c(self):\n        return 2"
    ),
)
def decorated(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A function without a decorator gets one that its parameters speak of, or that functions beside it have."""
    assert isinstance(node, FUNCTIONS)
    parent = site.parent(node)
    if node.decorator_list or node.name.startswith("__"):
        return
    if isinstance(parent, FUNCTIONS):
        for form in _standing_for(node, parent, site):
            if edit := site.insert_before(node, (f"@{form}",)):
                yield edit
    if not isinstance(parent, ast.ClassDef | ast.Module):
        return
    forms = _spoken_of(node, site) if isinstance(parent, ast.ClassDef) else {}
    functions = (each for each in parent.body if isinstance(each, FUNCTIONS))
    beside = Counter(_as_of(node, each, site.text(d)) for each in functions for d in each.decorator_list)
    for form, _ in beside.most_common(MOST_BESIDE):
        if not form.endswith(_OF_A_PROPERTY):
            forms.setdefault(form, 0.2)
    for form, extra in forms.items():
        if edit := site.insert_before(node, (f"@{form}",), extra):
            yield edit


def _as_of(node: FunctionNode, other: FunctionNode, decorator: str) -> str:
    """The decorator of another function, where its arguments hold that one's name with this one's."""
    name, bracket, arguments = decorator.partition("(")
    return name + bracket + re.sub(rf"(?<![a-zA-Z0-9]){re.escape(other.name)}(?![a-zA-Z0-9])", node.name, arguments)


def _standing_for(node: FunctionNode, outer: FunctionNode, site: Site) -> Iterator[str]:
    """What has a function inside of another look like the one that the other is given, and that it calls."""
    wraps = next((form for form in ("wraps", "functools.wraps") if form.partition(".")[0] in site.vocabulary.bound), "")
    called = {n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    yield from (f"{wraps}({each.arg})" for each in outer.args.args if wraps and each.arg in called)


def _spoken_of(method: FunctionNode, site: Site) -> dict[str, float]:
    parameters = [a.arg for a in (*method.args.posonlyargs, *method.args.args)]
    if parameters == ["self"]:
        used = "@property" in site.file.text or "cached_property" in site.file.text
        return {"property": 0.0 if used else 0.4}
    if parameters[:1] == ["cls"]:
        return {"classmethod": 0.0}
    return {"staticmethod": 0.0} if parameters[:1] != ["self"] else {}


@FAMILY.operator(
    "copied", cost=1.8, on=(ast.Assign, ast.Return, ast.Yield, ast.Call), before="a = b", after="a = b.copy()"
)
def copied(node: ast.AST, site: Site) -> Iterator[Edit]:
    """What was another name for the same object becomes a copy of it."""
    values = list(node.args) if isinstance(node, ast.Call) else [getattr(node, "value", None)]
    for value in values:
        if isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
            text = site.text(value)
            extra = 0.2 if isinstance(node, ast.Call) else 0.0
            for place, form in enumerate((f"{text}.copy()", f"list({text})", f"{text}[:]", f"dict({text})")):
                yield site.put(value, form, extra + 0.05 * place)
