"""The functions of a file that pytest runs as tests, by the ids that it gives them."""

from __future__ import annotations

import ast
from collections import deque

TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of_tests(tree: ast.Module) -> dict[str, TestFunction]:
    """The tests of a file, in it and in its classes, by what stands behind the file in their ids; those with parameters
    under the id without these."""
    found: dict[str, TestFunction] = {}
    left: deque[tuple[str, ast.AST]] = deque(("", each) for each in tree.body)
    while left:
        around, each = left.popleft()
        if isinstance(each, ast.ClassDef):
            left.extend((f"{around}{each.name}::", inner) for inner in each.body)
        elif isinstance(each, TestFunction) and each.name.startswith("test"):
            found[f"{around}{each.name}"] = each
    return found
