"""Names that a function binds and never reads: something was meant to be done with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search import container_facts, facts
from treadle.plugins.generation.search.loose_ends import SIZED
from treadle.plugins.generation.search.operators.conditions import joined
from treadle.plugins.generation.search.operators.made_conditions import as_others
from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_FILTERS = ("{0} in {1}", "{0} not in {1}", "{1}[{0}] == 1", "{1}[{0}] > 1", "{1}[{0}]", "{1}({0})")
"""What an item of a comprehension, {0}, is asked of something that nobody reads, {1}."""

_VALUES = (ast.Name, ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.Constant)


def _unread(site: Site) -> tuple[str, ...]:
    """The unread names that have a value at the place."""
    unread = site.loose_ends.unread
    known = site.variables() if unread else ()
    return tuple(name for name in unread if name in known)


def _is_value(node: ast.AST, site: Site) -> bool:
    """Whether another value could stand in the node's place."""
    parent = site.parent(node)
    if isinstance(parent, ast.Expr | ast.Attribute | ast.JoinedStr | ast.FormattedValue | ast.FunctionDef):
        return False
    if isinstance(parent, ast.Call) and parent.func is node:
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


@FAMILY.operator(
    "unread-instead",
    cost=0.8,
    on=_VALUES,
    before="def f(a, b):\n    return a + a",
    after="def f(a, b):\n    return a + b",
)
def unread_instead(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read takes the place of a value."""
    if _is_value(node, site):
        for name in _unread(site):
            yield site.put(node, name, 0.0 if isinstance(node, ast.Name) else 0.5)


@FAMILY.operator(
    "unread-joined",
    cost=1.3,
    on=_VALUES,
    before="def f(a, b):\n    return g(a)",
    after="def f(a, b):\n    return g(a + b)",
)
def unread_joined(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read is added to a value, taken from it, multiplied, compared by min and max, looked up."""
    assert isinstance(node, ast.expr)
    if not _is_value(node, site) or isinstance(site.parent(node), ast.Subscript):
        return
    for name in _unread(site):
        kind = site.loose_ends.kinds.get(name, "")
        ways = [_with_number if kind in ("", "number") else _with_text] if kind != "truth" else []
        ways += [_with_items] if kind in ("list", "set") else []
        for way in (*ways, _as_item, _made_alike, _looked_up):
            yield from (site.put(node, text, extra) for text, extra in way(name, node, site))


def _with_number(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    text, factor = site.text(node), site.grouped(node, 13)
    yield f"{site.grouped(node, 12)} + {name}", 0.0
    yield f"{site.grouped(node, 12)} - {name}", 0.05
    yield f"{factor} * {name}", 0.1
    yield f"{name} - {factor}", 0.1
    yield f"min({text}, {name})", 0.1
    yield f"max({text}, {name})", 0.15
    yield f"{factor} % {name}", 0.2
    yield f"{factor} // {name}", 0.25
    yield f"{name} / {site.grouped(node, 14)}", 0.3
    for number in site.around.once(facts.numbers, site.function) if site.function else ():
        if len(number) > 1:  # a percentage, of a hundred
            yield f"{factor} * ({number} + {name})", 0.2
            yield f"{factor} * ({number} - {name})", 0.25


def _as_item(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    """As one more item of what may be a list."""
    if isinstance(node, ast.Name):
        yield f"[{name}] + {site.text(node)}", 0.25
        yield f"{site.text(node)} + [{name}]", 0.3


def _with_text(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    yield f"{site.grouped(node, 12)} + {name}", 0.0
    yield f"{name} + {site.grouped(node, 13)}", 0.05


def _with_items(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    for place, made in enumerate((f"sum({name})", f"len({name})") if not isinstance(node, ast.Constant) else ()):
        yield made, 0.1 + 0.1 * place
        for more, sign in enumerate(("-", "+", "/")):
            yield f"{site.grouped(node, 12)} {sign} {made}", 0.1 + 0.05 * more


def _made_alike(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    """With what the function makes of others, made of this name."""
    for made in as_others(name, site) if isinstance(node, ast.Call) else ():
        for place, sign in enumerate(("*", "+", "-", "/")):
            yield f"{site.text(node)} {sign} {made}", 0.1 + 0.05 * place
        for place, unit in enumerate((60, 100, 10, 24)):
            yield f"{unit} * {made} + {site.text(node)}", 0.2 + 0.05 * place


def _looked_up(name: str, node: ast.expr, site: Site) -> Iterator[tuple[str, float]]:
    """What stands there is looked up in the name, or the name in what stands there."""
    kind, text = site.loose_ends.kinds.get(name, ""), site.text(node)
    if kind in ("", "dict", "list") and isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        later = 0.0 if kind == "dict" else 0.3
        yield f"{name}[{text}]", later
        yield f"{name}.get({text}, {text})", later + 0.05
        yield f"{name}.get({text})", later + 0.1
    if not isinstance(node, ast.Constant | ast.BinOp):
        for place, index in enumerate((name, f"{name}:", f":{name}", f"{name} - 1:", f"{name} + 1:")):
            yield f"{site.grouped(node, 16)}[{index}]", 0.1 + 0.05 * place


@FAMILY.operator(
    "unread-argument",
    cost=1.0,
    on=(ast.Call,),
    before="def f(a, b):\n    return g(a)",
    after="def f(a, b):\n    return g(a, b)",
)
def unread_argument(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read is handed to a call."""
    assert isinstance(node, ast.Call)
    for name in _unread(site):
        yield from site.with_argument(node, f"{name}={name}", 0.2)
        if not node.keywords:
            yield from site.with_argument(node, name)
        for argument in node.args[:1]:
            start = site.file.grouped_span(argument)[0]
            yield Edit((Splice(start, start, f"{name}, "),), 0.2)


@FAMILY.operator(
    "unread-slice",
    cost=1.1,
    on=(ast.Slice,),
    before="def f(a, b):\n    return a[1:]",
    after="def f(a, b):\n    return a[1:b]",
)
def unread_slice(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read becomes a bound of a slice."""
    assert isinstance(node, ast.Slice)
    lower = site.text(node.lower) if node.lower else ""
    upper = site.text(node.upper) if node.upper else ""
    step = f":{site.text(node.step)}" if node.step else ""
    for name in _unread(site):
        for place, bound in enumerate((name, f"{name} + 1", f"{name} - 1")):
            extra = 0.1 * place
            yield Edit((Splice(*site.file.span(node), f"{bound}:{upper}{step}"),), extra + (0.3 if lower else 0.0))
            yield Edit((Splice(*site.file.span(node), f"{lower}:{bound}{step}"),), extra + (0.3 if upper else 0.0))


@FAMILY.operator(
    "unread-condition",
    cost=1.2,
    on=(ast.If, ast.While, ast.IfExp, ast.Return, ast.comprehension),
    before="def f(a, b):\n    if a:\n        g()",
    after="def f(a, b):\n    if a and b:\n        g()",
)
def unread_condition(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read takes part in a condition, or becomes the filter of a comprehension."""
    tests: list[ast.expr | None] = [getattr(node, "test", None)]
    if isinstance(node, ast.Return):
        tests = [node.value if isinstance(node.value, ast.Compare | ast.BoolOp) else None]
    elif isinstance(node, ast.comprehension):
        end = site.file.grouped_span(node.iter)[1]
        bound = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        for name in site.loose_ends.unread:
            if name in bound and not node.ifs:
                yield Edit((Splice(end, end, f" if {name}"),))
                yield Edit((Splice(end, end, f" if not {name}"),), 0.1)
                continue
            for item in bound if not node.ifs and site.loose_ends.kinds.get(name, "") in ("", *SIZED) else ():
                for place, condition in enumerate(_FILTERS):
                    yield Edit((Splice(end, end, f" if {condition.format(item, name)}"),), 0.05 * place)
        tests = list(node.ifs)
    for test in tests:
        if test is None:
            continue
        for name in _unread(site):
            for place, (word, level) in enumerate((("and", 5), ("or", 4))):
                own = site.grouped(test, level)
                yield site.put(test, joined(site, own, word, name), 0.1 * place)
                yield site.put(test, joined(site, own, word, f"not {name}"), 0.1 + 0.1 * place)
            for other in site.variables():
                if site.loose_ends.kinds.get(name) == "number" and site.loose_ends.kinds.get(other) == "number":
                    for sign in ("<", ">", "<=", ">=") if other != name else ():
                        new = f"{other} {sign} {name}"
                        yield site.put(test, joined(site, site.grouped(test, 5), "and", new), 0.4)
                        yield site.put(test, joined(site, site.grouped(test, 4), "or", new), 0.4)


@FAMILY.operator(
    "unread-stored",
    cost=1.3,
    on=(ast.stmt,),
    before="def f(a):\n    b = g(a)\n    h(a)",
    after="def f(a):\n    b = g(a)\n    h(a)\n    return b",
)
def unread_stored(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A name that is never read is returned, or stored under its name in the object."""
    assert isinstance(node, ast.stmt)
    if site.function is None or isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return
    last = site.function.body[-1] is node and not isinstance(node, ast.Return | ast.Raise)
    fed = site.around.once(container_facts.added_to, node) if isinstance(node, ast.Expr) else ()
    for name in _unread(site) if fed else ():
        yield from site.beside(node, (f"{fed[0]}.append({name})",))
    members = site.class_members()
    for name in site.loose_ends.unread:
        if last and (edit := site.insert_after(node, (f"return {name}",))):
            yield edit
        for member in (name, f"_{name}"):
            if member in members and name in site.around.scope(site.function).parameters:
                yield from site.beside(node, (f"self.{member} = {name}",), 0.1)
