"""Checks on passwords and keys that are written out, by the names that they are given.

What has the form of a key of a known service is found in the text, whatever its name (`texts`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module

_SHORTEST = 8
_SHORTEST_RANDOM = 14


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject; tests may hold what they want."""
    if module.is_test:
        return
    for node in module.nodes:
        for name, value in _named(node):
            text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
            if not dangers.PASSWORD_NAME.search(name) or dangers.PLACEHOLDER.match(text):
                continue
            if _is_random(text):
                yield module.hit("secret", value)
            elif len(text) >= _SHORTEST and isinstance(node, ast.Assign | ast.AnnAssign):
                yield module.hit("password", node)


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The values that a node gives a name, a key, or a parameter."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name | ast.Attribute):
                yield target.id if isinstance(target, ast.Name) else target.attr, node.value
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                yield str(target.slice.value), node.value
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value


def _is_random(text: str) -> bool:
    """Whether a text looks as if a machine had made it up: long, without spaces, of three kinds of characters."""
    if len(text) < _SHORTEST_RANDOM or len(text) > 500 or any(c.isspace() for c in text) or "/" in text[:1]:
        return False
    if text.startswith(("http", "$", "{", "<", "%")) or len(set(text)) < len(text) * 0.4:
        return False
    kinds = (
        any(c.islower() for c in text),
        any(c.isupper() for c in text),
        sum(c.isdigit() for c in text) >= 2,
        any(not c.isalnum() for c in text),
    )
    return sum(kinds) >= 3 and kinds[2]
