"""What a source imports, read from its syntax tree."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

_LARGEST = 1_000_000
_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError"}


@dataclass(frozen=True)
class Import:
    """A top-level module that is imported, and the line. `optional`: the code goes on without it."""

    module: str
    line: int
    optional: bool


def imports_of(content: bytes) -> list[Import]:
    """Each import of a module outside of the standard library, in the order of the lines. What is no Python, or too
    large, has none: whether it compiles is for others to say."""
    if len(content) > _LARGEST:
        return []
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [each for each in _walk(tree, False) if each.module not in sys.stdlib_module_names]
    return sorted(found, key=lambda each: (each.optional, each.line))


def _walk(node: ast.AST, optional: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name.partition(".")[0], node.lineno, optional)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        yield Import(node.module.partition(".")[0], node.lineno, optional)
    elif isinstance(node, ast.Try):
        catches = any(_names(handler.type) & _IMPORT_ERRORS for handler in node.handlers)
        for statement in node.body:
            yield from _walk(statement, optional or catches)
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            yield from _walk(part, optional)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _walk(child, optional)


def _names(node: ast.expr | None) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} if node is not None else _IMPORT_ERRORS
