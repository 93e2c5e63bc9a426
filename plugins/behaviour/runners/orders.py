"""Whether what a program does may hang on the order in which it goes through a set: each interpreter has its own."""

from __future__ import annotations

import ast
import gc
import sys
import types
from typing import Any, Callable, Iterable

MOST_VALUES = 2_000
"""Values within values that are looked at; of more it is taken for granted that a set is among them."""
_NAMES = {
    *("frozenset", "hash", "id", "set", "__hash__", "WeakSet"),
    *("AbstractSet", "FrozenSet", "MutableSet", "Set", "available_timezones", "stdlib_module_names"),
}
_VIEWS = {"items", "keys"}
_KEEPS = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Return, ast.Lambda)
"""What has a value that is used elsewhere."""
_NOT_LOOKED_INTO = (type, types.FunctionType, types.ModuleType, str, bytes)
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
        if isinstance(node, _KEEPS) and _is_view(getattr(node, "value", None) or getattr(node, "body", None)):
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


def _is_view(node: object) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in _VIEWS


def hold_sets(values: Iterable[Any]) -> bool:
    """Whether a set is among these values, or within one of them."""
    left = list(values)
    seen: dict[int, Any] = {}
    while left:
        value = left.pop()
        kind = type(value)  # what stands for another object may do anything to find out what that is
        if issubclass(kind, (set, frozenset)) or len(seen) > MOST_VALUES:
            return True
        if id(value) not in seen and not issubclass(kind, _NOT_LOOKED_INTO):
            seen[id(value)] = value
            left += gc.get_referents(value)
    return False
