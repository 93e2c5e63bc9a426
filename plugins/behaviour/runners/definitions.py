"""The functions that a file defines, by their lines, with their names as `Class.method`, `outer.inner`."""

from __future__ import annotations

import ast
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Definition(NamedTuple):
    """One function: its lines, the first one that of its first decorator, where there is one, as in its code."""

    first: int
    last: int
    name: str
    node: ast.AST


def definitions(tree: ast.AST) -> list[Definition]:
    """The functions in a tree, those in functions and classes too."""
    found: list[Definition] = []
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS):
                first = min([child.lineno] + [each.lineno for each in child.decorator_list])
                found.append(Definition(first, child.end_lineno or child.lineno, prefix + child.name, child))
                stack.append((child, prefix + child.name + "."))
            else:
                stack.append((child, prefix + child.name + "." if isinstance(child, ast.ClassDef) else prefix))
    return found
