"""What a function, a class or a file says, worked out from its nodes.

An operator is asked at each node of a function. To walk the function each time would take the square of its length: so
each fact here is of the whole, is asked for with `Surroundings.once`, and does not depend on the node at hand.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

from treadle.plugins.generation.search.loose_ends import attribute_of_self
from treadle.plugins.generation.search.scope import own_nodes
from treadle.plugins.generation.search.source import FunctionNode, SourceFile

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Delete, ast.Assert)
"""Statements that hold no others."""
CONTAINERS = (ast.Name, ast.Attribute)

Texts = tuple[str, ...]
"""Each once, in the order of the text."""


@dataclass(frozen=True)
class Names:
    """`read`: names in the order in which they are read, with the first line; to add to one is to read it, too.
    `bound`: those that anything inside binds. `of_comprehensions`: those of them that only a comprehension does."""

    read: dict[str, int]
    bound: frozenset[str]
    of_comprehensions: frozenset[str]


def names_in(file: SourceFile, node: ast.AST) -> dict[str, None]:
    """All the names in it, in the order of the text."""
    return dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def names_of_block(file: SourceFile, first: ast.stmt) -> frozenset[str]:
    """The names in the block that begins with this statement, and in its head."""
    parent = file.parents.get(first)
    names = (getattr(parent, name, None) for name in ("test", "iter", "target"))
    head = [] if isinstance(parent, ast.Module | ast.ClassDef) else [part for part in names if part is not None]
    return frozenset().union(*(names_in(file, node) for node in (*head, *file.block_of(first))))


def attributes_of_names(file: SourceFile, node: ast.AST) -> tuple[ast.Attribute, ...]:
    """The attributes of names that are no methods that are called, and no arguments of a call."""
    found = (n for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    return tuple(n for n in found if not isinstance(file.parents.get(n), ast.Call))


def attributes_by_name(file: SourceFile, node: ast.AST) -> dict[str, Texts]:
    """The attributes of each name."""
    found: dict[str, dict[str, None]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            found.setdefault(each.value.id, {}).setdefault(each.attr)
    return {name: tuple(attributes) for name, attributes in found.items()}


def attributes_used(file: SourceFile, node: ast.AST) -> dict[tuple[str, bool], Texts]:
    """The attributes of each thing, by its text, and those of all things, by the empty one; the called ones apart."""
    found: dict[tuple[str, bool], dict[str, None]] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute):
            parent = file.parents.get(each)
            called = isinstance(parent, ast.Call) and parent.func is each
            for thing in ("", file.text_of(each.value)):
                found.setdefault((thing, called), {}).setdefault(each.attr)
    return {each: tuple(attributes) for each, attributes in found.items()}


def begun(file: SourceFile, function: ast.AST) -> dict[str, ast.expr]:
    """What each variable is first assigned."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, node.value)
    return found


