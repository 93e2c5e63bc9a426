"""Whether what a program does may hang on the order in which it goes through a set: each interpreter has its own."""

from __future__ import annotations

import ast
import sys
from typing import Any, Callable, Iterable

MOST_VALUES = 2_000
"""Values within values that are looked at; of more it is taken for granted that a set is among them."""
_NAMES = {"frozenset", "hash", "id", "set", "__hash__", "WeakSet"}
_VIEWS = {"items", "keys"}
_STANDARD = frozenset(getattr(sys, "stdlib_module_names", ()))


def makes_sets(tree: ast.AST, is_own: Callable[[str], bool]) -> bool:
    """Whether code makes sets, asks for hashes or identities, or imports what is neither of the standard library nor
    the project's own (`is_own` of the module's name), and may do so."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, (ast.Name, ast.Attribute)) and _name(node) in _NAMES:
            return True
        if isinstance(node, ast.BinOp) and (_is_view(node.left) or _is_view(node.right)):
            return True
        if isinstance(node, ast.Import):
            modules = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        else:
            continue
        if any(root not in _STANDARD and not is_own(root) for root in (each.partition(".")[0] for each in modules)):
            return True
    return False


def _name(node: ast.AST) -> str:
    return str(getattr(node, "id", "") or getattr(node, "attr", ""))


def _is_view(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in _VIEWS


def hold_sets(values: Iterable[Any]) -> bool:
    """Whether a set is among these values, or within one of them."""
    left = list(values)
    seen = 0
    while left:
        value = left.pop()
        seen += 1
        if isinstance(value, (set, frozenset)) or seen > MOST_VALUES:
            return True
        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple)):
            left += value
        elif not isinstance(value, type):
            left += getattr(value, "__dict__", {}).values()
    return False
