"""The names that a text of Python binds, uses and speaks of, and which of them another one has no more."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from treadle.core.errors import SourceError
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import parse

Import = ast.Import | ast.ImportFrom
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Body = Sequence[ast.stmt]


def body_of(text: str) -> Body | None:
    """The statements at its top; None for what is no Python."""
    try:
        return parse(text).body
    except (SyntaxError, SourceError):
        return None


def has_docstring(body: Body) -> bool:
    """Whether it begins with a text that says what it is."""
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def without_docstring(body: Body) -> Body:
    """The statements behind it."""
    return body[1:] if has_docstring(body) else body


def bound(body: Body) -> set[str]:
    """The names that are bound at the top, and in its classes (`Class.name`)."""
    return set(_names(body, inside=""))


def bound_by(node: ast.AST) -> Iterator[str | None]:
    """The names that this node itself binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, Definition | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        yield node.name
    elif isinstance(node, Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def imported(body: Iterable[ast.stmt]) -> set[str | None]:
    """The names that any import binds."""
    return {name for node in _at_any_depth(body) if isinstance(node, Import) for name in bound_by(node)}


def _at_any_depth(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """The statements, and those within them: of what they say, nothing is looked at."""
    left: list[ast.AST] = list(body)
    while left:
        each = left.pop()
        yield each
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            within = getattr(each, name, ())
            left.extend(within if isinstance(within, list) else ())


def used(body: Iterable[ast.stmt]) -> set[str]:
    """The names that are read somewhere, and bound nowhere."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read - {name for node in nodes for name in bound_by(node)}


def spoken(body: Iterable[ast.AST]) -> set[str]:
    """The names that occur there, those of attributes among them."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return found | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def functions(body: Body, inside: str = "") -> Iterator[tuple[str, Function]]:
    """The functions at the top, and the methods of its classes (`Class.name`)."""
    for each in body:
        if isinstance(each, Function):
            yield inside + each.name, each
        elif isinstance(each, ast.ClassDef) and not inside:
            yield from functions(each.body, f"{each.name}.")


def lost_without_reason(before: Body, after: Body) -> set[str]:
    """The definitions and constants (and `Class.name`) that the first binds and the second does not, as far as nothing
    that is still there spoke of them, or something does so still. What did, and does no more, is the reason why they
    went: they were renamed, moved, or written out in their place."""
    there = bound(after)
    if "*" in there:
        return set()
    lost = bound(before) - there - imported(before) - _brought_by_heads(before, after)
    called = spoken(part for name, part in _parts(before) if name in there)
    if any(map(is_main_block, after)):
        called |= spoken(each for each in before if is_main_block(each))
    nodes = [node for statement in after for node in ast.walk(statement)]
    of_modules, of_classes = called - used(after), called - {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    return {name for name in lost if name.rpartition(".")[2] not in (of_classes if "." in name else of_modules)}


def _brought_by_heads(before: Body, after: Body) -> set[str]:
    """The special methods of classes that have a decorator or a base now that they had not, which brings such methods
    (`@dataclass`), or that are bound otherwise now (`namedtuple`)."""
    now = {each.name: each for each in after if isinstance(each, ast.ClassDef)}
    found: set[str] = set()
    for each in before:
        if isinstance(each, ast.ClassDef) and (each.name not in now or _head(now[each.name]) - _head(each)):
            names = _names(each.body, f"{each.name}.")
            found |= {name for name in names if name.endswith("__") and name.rpartition(".")[2].startswith("__")}
    return found


def _head(each: ast.ClassDef) -> set[object]:
    return {shape(part) for part in (*each.decorator_list, *each.bases)}


def outermost(names: set[str]) -> set[str]:
    """The names without those in a class that is among them."""
    return {name for name in names if "." not in name or name.partition(".")[0] not in names}


def is_main_block(statement: ast.stmt) -> bool:
    """Whether it is the one that is run where the module is started as a program."""
    return isinstance(statement, ast.If) and "__name__" in spoken([statement.test])


def _parts(body: Body) -> Iterator[tuple[str, ast.AST]]:
    """What is bound, by its name: of a class that which is bound in it, and its head."""
    for each in body:
        if isinstance(each, ast.ClassDef):
            yield from ((each.name, part) for part in (*each.bases, *each.keywords, *each.decorator_list))
        inside, parts = (f"{each.name}.", each.body) if isinstance(each, ast.ClassDef) else ("", [each])
        yield from ((name, part) for part in parts for name in _names([part], inside))


def _with_branches(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements, and those that are run among them under a condition."""
    left = deque(body)
    while left:
        each = left.popleft()
        yield each
        if isinstance(each, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            left.extend(node for node in ast.iter_child_nodes(each) if isinstance(node, ast.stmt | ast.ExceptHandler))


def _names(body: Iterable[ast.stmt], inside: str) -> Iterator[str]:
    for statement in _with_branches(body):
        if isinstance(statement, Definition):
            yield inside + statement.name
            if isinstance(statement, ast.ClassDef) and not inside:
                yield from _names(statement.body, f"{statement.name}.")
        elif isinstance(statement, Import):
            yield from (f"{inside}{name}" for name in bound_by(statement))
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (inside + target.id for target in targets if isinstance(target, ast.Name))
