"""What a function, a class or a file says, worked out from its nodes.

An operator is asked at each node of a function. To walk the function each time would take the square of its length: so
each fact here is of the whole, is asked for with `Surroundings.once`, and does not depend on the node at hand.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

from treadle.plugins.generation.search.loose_ends import attribute_of_self
from treadle.plugins.generation.search.scope import arity, own_nodes
from treadle.plugins.generation.search.source import FUNCTIONS, FunctionNode, SourceFile

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Delete, ast.Assert)
"""Statements that hold no others."""
_SHORT_CALL = 40
_PUTTING = frozenset({"append", "add"})
_GOING = frozenset({"range", "len", "enumerate", "zip", "sorted", "reversed", "list", "set", "map"})
_CONTAINERS = (ast.Name, ast.Attribute)
_SCOPES = (*FUNCTIONS, ast.ClassDef)

Texts = tuple[str, ...]
"""Each once, in the order of the text."""


@dataclass(frozen=True)
class Indices:
    """`at`: what is looked into, by each name in the index. `long`: what the length is taken of. `counted`: the names
    that go through a range."""

    at: dict[str, Texts]
    long: Texts
    counted: frozenset[str]


@dataclass(frozen=True)
class Names:
    """`read`: names in the order in which they are read, with the first line; to add to one is to read it, too.
    `bound`: those that anything inside binds. `of_comprehensions`: those of them that only a comprehension does."""

    read: dict[str, int]
    bound: frozenset[str]
    of_comprehensions: frozenset[str]


def indices(file: SourceFile, function: ast.AST) -> Indices:
    """How things are looked into."""
    at: dict[str, dict[str, None]] = {}
    long: dict[str, None] = {}
    counted: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, _CONTAINERS):
            for name in names_in(file, node.slice) if not isinstance(node.slice, ast.Slice) else ():
                at.setdefault(name, {}).setdefault(file.text_of(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            long.update((file.text_of(value), None) for value in node.args[:1] if isinstance(value, _CONTAINERS))
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            is_range = isinstance(node.iter, ast.Call) and file.text_of(node.iter.func) == "range"
            counted.update([node.target.id] if is_range else ())
    return Indices({name: tuple(texts) for name, texts in at.items()}, tuple(long), frozenset(counted))


def names_in(file: SourceFile, node: ast.AST) -> dict[str, None]:
    """All the names in it, in the order of the text."""
    return dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def names_of_block(file: SourceFile, first: ast.stmt) -> frozenset[str]:
    """The names in the block that begins with this statement, and in its head."""
    parent = file.parents.get(first)
    names = (getattr(parent, name, None) for name in ("test", "iter", "target"))
    head = [] if isinstance(parent, ast.Module | ast.ClassDef) else [part for part in names if part is not None]
    return frozenset().union(*(names_in(file, node) for node in (*head, *file.block_of(first))))


def looped_over(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The variables of the loops over a name: characters, where that is a text."""
    loops = (n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension))
    return frozenset(n.target.id for n in loops if isinstance(n.target, ast.Name) and isinstance(n.iter, _CONTAINERS))


