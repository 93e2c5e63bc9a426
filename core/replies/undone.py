"""What a later text of a module takes back of what an earlier one had changed in it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from treadle.core.tree.bound_names import Body, Definition, bound
from treadle.core.tree.shapes import shape


def undone(first: Body, between: Body, now: Body, *, among: Collection[str] | None = None) -> set[str]:
    """The definitions and constants (those `among` some, if any are given) that were changed, or new, and are again as
    they were at first."""
    was, then, later = map(_code, (first, between, now))
    names = then.keys() if among is None else then.keys() & set(among)
    return {
        name for name in names if (old := shape(was.get(name))) != shape(then[name]) and old == shape(later.get(name))
    }


def _code(body: Body) -> dict[str, list[object]]:
    """What they are, by their names: of classes what is in them, each on its own."""
    found: dict[str, list[object]] = {}
    for each in body:
        if isinstance(each, ast.ClassDef):
            found[each.name] = [each.bases, each.keywords, each.decorator_list]
            found |= {f"{each.name}.{name}": code for name, code in _code(each.body).items()}
        elif isinstance(each, Definition | ast.Assign | ast.AnnAssign):
            for name in bound([each]):
                found.setdefault(name, []).append(each)
    return found
