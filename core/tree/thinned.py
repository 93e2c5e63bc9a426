"""What a definition that is still there has lost of itself: bases, parameters, entries of a table, most of its body."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from treadle.core.tree.bound_names import Body, Function, functions, spoken
from treadle.core.tree.shapes import shape

_FEW_ENTRIES, _ENTRIES_LOST = 3, 0.3
_FEW_STATEMENTS, _STATEMENTS_LOST = 8, 0.5
_BUILDS = ("dict", "frozenset", "list", "set", "tuple")


class Thinned(NamedTuple):
    """What the definition of a name has `lost`, as it is told, and the names of what that is."""

    name: str
    parts: tuple[str, ...]
    lost: str
    is_body: bool = False


def thinned(before: Body, after: Body) -> Iterator[Thinned]:
    """Where nothing new has come in its place, which would be the reason why it went."""
    yield from _bases(before, after)
    now = dict(functions(after))
    for name, each in functions(before):
        if name in now and not name.rpartition(".")[2].startswith("test"):
            yield from _parameters(name, each, now[name])
            yield from _body(name, each, now[name])
    yield from _entries(before, after)


def _bases(before: Body, after: Body) -> Iterator[Thinned]:
    now = {each.name: each for each in after if isinstance(each, ast.ClassDef)}
    for each in before:
        if isinstance(each, ast.ClassDef) and each.name in now:
            was, bases = ({shape(base): _called(base) for base in node.bases} for node in (each, now[each.name]))
            if not bases.keys() - was.keys():
                for lost in was.keys() - bases.keys() - {shape(ast.Name("object", ast.Load()))}:
                    yield Thinned(each.name, (was[lost],), f"the base {was[lost]} of {each.name}")


def _called(base: ast.expr) -> str:
    """Its last name: all of it may be deeper than can be written out."""
    while isinstance(base, ast.Subscript | ast.Call):
        base = base.value if isinstance(base, ast.Subscript) else base.func
    return base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else "that is made"


def _parameters(name: str, before: Function, after: Function) -> Iterator[Thinned]:
    was, now = _named(before), _named(after)
    takes_any = after.args.vararg or after.args.kwarg
    if not (name.rpartition(".")[2].startswith("_") or takes_any or set(now) - set(was)):
        for lost in was:
            if lost not in now:
                yield Thinned(name, (lost,), f"the parameter {lost} of {name}")


def _named(function: Function) -> list[str]:
    arguments = function.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _body(name: str, before: Function, after: Function) -> Iterator[Thinned]:
    was, now = _statements(before), _statements(after)
    is_cut = was >= _FEW_STATEMENTS and 0 < now <= was * _STATEMENTS_LOST
    if is_cut and not spoken([after]) - spoken([before]):
        yield Thinned(name, (name,), f"most of the body of {name}", is_body=True)


def _statements(function: Function) -> int:
    return sum(isinstance(each, ast.stmt) for each in ast.walk(function)) - 1


def _entries(before: Body, after: Body) -> Iterator[Thinned]:
    now = dict(_tables(after))
    for name, entries in _tables(before):
        if name in now and entries:
            lost = entries.keys() - now[name].keys()
            is_cut = len(lost) >= _FEW_ENTRIES and len(lost) >= len(entries) * _ENTRIES_LOST
            if is_cut and not now[name].keys() - entries.keys():
                parts = tuple(entries[each] for each in lost)
                yield Thinned(name, parts, f"{len(lost)} of the {len(entries)} entries of {name}")


def _tables(body: Body) -> Iterator[tuple[str, dict[tuple[object, ...], str]]]:
    """The collections at the top that are written out, each with its keys or elements, and what these say."""
    for each in body:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            value = each.value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _BUILDS:
                value = value.args[0] if value.args else None
            parts = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", None)
            if isinstance(target, ast.Name) and parts is not None:
                yield target.id, {shape(part): str(getattr(part, "value", "")) for part in parts if part is not None}
