"""What a later text of a module takes back of what an earlier one had changed in it."""

from __future__ import annotations

import ast

from treadle.core.tree.bound_names import Body, Definition, body_of, bound
from treadle.core.tree.shapes import shape


def undone(first: str, between: str, now: str) -> set[str]:
    """The definitions and constants that were changed, or new, and are again as they were at first."""
    was, then, later = (_code(body_of(text) or ()) for text in (first, between, now))
    return {name for name, code in then.items() if was.get(name) != code and was.get(name) == later.get(name)}


def _code(body: Body) -> dict[str, tuple[object, ...]]:
    """What they are, by their names: of classes what is in them, each on its own."""
    found: dict[str, tuple[object, ...]] = {}
    for each in body:
        if isinstance(each, ast.ClassDef):
            found[each.name] = shape([each.bases, each.keywords, each.decorator_list])
            found |= {f"{each.name}.{name}": code for name, code in _code(each.body).items()}
        elif isinstance(each, Definition | ast.Assign | ast.AnnAssign):
            found |= {name: (*found.get(name, ()), shape(each)) for name in bound([each])}
    return found
