"""Arithmetic: operators, off by one, one side of an operation, signs and grouping."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_TOKENS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_TOKEN = r"\*\*|//|<<|>>|[-+*/%&|^]"
_NEAR = {
    "+": ("-", "*", "//", "/", "%", "**"),
    "-": ("+", "*", "//", "/", "%"),
    "*": ("/", "//", "+", "**", "-", "%"),
    "/": ("//", "*", "%", "-", "+"),
    "//": ("/", "%", "*", "-", "+"),
    "%": ("//", "-", "/", "*", "+"),
    "**": ("*", "^", "+", "-"),
    "&": ("|", "^"),
    "|": ("&", "^"),
    "^": ("&", "|", "**"),
    "<<": (">>",),
    ">>": ("<<",),
}


@FAMILY.operator("arithmetic-operator", cost=1.0, on=(ast.BinOp,), before="a + b", after="a - b")
def arithmetic_operator(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An arithmetic or bit operator becomes a near one."""
    assert isinstance(node, ast.BinOp)
    token = _TOKENS.get(type(node.op))
    if token is None or (isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)):
        return
    for place, other in enumerate(_NEAR[token]):
        if edit := site.operator_token(node.left, node.right, _TOKEN, other, 0.3 * place):
            yield edit


@FAMILY.operator("augmented-operator", cost=1.0, on=(ast.AugAssign,), before="a += b", after="a -= b")
def augmented_operator(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`+=` becomes `-=` or another augmented assignment."""
    assert isinstance(node, ast.AugAssign)
    token = _TOKENS.get(type(node.op))
    for place, other in enumerate(_NEAR.get(token or "", ())):
        if edit := site.operator_token(node.target, node.value, rf"(?:{_TOKEN})=", f"{other}=", 0.3 * place):
            yield edit


@FAMILY.operator("augmented-plain", cost=1.4, on=(ast.AugAssign, ast.Assign), before="a += b", after="a = b")
def augmented_plain(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`+=` becomes `=`, and `=` becomes an augmented assignment."""
    if isinstance(node, ast.AugAssign):
        if edit := site.operator_token(node.target, node.value, rf"(?:{_TOKEN})=", "="):
            yield edit
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        for place, other in enumerate(("+=", "-=", "*=", "|=")):
            if edit := site.operator_token(node.targets[0], node.value, "=", other, 0.2 + 0.2 * place):
                yield edit


def _countable(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod) and not any(
            isinstance(n, ast.Constant) and not isinstance(n.value, int) for n in (node.left, node.right)
        )
    return isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)


@FAMILY.operator(
    "off-by-one",
    cost=1.3,
    on=(
        *(ast.Call, ast.Compare, ast.Subscript, ast.Return, ast.Assign, ast.BinOp, ast.AugAssign),
        *(ast.Tuple, ast.ListComp, ast.GeneratorExp),
    ),
    before="f(a[n])",
    after="f(a[n - 1])",
)
def off_by_one(node: ast.AST, site: Site) -> Iterator[Edit]:
    """One is added to an expression or taken from it."""
    if isinstance(node, ast.Call):
        places = [(a, 0.3) for a in node.args]
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            return
        if isinstance(node.func, ast.Name) and node.func.id == "len":
            return
    elif isinstance(node, ast.Compare):
        places = [(e, 0.1) for e in (node.left, *node.comparators)]
        if isinstance(node.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot):
            return
    elif isinstance(node, ast.Subscript):
        places = [] if isinstance(node.slice, ast.Slice) else [(node.slice, 0.0)]
    elif isinstance(node, ast.Return | ast.Assign | ast.AugAssign):
        places = [(node.value, 0.2)] if node.value is not None else []
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Mod):
        places = [(node.left, 0.4), (node.right, 0.4)]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        places = [(node.elt, 0.3)]
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        places = [(element, 0.3) for element in node.elts]
    else:
        return
    for place, extra in places:
        if not _countable(place):
            continue
        for by in (-1, 1):
            yield site.put(place, site.moved(place, by), extra)