def names_bound(file: SourceFile, node: ast.AST) -> dict[str, None]:
    """The names that get a value in it, in the order of the text."""
    found = (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return dict.fromkeys(n.id for n in sorted(found, key=lambda n: (n.lineno, n.col_offset)))


def unmoved_in_loop(file: SourceFile, loop: ast.While) -> Texts:
    """The names that the loop asks of, whose values its body leaves as they are: it gives them no other, calls none of
    their methods and, where more is asked than how they compare, hands them to no function."""
    called = {n.func for n in ast.walk(loop.test) if isinstance(n, ast.Call)}
    asked = [n for n in ast.walk(loop.test) if isinstance(n, ast.Name) and n not in called]
    moved = set(names_bound(file, loop))
    for node in (inner for statement in loop.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Call):
            handed = [] if isinstance(loop.test, ast.Compare) else node.args
            of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            moved.update(n.id for n in (*of, *handed) if isinstance(n, ast.Name))
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            moved.update(names_in(file, node.value))
    return tuple(dict.fromkeys(n.id for n in asked if n.id not in moved))


def numbers(file: SourceFile, function: ast.AST) -> Texts:
    """The numbers that are written there."""
    constants = (n.value for n in ast.walk(function) if isinstance(n, ast.Constant))
    return tuple(dict.fromkeys(repr(value) for value in constants if type(value) in (int, float)))


def strings(file: SourceFile, function: ast.AST) -> Texts:
    """The strings that are written there, those within formatted ones left out."""
    found = (n for n in ast.walk(function) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value)
    return tuple(dict.fromkeys(file.text_of(n) for n in found if not isinstance(file.parents.get(n), ast.JoinedStr)))


def attributes_of_self(file: SourceFile, function: ast.AST) -> Texts:
    """The attributes of the object."""
    return tuple(dict.fromkeys(name for node in ast.walk(function) if (name := attribute_of_self(node))))


def names(file: SourceFile, function: ast.AST) -> Names:
    """The names that are read and bound."""
    read: dict[str, int] = {}
    bound: set[str] = set()
    of_comprehensions: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read[node.id] = min(read.get(node.id, node.lineno), node.lineno)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read[node.target.id] = min(read.get(node.target.id, node.target.lineno), node.target.lineno)
        elif isinstance(node, ast.comprehension):
            of_comprehensions.update(names_in(file, node.target))
    return Names(read, frozenset(bound), frozenset(of_comprehensions))


def lines_of_names(file: SourceFile, function: ast.AST) -> dict[str, tuple[int, ...]]:
    """The lines that speak of each name, its own parameters among them."""
    found: dict[str, dict[int, None]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name | ast.arg):
            found.setdefault(node.id if isinstance(node, ast.Name) else node.arg, {}).setdefault(node.lineno)
    return {name: tuple(lines) for name, lines in found.items()}


def names_read(file: SourceFile, node: ast.AST) -> Texts:
    """The names that are read."""
    return tuple(dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)))


def names_read_by(file: SourceFile, statement: ast.stmt) -> tuple[ast.Name, ...]:
    """Where the statement itself reads a name, not the statements in it; without formatted strings, in which the places
    of names are not to be relied on."""
    found: list[ast.Name] = []
    waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.append(node)
        if not isinstance(node, ast.JoinedStr):
            waiting[:0] = ast.iter_child_nodes(node)
    return tuple(found)


def changed_in_loops(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The variables that loops give another value."""
    loops = (n for n in ast.walk(function) if isinstance(n, ast.For | ast.While))
    stored = (n for loop in loops for statement in loop.body for n in ast.walk(statement) if isinstance(n, ast.Name))
    return frozenset(n.id for n in stored if isinstance(n.ctx, ast.Store))


def changed(file: SourceFile, statement: ast.stmt) -> frozenset[str]:
    """What the statement, or one in it, gives another value, puts an item into, or only calls a method of."""
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found.append(node.value if isinstance(node, ast.Subscript) else node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found += [node.value.func.value] if isinstance(node.value.func, ast.Attribute) else []
    return frozenset(file.text_of(node) for node in found)


def given_back(file: SourceFile, function: FunctionNode) -> Texts:
    """What the function returns or yields, as it is written."""
    found = (n for n in own_nodes(function) if isinstance(n, ast.Return | ast.Yield | ast.YieldFrom))
    return tuple(file.text_of(n.value) for n in found if n.value is not None)


def simple_statements(file: SourceFile, function: ast.AST) -> Counter[str]:
    """How often each simple statement stands there."""
    return Counter(file.text_of(n) for n in ast.walk(function) if isinstance(n, SIMPLE))


def raised(file: SourceFile, tree: ast.AST) -> Texts:
    """The exceptions that are raised by a plain name."""
    kinds = (n.exc.func if isinstance(n.exc, ast.Call) else n.exc for n in ast.walk(tree) if isinstance(n, ast.Raise))
    return tuple(dict.fromkeys(kind.id for kind in kinds if isinstance(kind, ast.Name)))