def added_to(file: SourceFile, function: ast.AST) -> Texts:
    """What something is put into, as it is written there."""
    calls = (n.func for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    return tuple(dict.fromkeys(file.text_of(func.value) for func in calls if func.attr in ("append", "add")))


def cuts(file: SourceFile, node: ast.AST) -> dict[str, tuple[tuple[str, str], ...]]:
    """The slices with one bound of each name and attribute, as their lower and upper bounds."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for each in ast.walk(node):
        if (
            isinstance(each, ast.Subscript)
            and isinstance(each.slice, ast.Slice)
            and isinstance(each.value, _CONTAINERS)
        ):
            bounds = [file.text_of(b) if b is not None else "" for b in (each.slice.lower, each.slice.upper)]
            if each.slice.step is None and bounds.count("") == 1:
                found.setdefault(file.text_of(each.value), {}).setdefault((bounds[0], bounds[1]))
    return {name: tuple(slices) for name, slices in found.items()}


def items(file: SourceFile, function: ast.AST) -> Texts:
    """The items that are looked up at a place that a name tells."""
    found = (n for n in ast.walk(function) if isinstance(n, ast.Subscript))
    return tuple(dict.fromkeys(file.text_of(n) for n in found if not isinstance(n.slice, ast.Slice | ast.Constant)))


def functions_in(file: SourceFile, function: ast.AST) -> dict[str, int]:
    """The functions that it defines and can call by their names, with how many arguments each needs."""
    found = (n for n in ast.walk(function) if isinstance(n, FUNCTIONS) and n is not function)
    own = (n for n in found if next(a for a in file.ancestors(n) if isinstance(a, _SCOPES)) is function)
    return {n.name: arity(n)[0] for n in own if n.name != getattr(function, "name", "")}


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


def fed_in_loop(file: SourceFile, loop: ast.For | ast.While) -> Texts:
    """What the loop puts its values into, as `name.append`, or adds them to, as `name +=`."""
    found: dict[str, None] = {}
    for node in ast.walk(loop):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            found.setdefault(f"{node.target.id} +=")
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "add")
        ):
            found.setdefault(file.text_of(node.func))
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
        if isinstance(value, _CONTAINERS):
            found.setdefault(file.text_of(value))
    return tuple(found)


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


def calls_of_values(file: SourceFile, function: ast.AST) -> tuple[tuple[str, str, str], ...]:
    """Short calls whose result is used, each as the text before one of its values, the value, and the text behind."""
    found: dict[tuple[str, str, str], None] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or isinstance(file.parents.get(node), ast.Expr):
            continue
        start, end = file.span(node)
        for value in (*node.args[:2], *([node.func.value] if isinstance(node.func, ast.Attribute) else ())):
            if isinstance(value, ast.Name | ast.Subscript) and end - start <= _SHORT_CALL:
                first, last = file.span(value)
                found.setdefault((file.text[start:first], file.text[first:last], file.text[last:end]))
    return tuple(found)


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


def parameters_of(file: SourceFile, tree: ast.AST) -> dict[str, Texts]:
    """The parameters of the functions, in their order, by the function's name."""
    functions = (n for n in ast.walk(tree) if isinstance(n, FUNCTIONS))
    return {f.name: tuple(a.arg for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)) for f in functions}


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


def gone_through(file: SourceFile, function: ast.AST) -> Texts:
    """The variables that loops go through, as a whole or in part."""
    over = (n.iter for n in ast.walk(function) if isinstance(n, ast.For))
    return tuple(
        dict.fromkeys(n.id for each in over for n in ast.walk(each) if isinstance(n, ast.Name) and n.id not in _GOING)
    )


def given_back(file: SourceFile, function: FunctionNode) -> Texts:
    """What the function returns or yields, as it is written."""
    found = (n for n in own_nodes(function) if isinstance(n, ast.Return | ast.Yield | ast.YieldFrom))
    return tuple(file.text_of(n.value) for n in found if n.value is not None)


def feeding_in_loop(file: SourceFile, loop: ast.For | ast.While) -> Texts:
    """The statements on one line that put something into a container in the loop, or add to something."""
    adds = (n for n in ast.walk(loop) if isinstance(n, ast.Expr | ast.AugAssign))
    texts = (file.text_of(n) for n in adds if isinstance(n, ast.AugAssign) or _puts(n.value))
    return tuple(dict.fromkeys(text for text in texts if "\n" not in text))


def _puts(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTTING


def memberships(file: SourceFile, function: ast.AST) -> dict[str, Texts]:
    """What is asked to be in each thing, or put into it, by the text of that thing."""
    found: dict[str, dict[str, None]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found.setdefault(file.text_of(node.comparators[0]), {}).setdefault(file.text_of(node.left))
        elif isinstance(node, ast.Call) and _puts(node) and len(node.args) == 1:
            assert isinstance(node.func, ast.Attribute)
            found.setdefault(file.text_of(node.func.value), {}).setdefault(file.text_of(node.args[0]))
    return {thing: tuple(texts) for thing, texts in found.items()}


def sliced(file: SourceFile, function: ast.AST) -> frozenset[str]:
    """The variables of which a part is taken."""
    found = (n for n in ast.walk(function) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Slice))
    return frozenset(n.value.id for n in found if isinstance(n.value, ast.Name))


def simple_statements(file: SourceFile, function: ast.AST) -> Counter[str]:
    """How often each simple statement stands there."""
    return Counter(file.text_of(n) for n in ast.walk(function) if isinstance(n, SIMPLE))


def keys(file: SourceFile, tree: ast.AST) -> Texts:
    """What is given as `key`, the last first."""
    found = [file.text_of(n.value) for n in ast.walk(tree) if isinstance(n, ast.keyword) and n.arg == "key"]
    return tuple(dict.fromkeys(reversed(found)))


def raised(file: SourceFile, tree: ast.AST) -> Texts:
    """The exceptions that are raised by a plain name."""
    kinds = (n.exc.func if isinstance(n.exc, ast.Call) else n.exc for n in ast.walk(tree) if isinstance(n, ast.Raise))
    return tuple(dict.fromkeys(kind.id for kind in kinds if isinstance(kind, ast.Name)))