@FAMILY.operator("one-side", cost=1.3, on=(ast.BinOp,), before="a + b", after="a")
def one_side(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An operation keeps only its left or its right side."""
    assert isinstance(node, ast.BinOp)
    one = isinstance(node.right, ast.Constant) and node.right.value in (1, 2)
    yield site.put(node, site.text(node.left), 0.0 if one else 0.3)
    yield site.put(node, site.text(node.right), 0.4)


@FAMILY.operator(
    "sort-sign",
    cost=1.1,
    on=(ast.Tuple,),
    before="a.sort(key=lambda b: (b[1], b[0]))",
    after="a.sort(key=lambda b: (-b[1], b[0]))",
)
def sort_sign(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An element of a tuple changes its sign, as in a key that sorts the greatest first."""
    assert isinstance(node, ast.Tuple)
    if not isinstance(node.ctx, ast.Load):
        return
    key = any(isinstance(a, ast.Lambda) for a in site.file.ancestors(node))
    for element in node.elts:
        extra = 0.0 if key else 0.3
        if isinstance(element, ast.UnaryOp) and isinstance(element.op, ast.USub):
            yield site.put(element, site.text(element.operand), extra)
        elif isinstance(element, ast.Name | ast.Call | ast.Subscript | ast.Attribute):
            yield site.put(element, f"-{site.grouped(element, 14)}", extra)


@FAMILY.operator(
    "sign",
    cost=1.5,
    on=(ast.UnaryOp, ast.Return, ast.Assign, ast.Call, ast.BinOp, ast.IfExp, ast.keyword),
    before="f(-a)",
    after="f(a)",
)
def sign(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A sign is dropped, or put before a value."""
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub | ast.UAdd | ast.Invert):
            yield site.put(node, site.text(node.operand))
        return
    if isinstance(node, ast.Call):
        values: list[ast.expr | None] = [*node.args]
    elif isinstance(node, ast.BinOp):
        values = [] if isinstance(node.op, ast.Add | ast.Sub) else [node.left, node.right]
    elif isinstance(node, ast.IfExp):
        values = [node.body, node.orelse]
    else:
        values = [getattr(node, "value", None)]
    for value in values:
        if isinstance(value, ast.Name | ast.Call | ast.Subscript | ast.Attribute):
            yield site.put(value, f"-{site.grouped(value, 14)}", 0.5)


@FAMILY.operator("regrouped", cost=1.5, on=(ast.BinOp,), before="a + b * c", after="(a + b) * c")
def regrouped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Parentheses move: `a + b * c` and `(a + b) * c`."""
    assert isinstance(node, ast.BinOp)
    text, file = site.file.text, site.file
    for inner, on_left in ((node.left, True), (node.right, False)):
        if not isinstance(inner, ast.BinOp):
            continue
        outer = file.grouped_span(inner)
        if outer != file.span(inner):
            yield Edit((Splice(outer[0], outer[0] + 1, ""), Splice(outer[1] - 1, outer[1], "")))
            continue
        first = file.grouped_span(inner.right if on_left else node.left)[0]
        last = file.grouped_span(node.right if on_left else inner.left)[1]
        if "\n" not in text[first:last]:
            yield Edit((Splice(first, first, "("), Splice(last, last, ")")))


@FAMILY.operator("modulo-added", cost=2.3, on=(ast.Subscript,), before="a[i + 1]", after="a[(i + 1) % len(a)]")
def modulo_added(node: ast.AST, site: Site) -> Iterator[Edit]:
    """An index wraps around at the length of what it looks into."""
    assert isinstance(node, ast.Subscript)
    if isinstance(node.slice, ast.BinOp | ast.Name):
        yield site.put(node.slice, f"{site.grouped(node.slice, 13)} % len({site.text(node.value)})")
