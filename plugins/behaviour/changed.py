"""Which functions a change is about: those whose text it changes, and those that use a name whose definition it changes
outside of any function."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator

from treadle.core.patches.matching import opcodes
from treadle.plugins.behaviour.runners.definitions import FUNCTIONS, Definition, definitions


def changed_between(old: str, new: str) -> tuple[set[str], set[str]]:
    """The functions that differ between two texts of a file, and the names that are defined otherwise outside of
    functions, at the level of the module or of a class."""
    were, are = set[int](), set[int]()  # lines, from 1
    for tag, start, end, new_start, new_end in opcodes(_lines(old), _lines(new)):
        if tag != "equal":
            # What was taken out or put in changes the function that holds the lines around it.
            were.update(range(start + 1, max(end, start + 1) + 1))
            are.update(range(new_start + 1, max(new_end, new_start + 1) + 1))
    return _around(old, were) | _around(new, are), {name for name, _ in _defined_outside(old) ^ _defined_outside(new)}


def users(text: str, names: Collection[str]) -> Iterator[str]:
    """The functions of a file that use one of the names."""
    named = {name for name in names if name in text}  # most files name none, and need not be parsed
    for function in _functions(text) if named else ():
        nodes = ast.walk(function.node)
        used = (n.id if isinstance(n, ast.Name) else n.attr if isinstance(n, ast.Attribute) else "" for n in nodes)
        if any(each in named for each in used):
            yield function.name


def functions_of(text: str) -> dict[int, str]:
    """The functions of a file by the line that their code begins in."""
    return {function.first: function.name for function in _functions(text)}


def _lines(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogatepass").splitlines()  # as Python counts them: at no other sign


def _around(text: str, lines: Collection[int]) -> set[str]:
    """Of the functions of a file, the innermost around each of the lines."""
    innermost: dict[int, str] = {}
    for each in sorted(_functions(text), key=lambda each: (each.first, each.name)) if lines else ():
        innermost.update(dict.fromkeys(range(each.first, each.last + 1), each.name))
    return {innermost[line] for line in lines if line in innermost}


@functools.lru_cache(maxsize=64)
def _defined_outside(text: str) -> frozenset[tuple[str, str]]:
    """The names that are assigned or imported at the level of the module or of a class, each with what does it."""
    found: set[tuple[str, str]] = set()
    level: list[ast.stmt] = list(_tree(text).body)
    for statement in level:
        if isinstance(statement, ast.ClassDef):
            level += statement.body
        elif not isinstance(statement, FUNCTIONS):
            names = {name for node in ast.walk(statement) for name in _names(node)}
            definition = ast.dump(statement) if names else ""
            found |= {(name, definition) for name in names}
    return frozenset(found)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]


@functools.lru_cache(maxsize=64)  # trees of large files: those of the versions at hand, and not of a whole project
def _functions(text: str) -> tuple[Definition, ...]:
    return tuple(definitions(_tree(text)))


@functools.lru_cache(maxsize=8)
def _tree(text: str) -> ast.Module:
    """The file's tree, an empty one where the text is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])
