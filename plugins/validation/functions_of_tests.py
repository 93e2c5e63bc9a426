"""The functions of a file that pytest runs as tests, by the ids that it gives them."""

from __future__ import annotations

import ast
from collections import deque

TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of_tests(path: str, tree: ast.Module) -> dict[str, TestFunction]:
    """The tests of the file with this path, in it and in its classes; those with parameters under the id without
    these."""
    found: dict[str, TestFunction] = {}
    left: deque[tuple[str, ast.AST]] = deque((path, each) for each in tree.body)
    while left:
        place, each = left.popleft()
        if isinstance(each, ast.ClassDef):
            left.extend((f"{place}::{each.name}", inner) for inner in each.body)
        elif isinstance(each, TestFunction) and each.name.startswith("test"):
            found[f"{place}::{each.name}"] = each
    return found
