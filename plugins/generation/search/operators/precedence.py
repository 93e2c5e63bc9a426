"""When an expression needs parentheses: precedence as in the Python language reference, section 6.17."""

from __future__ import annotations

import ast
import functools

ATOM = 17
LOOSEST = -1
_BINARY: dict[type[ast.operator], int] = {
    ast.BitOr: 8,
    ast.BitXor: 9,
    ast.BitAnd: 10,
    ast.LShift: 11,
    ast.RShift: 11,
    ast.Add: 12,
    ast.Sub: 12,
    ast.Mult: 13,
    ast.MatMult: 13,
    ast.Div: 13,
    ast.FloorDiv: 13,
    ast.Mod: 13,
    ast.Pow: 15,
}


def of(node: ast.expr) -> int:
    """How tightly the expression binds; greater is tighter."""
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)]
    if isinstance(node, ast.BoolOp):
        return 4 if isinstance(node.op, ast.Or) else 5
    if isinstance(node, ast.UnaryOp):
        return 6 if isinstance(node.op, ast.Not) else 14
    loose: dict[type[ast.expr], int] = {
        ast.Yield: 0,
        ast.YieldFrom: 0,
        ast.NamedExpr: 1,
        ast.Starred: 1,
        ast.Lambda: 2,
        ast.IfExp: 3,
        ast.Compare: 7,
        ast.Await: 16,
    }
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return ATOM - 1
    return loose.get(type(node), ATOM)


@functools.lru_cache(maxsize=4096)
def of_text(text: str) -> int:
    """How tightly the expression in the text binds; -1 for a tuple without parentheses or no expression at all."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return LOOSEST
    if isinstance(node, ast.Tuple) and not text.lstrip().startswith("("):
        return LOOSEST
    return of(node)


def needed(parent: ast.AST | None, node: ast.AST) -> int:
    """How tightly an expression must bind to stand in the place of `node` without parentheses."""
    if isinstance(parent, ast.BinOp):
        level = _BINARY[type(parent.op)]
        if isinstance(parent.op, ast.Pow):
            return level + 1 if node is parent.left else level - 1
        return level if node is parent.left else level + 1
    if isinstance(parent, ast.BoolOp):
        return 5 if isinstance(parent.op, ast.Or) else 6
    if isinstance(parent, ast.UnaryOp):
        return 6 if isinstance(parent.op, ast.Not) else 14
    if isinstance(parent, ast.Attribute):
        return ATOM
    if isinstance(parent, ast.Subscript | ast.Call | ast.Await):
        inner = getattr(parent, "value", None) or getattr(parent, "func", None)
        return ATOM - 1 if node is inner else 1
    if isinstance(parent, ast.IfExp):
        return 3 if node is parent.orelse else 4
    if isinstance(parent, ast.comprehension):
        return 4
    levels: dict[type[ast.AST], int] = {ast.Compare: 8, ast.Starred: 8, ast.FormattedValue: 3}
    if parent is None or isinstance(parent, ast.stmt):
        return LOOSEST if isinstance(parent, ast.Return | ast.Assign | ast.Expr) else 0
    return levels.get(type(parent), 1)
