"""Changes of a program that change nothing of what it does, as people make them: by them a comparison of behaviour is
seen to raise no false alarm."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def refactored(text: str) -> Iterator[tuple[str, str]]:
    """The names of the changes that apply to a file's text, each with the text that comes of it."""
    before = ast.unparse(ast.parse(text))
    for name, change in CHANGES.items():
        tree = ast.parse(text)
        change(tree)
        after = ast.unparse(ast.fix_missing_locations(tree))
        if after != before:
            yield name, after


def _mirror_comparisons(tree: ast.Module) -> None:
    """`a < b` as `b > a`, where both sides are names or constants: nothing is evaluated in another order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _MIRRORED:
            (right,) = node.comparators
            if all(isinstance(each, (ast.Name, ast.Constant)) for each in (node.left, right)):
                node.left, node.comparators = right, [node.left]
                node.ops = [_MIRRORED[type(node.ops[0])]()]


def _name_results(tree: ast.Module) -> None:
    """`return EXPRESSION` by way of a name."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [each for statement in block for each in _by_a_name(statement)])


def _by_a_name(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.Return) or statement.value is None or isinstance(statement.value, ast.Constant):
        return [statement]
    named = ast.Assign(targets=[ast.Name("the_result", ast.Store())], value=statement.value)
    return [named, ast.Return(ast.Name("the_result", ast.Load()))]


def _turn_conditions(tree: ast.Module) -> None:
    """`if a: x else: y` as `if not a: y else: x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.orelse and not isinstance(node.orelse[0], ast.If):
            node.test = ast.UnaryOp(ast.Not(), node.test)
            node.body, node.orelse = node.orelse, node.body


def _rename_locals(tree: ast.Module) -> None:
    """Names that are assigned in a function, and only there, get other names."""
    for function in (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)):
        inner = [node for node in ast.walk(function) if node is not function]
        closed = any(isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.Global, ast.Nonlocal)) for node in inner)
        names = [node for node in inner if isinstance(node, ast.Name)]
        assigned = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        parameters = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        own = set() if closed else assigned - parameters
        for node in names:
            if node.id in own:
                node.id = f"the_{node.id}"


def _end_with_else(tree: ast.Module) -> None:
    """What follows an `if` that always leaves stands in its `else`."""
    for function in (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)):
        for place, statement in enumerate(function.body[:-1]):
            leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], (ast.Return, ast.Raise))
            if leaves and isinstance(statement, ast.If) and not statement.orelse:
                statement.orelse = function.body[place + 1 :]
                del function.body[place + 1 :]
                break


CHANGES: dict[str, Callable[[ast.Module], None]] = {
    "comparisons mirrored": _mirror_comparisons,
    "results named": _name_results,
    "conditions turned": _turn_conditions,
    "locals renamed": _rename_locals,
    "ended with else": _end_with_else,
}
