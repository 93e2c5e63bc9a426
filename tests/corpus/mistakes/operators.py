"""Operator misuse: another comparison, arithmetic, joining or negation than was meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.corpus.code_text import Code, Edit

BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ANOTHER_FAMILY = {
    "<": (">", "!="),
    "<=": (">=", "=="),
    ">": ("<", "!="),
    ">=": ("<=", "=="),
    "==": ("!=", ">="),
    "!=": ("==", "<"),
    "in": ("not in", "=="),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
}
ARITHMETIC = {
    "+": ("-", "*", "|"),
    "-": ("+", "%"),
    "*": ("+", "**"),
    "/": ("//", "*"),
    "//": ("/", "%"),
    "%": ("//", "/"),
    "**": ("*", "^"),
    "|": ("&", "^"),
    "&": ("|", "-"),
    "^": ("|", "**"),
    "<<": (">>",),
    ">>": ("<<", "//"),
}
AUGMENTED = {
    "+=": ("=", "-=", "*="),
    "-=": ("+=", "="),
    "*=": ("=", "+="),
    "/=": ("//=", "="),
    "//=": ("/=", "%="),
    "%=": ("//=", "="),
    "|=": ("&=", "="),
    "&=": ("|=",),
    "^=": ("|=", "="),
    "<<=": (">>=",),
    ">>=": ("<<=",),
}


def _swapped(code: Code, table: dict[str, tuple[str, ...]], kind: type[ast.BinOp | ast.Compare]) -> Iterator[Edit]:
    for node in code.nodes:
        if isinstance(node, kind):
            for start, end in code.between(node):
                for other in table.get(code.text[start:end], ()):
                    yield Edit(start, end, other)


def boundary_counted_wrongly(code: Code) -> Iterator[Edit]:
    """The boundary itself is in, or is not."""
    return _swapped(code, {old: (new,) for old, new in BOUNDARY.items()}, ast.Compare)


def comparison_of_another_family(code: Code) -> Iterator[Edit]:
    """The other direction, or equality for an order."""
    return _swapped(code, ANOTHER_FAMILY, ast.Compare)


def arithmetic_of_another_family(code: Code) -> Iterator[Edit]:
    """A rest for a quotient, a sum for a product."""
    return _swapped(code, ARITHMETIC, ast.BinOp)


def operands_exchanged(code: Code) -> Iterator[Edit]:
    """`b - a` for `a - b`."""
    for node in code.nodes:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mult | ast.BitOr | ast.BitAnd):
            (start, left), (right, end) = code.operands(node)
            whole = code.text[right:end] + code.text[left:right] + code.text[start:left]
            yield Edit(start, end, whole)


def joined_the_other_way(code: Code) -> Iterator[Edit]:
    """`or` for `and`, in one of the places."""
    for node in code.nodes:
        if isinstance(node, ast.BoolOp):
            for start, end in code.between(node):
                yield Edit(start, end, "or" if isinstance(node.op, ast.And) else "and")


def parentheses_forgotten(code: Code) -> Iterator[Edit]:
    """`a + b * c` for `(a + b) * c`."""
    for node in code.nodes:
        if isinstance(node, ast.BinOp | ast.BoolOp):
            parts = [node.left, node.right] if isinstance(node, ast.BinOp) else node.values
            for part, (start, end) in zip(parts, code.operands(node), strict=True):
                if isinstance(part, ast.BinOp | ast.BoolOp) and (start, end) != code.span(part):
                    yield Edit(start, end, code.of(part))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.BoolOp | ast.BinOp | ast.Compare):
            start, end = code.widened(node.operand, code.span(node))
            if (start, end) != code.span(node.operand):
                yield Edit(start, end, code.of(node.operand))


def parentheses_misplaced(code: Code) -> Iterator[Edit]:
    """`(a + b) * c` for `a + b * c`."""
    for node in code.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.BinOp):
            (start, _), (right, _) = code.operands(node)
            inner = code.operands(node.right)[0]
            if right == code.span(node.right)[0]:
                yield Edit(start, inner[1], f"({code.text[start : inner[1]]})")
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.BoolOp):
            start, last = code.operands(node)[0][0], code.operands(node)[-1]
            if last == code.span(node.values[-1]):
                inner = code.operands(node.values[-1])[0]
                yield Edit(start, inner[1], f"({code.text[start : inner[1]]})")


def negated_too_much(code: Code) -> Iterator[Edit]:
    """`not` over the whole where one part was meant, and over one part where the whole was."""
    for node in code.nodes:
        if isinstance(node, ast.BoolOp):
            first = node.values[0]
            start, end = code.operands(node)[0][0], code.operands(node)[-1][1]
            if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not):
                yield Edit(start, end, f"not ({code.of(first.operand)}{code.text[code.span(first)[1] : end]})")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and isinstance(node.operand, ast.BoolOp):
            parts = [code.text[slice(*span)] for span in code.operands(node.operand)]
            word = " and " if isinstance(node.operand.op, ast.And) else " or "
            yield code.replaced(node, f"({word.join(f'not {part}' for part in parts)})")


def condition_negated(code: Code) -> Iterator[Edit]:
    """The question asked the wrong way round."""
    for node in code.nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp) and isinstance(node.test, ast.UnaryOp):
            if isinstance(node.test.op, ast.Not):
                yield code.replaced(node.test, code.text[slice(*code.widened(node.test.operand, code.span(node.test)))])
        elif isinstance(node, ast.If | ast.IfExp) and isinstance(node.test, ast.Name | ast.Call | ast.Attribute):
            yield code.replaced(node.test, f"not {code.of(node.test)}")


def accumulated_wrongly(code: Code) -> Iterator[Edit]:
    """`=` for `+=`, or another such."""
    for node in code.nodes:
        if isinstance(node, ast.AugAssign):
            left, right = code.span(node.target)[1], code.span(node.value)[0]
            gap = code.text[left:right].rstrip("( ")
            for other in AUGMENTED.get(gap.strip(), ()):
                start = left + len(gap) - len(gap.lstrip())
                yield Edit(start, left + len(gap), other)


def sign_lost(code: Code) -> Iterator[Edit]:
    """`x` for `-x`."""
    for node in code.nodes:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            start, _ = code.span(node)
            yield Edit(start, start + 1, "")


def chain_broken(code: Code) -> Iterator[Edit]:
    """One of two comparisons of a chain in the other direction."""
    for node in code.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            for start, end in code.between(node):
                text = code.text[start:end]
                other = text.translate(str.maketrans("<>", "><"))
                if other != text:
                    yield Edit(start, end, other)


MAKERS = (
    boundary_counted_wrongly,
    comparison_of_another_family,
    arithmetic_of_another_family,
    operands_exchanged,
    joined_the_other_way,
    parentheses_forgotten,
    parentheses_misplaced,
    negated_too_much,
    condition_negated,
    accumulated_wrongly,
    sign_lost,
    chain_broken,
)
