"""What a function puts into containers, looks up in them and goes through. Each is a fact as those in `facts`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from treadle.plugins.generation.search.facts import CONTAINERS, Texts, names_in
from treadle.plugins.generation.search.loose_ends import attribute_of_self
from treadle.plugins.generation.search.source import SourceFile

_PUTTING = frozenset({"append", "add"})
_GOING = frozenset({"range", "len", "enumerate", "zip", "sorted", "reversed", "list", "set", "map"})


@dataclass(frozen=True)
class Indices:
    """`at`: what is looked into, by each name in the index. `long`: what the length is taken of. `counted`: the names
    that go through a range."""

    at: dict[str, Texts]
    long: Texts
    counted: frozenset[str]


def indices(file: SourceFile, function: ast.AST) -> Indices:
    """How things are looked into."""
    at: dict[str, dict[str, None]] = {}
    long: dict[str, None] = {}
    counted: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, CONTAINERS):
            for name in names_in(file, node.slice) if not isinstance(node.slice, ast.Slice) else ():
                at.setdefault(name, {}).setdefault(file.text_of(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            long.update((file.text_of(value), None) for value in node.args[:1] if isinstance(value, CONTAINERS))
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            is_range = isinstance(node.iter, ast.Call) and file.text_of(node.iter.func) == "range"
            counted.update([node.target.id] if is_range else ())
    return Indices({name: tuple(texts) for name, texts in at.items()}, tuple(long), frozenset(counted))


def looped_over(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The variables of the loops over a name: characters, where that is a text."""
    loops = (n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension))
    return frozenset(n.target.id for n in loops if isinstance(n.target, ast.Name) and isinstance(n.iter, CONTAINERS))


def added_to(file: SourceFile, function: ast.AST) -> Texts:
    """What something is put into, as it is written there."""
    calls = (n.func for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    return tuple(dict.fromkeys(file.text_of(func.value) for func in calls if func.attr in ("append", "add")))


def cuts(file: SourceFile, node: ast.AST) -> dict[str, tuple[tuple[str, str], ...]]:
    """The slices with one bound of each name and attribute, as their lower and upper bounds."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice) and isinstance(each.value, CONTAINERS):
            bounds = [file.text_of(b) if b is not None else "" for b in (each.slice.lower, each.slice.upper)]
            if each.slice.step is None and bounds.count("") == 1:
                found.setdefault(file.text_of(each.value), {}).setdefault((bounds[0], bounds[1]))
    return {name: tuple(slices) for name, slices in found.items()}


def items(file: SourceFile, function: ast.AST) -> Texts:
    """The items that are looked up at a place that a name tells."""
    found = (n for n in ast.walk(function) if isinstance(n, ast.Subscript))
    return tuple(dict.fromkeys(file.text_of(n) for n in found if not isinstance(n.slice, ast.Slice | ast.Constant)))


def containers_of_self(file: SourceFile, owner: ast.AST) -> Texts:
    """The attributes of the object that something is looked up or put in, as `self.name`."""
    found: dict[str, None] = {}
    for node in ast.walk(owner):
        value: ast.AST | None = None
        if isinstance(node, ast.Subscript):
            value = node.value
        elif isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.In | ast.NotIn):
            value = node.comparators[-1]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
            value = node.args[0]
        if value is not None and (name := attribute_of_self(value)):
            found.setdefault(f"self.{name}")
    return tuple(found)


def fed_in_loop(file: SourceFile, loop: ast.For | ast.While) -> tuple[tuple[str, str, str], ...]:
    """The statements on one line that put a value into a container in the loop, or change something by it, each as the
    text before the value, the value, and the text behind."""
    found: dict[tuple[str, str, str], None] = {}
    for node in ast.walk(loop):
        value = (
            node.value if isinstance(node, ast.AugAssign) else _put(node.value) if isinstance(node, ast.Expr) else None
        )
        if value is not None and "\n" not in file.text_of(node):
            (start, end), (first, last) = file.span(node), file.span(value)
            parent = file.parents[value]
            if isinstance(value, ast.GeneratorExp) and isinstance(parent, ast.Call) and last == file.span(parent)[1]:
                first, last = first + 1, last - 1  # its parentheses are those of the call
            found.setdefault((file.text[start:first], file.text[first:last], file.text[last:end]))
    return tuple(found)


def counted(file: SourceFile, function: ast.AST) -> Texts:
    """What it goes through, or takes the length or the sum of: what has a count of items."""
    found: dict[str, None] = {}
    for node in ast.walk(function):
        value: ast.AST | None = None
        if isinstance(node, ast.For | ast.comprehension):
            value = node.iter
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("len", "sum"):
            value = next(iter(node.args), None)
        if isinstance(value, CONTAINERS):
            found.setdefault(file.text_of(value))
    return tuple(found)


def gone_through(file: SourceFile, function: ast.AST) -> Texts:
    """The variables that loops go through, as a whole or in part."""
    over = (n.iter for n in ast.walk(function) if isinstance(n, ast.For))
    return tuple(
        dict.fromkeys(n.id for each in over for n in ast.walk(each) if isinstance(n, ast.Name) and n.id not in _GOING)
    )


def _put(node: ast.expr) -> ast.expr | None:
    """What a call puts into a container."""
    puts = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTTING
    return node.args[0] if isinstance(node, ast.Call) and puts and len(node.args) == 1 else None


def memberships(file: SourceFile, function: ast.AST) -> dict[str, Texts]:
    """What is asked to be in each thing, or put into it, by the text of that thing."""
    found: dict[str, dict[str, None]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found.setdefault(file.text_of(node.comparators[0]), {}).setdefault(file.text_of(node.left))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (value := _put(node)):
            found.setdefault(file.text_of(node.func.value), {}).setdefault(file.text_of(value))
    return {thing: tuple(texts) for thing, texts in found.items()}


def sliced(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The variables of which a part is taken."""
    found = (n for n in ast.walk(function) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Slice))
    return frozenset(n.value.id for n in found if isinstance(n.value, ast.Name))
