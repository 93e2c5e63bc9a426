"""The imports that come with a part of a module, put among those of the module."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set
from itertools import takewhile

from treadle.core.replies.line_changes import LineChanges, NoPlaceError
from treadle.core.replies.module_text import ModuleText
from treadle.core.replies.statement_lines import above, span
from treadle.core.tree.bound_names import Definition, Import, has_docstring

_Binding = tuple[str | None, int, str, str]


def add_imports(changes: LineChanges, old: ModuleText, imports: Sequence[Import]) -> None:
    """Behind the last import before any definition, else behind the docstring, else above all statements. Of the
    imports from the future, which are above all others, only that has a place which changes nothing that runs."""
    future = [each for each in imports if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    if any(alias.name != "annotations" for each in future for alias in each.names):
        raise NoPlaceError
    before = old.statements
    head = takewhile(lambda each: not isinstance(each, Definition), before)
    heads: list[ast.stmt] = [each for each in head if isinstance(each, Import)]
    heads = heads or list(before[:1] if has_docstring(before) else ())
    line = span(heads[-1])[1] if heads else above(changes.old, before[0])
    top = span(before[0])[1] if has_docstring(before) else above(changes.old, before[0])
    for each in future:
        new = ast.unparse(each)
        changes.put(top, top, ["", new] if has_docstring(before) else [new, ""])
    there = {binding for other in before if isinstance(other, Import) for binding in _bindings(other)}
    own = old.bound - old.imported
    for brought in imports:
        needed = _needed(brought, there, own) if brought not in future else None
        if needed is not None:
            changes.put(line, line, ast.unparse(needed).split("\n"))


def _needed(each: Import, there: Set[_Binding], own: Set[str]) -> Import | None:
    """An import without what the module has imported so, or defines itself: a part may come with the imports of
    who uses it, from the very module."""
    kept = [
        alias
        for alias, binding in zip(each.names, _bindings(each), strict=True)
        if binding not in there and binding[-1] not in own
    ]
    if not kept:
        return None
    if isinstance(each, ast.Import):
        return ast.Import(names=kept)
    return ast.ImportFrom(module=each.module, names=kept, level=each.level)


def _bindings(each: Import) -> list[_Binding]:
    """Of each name in an import from where it is, what it is there, and which name is bound to it."""
    module, level = (each.module, each.level) if isinstance(each, ast.ImportFrom) else (None, 0)
    return [(module, level, alias.name, alias.asname or alias.name.partition(".")[0]) for alias in each.names]
