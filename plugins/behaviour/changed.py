"""Which functions a change is about: those whose text it changes, and those that use a name whose definition it changes
outside of any function."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def changed_functions(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """The functions, as `FILE::NAME`, that differ between two versions of a project's files, given by path and text;
    some more than once."""
    names: set[str] = set()
    for path, text in after.items():
        old = before.get(path, "")
        if text == old:
            continue
        were, are = old.splitlines(), text.splitlines()
        for tag, a, b, c, d in SequenceMatcher(None, were, are, autojunk=False).get_opcodes():
            if tag != "equal":
                # What was taken out or put in changes the function that holds the lines around it.
                for version, start, end in ((old, a, max(b, a + 1)), (text, c, max(d, c + 1))):
                    yield from (f"{path}::{name}" for name in _around(version, start, end))
                    names |= _defined_outside(version, start, end)
    if names:
        for path, text in after.items():
            yield from (f"{path}::{name}" for name in _users(text, names))


@functools.lru_cache(maxsize=1000)
def functions_of(text: str) -> dict[int, str]:
    """The functions of a file by the line that their code begins in (of the first decorator, where there is one):
    their names, with the classes and functions around them as `Class.method`, `outer.inner`."""
    return {first: name for first, _, name, _ in _functions(text)}


def _around(text: str, start: int, end: int) -> Iterator[str]:
    """Of the functions of a file, the innermost around each of the lines `start` (from 0) to `end`, exclusive."""
    functions = _functions(text)
    for line in range(start + 1, end + 1):
        inside = [(first, name) for first, last, name, _ in functions if first <= line <= last]
        if inside:
            yield max(inside)[1]


def _defined_outside(text: str, start: int, end: int) -> set[str]:
    """The names that are assigned in these lines, at the level of the module or of a class."""
    names: set[str] = set()
    level: list[ast.stmt] = list(_tree(text).body)
    for statement in level:
        if isinstance(statement, ast.ClassDef):
            level += statement.body
        elif not isinstance(statement, FUNCTIONS) and statement.lineno <= end and start < (statement.end_lineno or 0):
            stored = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            names |= {name.id for name in stored}
    return names


def _users(text: str, names: set[str]) -> Iterator[str]:
    """The functions of a file that use one of the names."""
    for _, _, name, node in _functions(text):
        used = (
            n.id if isinstance(n, ast.Name) else n.attr if isinstance(n, ast.Attribute) else "" for n in ast.walk(node)
        )
        if any(each in names for each in used):
            yield name


@functools.lru_cache(maxsize=1000)
def _functions(text: str) -> tuple[tuple[int, int, str, ast.AST], ...]:
    """The first line, the last, the name and the tree of each function."""
    found: list[tuple[int, int, str, ast.AST]] = []
    stack: list[tuple[ast.AST, str]] = [(_tree(text), "")]
    while stack:
        node, prefix = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                found.append((first, child.end_lineno or child.lineno, prefix + child.name, child))
                stack.append((child, f"{prefix}{child.name}."))
            else:
                stack.append((child, f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix))
    return tuple(found)


def _tree(text: str) -> ast.Module:
    """The file's tree, an empty one where the text is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module(body=[], type_ignores=[])
