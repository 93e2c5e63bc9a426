"""Comparisons and boolean expressions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_TOKENS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_NEIGHBOUR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_ORDER = r"<=|>=|==|!=|<|>"
_MEMBER = r"not\s+in\b|in\b|is\s+not\b|is\b"
_OPPOSITE = {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}


def _pairs(node: ast.Compare) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        yield left, op, right
        left = right


@FAMILY.operator("comparison-neighbour", cost=0.8, on=(ast.Compare,), before="a < b", after="a <= b")
def comparison_neighbour(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A comparison becomes its neighbour: `<` and `<=`, `>` and `>=`, `==` and `!=`."""
    assert isinstance(node, ast.Compare)
    for left, op, right in _pairs(node):
        token = _TOKENS.get(type(op))
        if token and (edit := site.operator_token(left, right, _ORDER, _NEIGHBOUR[token])):
            yield edit


@FAMILY.operator("comparison-other", cost=1.0, on=(ast.Compare,), before="a < b", after="a > b")
def comparison_other(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A comparison becomes another one."""
    assert isinstance(node, ast.Compare)
    for left, op, right in _pairs(node):
        token = _TOKENS.get(type(op))
        if token is None:
            continue
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(token)
        for other in _TOKENS.values():
            if other in (token, _NEIGHBOUR[token]):
                continue
            edit = site.operator_token(left, right, _ORDER, other, 0.0 if other == mirrored else 0.15)
            if edit:
                yield edit
        if token == "==" and isinstance(right, ast.Constant) and type(right.value) is int:  # where a recursion ends
            span = site.file.token_between(left, right, _ORDER)
            if span:
                yield Edit((Splice(*span, "<="), site.splice_for(right, str(right.value + 1))), 0.4)


@FAMILY.operator("chain-direction", cost=0.7, on=(ast.Compare,), before="a < b > c", after="a < b < c")
def chain_direction(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A chained comparison that turns round on its way goes on in one direction."""
    assert isinstance(node, ast.Compare)
    pairs = list(_pairs(node))
    for (_, first, _), (left, second, right) in itertools.pairwise(pairs):
        one, other = _TOKENS.get(type(first), "="), _TOKENS.get(type(second), "=")
        if one[0] in "<>" and other[0] in "<>" and one[0] != other[0]:
            if edit := site.operator_token(left, right, _ORDER, one[0] + other[1:]):
                yield edit
            if edit := site.operator_token(pairs[0][0], left, _ORDER, other[0] + one[1:], 0.1):
                yield edit


@FAMILY.operator("membership", cost=0.9, on=(ast.Compare,), before="a in b", after="a not in b")
def membership(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`in` becomes `not in`, `is` becomes `is not`, and the other way round."""
    assert isinstance(node, ast.Compare)
    for left, _, right in _pairs(node):
        span = site.file.token_between(left, right, _MEMBER)
        if span:
            token = " ".join(site.file.text[slice(*span)].split())
            yield Edit((Splice(*span, _OPPOSITE[token]),))


@FAMILY.operator("identity-equality", cost=1.3, on=(ast.Compare,), before="a is b", after="a == b")
def identity_equality(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Identity becomes equality, equality with None becomes identity, equality becomes membership."""
    assert isinstance(node, ast.Compare)
    for left, op, right in _pairs(node):
        swaps: dict[type[ast.cmpop], tuple[str, str]] = {
            ast.Is: (_MEMBER, "=="),
            ast.IsNot: (_MEMBER, "!="),
            ast.Eq: (_ORDER, "in"),
            ast.NotEq: (_ORDER, "not in"),
            ast.In: (_MEMBER, "=="),
            ast.NotIn: (_MEMBER, "!="),
        }
        if type(op) not in swaps:
            continue
        pattern, new = swaps[type(op)]
        if isinstance(right, ast.Constant) and right.value is None and new in ("in", "not in"):
            new = "is" if new == "in" else "is not"
        if edit := site.operator_token(left, right, pattern, new):
            yield edit


@FAMILY.operator("operands-swapped", cost=1.1, on=(ast.Compare, ast.BinOp, ast.BoolOp), before="a - b", after="b - a")
def operands_swapped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The two sides of a comparison, of an arithmetic operation or of an `and` or `or` change places."""
    if isinstance(node, ast.BoolOp):
        if len(node.values) > 2:
            return
        left, right = node.values
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = node.left, node.comparators[0]
        if isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            return
    elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        left, right = node.left, node.right
        extra_safe = isinstance(node.op, ast.Mult)
        if extra_safe:
            return
    else:
        return
    yield Edit((site.splice_for(left, site.text(right)), site.splice_for(right, site.text(left))))


@FAMILY.operator("and-or", cost=0.9, on=(ast.BoolOp,), before="a and b", after="a or b")
def and_or(node: ast.AST, site: Site) -> Iterator[Edit]:
    """`and` becomes `or` and the other way round: one of them, or all of an expression."""
    assert isinstance(node, ast.BoolOp)
    new = "or" if isinstance(node.op, ast.And) else "and"
    spans = [site.file.token_between(a, b, r"and\b|or\b") for a, b in zip(node.values, node.values[1:], strict=False)]
    splices = tuple(Splice(*span, new) for span in spans if span)
    if len(splices) == len(spans):
        yield Edit(splices)
    if len(splices) > 1:
        for splice in splices:
            yield Edit((splice,), 0.1)


@FAMILY.operator("boolean-regrouped", cost=1.4, on=(ast.BoolOp,), before="a and b or c", after="a and (b or c)")
def boolean_regrouped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Parentheses move in a condition: `a and b or c` and `a and (b or c)`."""
    assert isinstance(node, ast.BoolOp)
    values, text = node.values, site.file.text
    for place, inner in enumerate(values):
        if not isinstance(inner, ast.BoolOp):
            continue
        outer = site.file.grouped_span(inner)
        if "\n" in text[slice(*outer)]:
            continue
        if outer != site.file.span(inner):
            yield Edit((Splice(outer[0], outer[0] + 1, ""), Splice(outer[1] - 1, outer[1], "")))
            continue
        for first, last in ((inner.values[-1], values[-1]), (values[0], inner.values[0])):
            start, end = site.file.grouped_span(first)[0], site.file.grouped_span(last)[1]
            inside = place < len(values) - 1 if last is values[-1] else place > 0
            if inside and "\n" not in text[start:end]:
                yield Edit((Splice(start, start, "("), Splice(end, end, ")")))


@FAMILY.operator("guard-turned", cost=1.2, on=(ast.BoolOp,), before="a is not None and b", after="a is None or b")
def guard_turned(node: ast.AST, site: Site) -> Iterator[Edit]:
    """The first part of an `and` is negated and the `and` becomes `or`, and the other way round."""
    assert isinstance(node, ast.BoolOp)
    first, rest = node.values[0], node.values[1:]
    word, level = ("or", 4) if isinstance(node.op, ast.And) else ("and", 5)
    asked = _negated(first, site, level)
    if not asked:
        return
    yield site.put(node, f" {word} ".join([asked, *(site.grouped(value, level) for value in rest)]))


def _negated(node: ast.expr, site: Site, level: int) -> str:
    """The opposite of a simple condition, as it is usually written beside others."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return site.grouped(node.operand, level)
    if isinstance(node, ast.Name | ast.Attribute | ast.Call):
        return f"not {site.text(node)}"
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return ""
    left, right = site.text(node.left), site.text(node.comparators[0])
    words: dict[type[ast.cmpop], str] = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
    signs: dict[type[ast.cmpop], str] = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<="}
    return f"{left} {({**words, **signs, ast.LtE: '>'})[type(node.ops[0])]} {right}"


@FAMILY.operator("not-dropped", cost=0.9, on=(ast.UnaryOp,), before="not a", after="a")
def not_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A `not` is taken away."""
    assert isinstance(node, ast.UnaryOp)
    if isinstance(node.op, ast.Not):
        yield site.put(node, site.text(node.operand))


@FAMILY.operator(
    "condition-negated",
    cost=1.0,
    on=(ast.If, ast.While, ast.IfExp, ast.Assert, ast.comprehension, ast.BoolOp, ast.Return),
    before="if a:\n    b()",
    after="if not a:\n    b()",
)
def condition_negated(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A condition, a part of one, or a returned truth value is negated."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = list(node.ifs)
    elif isinstance(node, ast.BoolOp):
        tests = list(node.values)
    else:
        value = node.value if isinstance(node, ast.Return) else None
        tests = [value] if isinstance(value, ast.Call | ast.Compare | ast.BoolOp) else []
    for test in tests:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            continue
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            continue
        extra = 0.3 if isinstance(node, ast.Return | ast.BoolOp) else 0.0
        yield site.put(test, f"not {site.grouped(test, 6)}", extra)


@FAMILY.operator("boolean-operand-dropped", cost=1.4, on=(ast.BoolOp,), before="a and b", after="a")
def boolean_operand_dropped(node: ast.AST, site: Site) -> Iterator[Edit]:
    """One side of an `and` or `or` is taken away."""
    assert isinstance(node, ast.BoolOp)
    values = node.values
    for index, value in enumerate(values):
        if len(values) == 2:
            yield site.put(node, site.text(values[1 - index]))
        elif index:
            start = site.file.grouped_span(values[index - 1])[1]
            yield Edit((Splice(start, site.file.grouped_span(value)[1], ""),))
        else:
            start = site.file.grouped_span(value)[0]
            yield Edit((Splice(start, site.file.grouped_span(values[1])[0], ""),))


@FAMILY.operator("chained-comparison", cost=1.8, on=(ast.Compare,), before="a < b < c", after="a < b")
def chained_comparison(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A chained comparison loses its first or last part."""
    assert isinstance(node, ast.Compare)
    if len(node.ops) == 2:
        first, second, third = node.left, node.comparators[0], node.comparators[1]
        text = site.file.text
        yield site.put(node, text[site.file.grouped_span(first)[0] : site.file.grouped_span(second)[1]])
        yield site.put(node, text[site.file.grouped_span(second)[0] : site.file.grouped_span(third)[1]])
