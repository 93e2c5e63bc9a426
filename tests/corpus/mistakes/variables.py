"""Variable misuse: another name or attribute than was meant."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from tests.corpus.code_text import COMPREHENSIONS, Code, Edit


def _read(code: Code) -> Iterator[ast.Name]:
    """Reads of the function's own names."""
    for node in code.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in code.names_at(node):
            yield node


def another_name(code: Code) -> Iterator[Edit]:
    """Any other name that is bound here."""
    for node in _read(code):
        for name in code.names_at(node):
            if name != node.id:
                yield code.replaced(node, name)


def loop_variables_mixed(code: Code) -> Iterator[Edit]:
    """The variable of the outer loop for that of the inner one, the index for the item."""
    for node in _read(code):
        own = [
            name.id
            for around in code.around(node)
            if isinstance(around, (ast.For, *COMPREHENSIONS))
            for part in ([around] if isinstance(around, ast.For) else around.generators)
            for name in ast.walk(part.target)
            if isinstance(name, ast.Name)
        ]
        if node.id in own:
            for other in own:
                if other != node.id:
                    yield code.replaced(node, other)


def same_one_twice(code: Code) -> Iterator[Edit]:
    """Copied, and the copy not adapted: `a - a` for `a - b`."""
    for node in code.nodes:
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
            parts = node.elts
        elif isinstance(node, ast.Call):
            parts = node.args
        else:
            continue
        simple = [p for p in parts if isinstance(p, ast.Name | ast.Attribute)]
        for one in simple:
            for other in simple:
                if ast.dump(one) != ast.dump(other):
                    yield code.replaced(one, code.of(other))


def written_to_another(code: Code) -> Iterator[Edit]:
    """An assignment that lands in a variable that stands beside the right one."""
    for node in code.nodes:
        if isinstance(node, ast.AugAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
            if isinstance(target, ast.Name):
                for name in code.names_at(node):
                    if name != target.id:
                        yield code.replaced(target, name)


def unpacked_in_another_order(code: Code) -> Iterator[Edit]:
    """`for value, key in` for `for key, value in`."""
    for node in code.nodes:
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store):
            for one, two in itertools.pairwise(node.elts):
                (start, left), (right, end) = code.span(one), code.span(two)
                yield Edit(start, end, code.of(two) + code.text[left:right] + code.of(one))


def raw_for_prepared(code: Code) -> Iterator[Edit]:
    """What a variable was made from, where the variable itself was meant."""
    made: dict[tuple[ast.AST | None, str], list[str]] = {}
    for node in code.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known = code.names_at(node)
            read = [n.id for n in ast.walk(node.value) if isinstance(n, ast.Name) and n.id in known]
            made.setdefault((code.function_of(node), node.targets[0].id), []).extend(read)
    for name in _read(code):
        for raw in dict.fromkeys(made.get((code.function_of(name), name.id), ())):
            if raw != name.id:
                yield code.replaced(name, raw)


def container_for_item(code: Code) -> Iterator[Edit]:
    """The whole that a loop goes over for the item, and the item's index for the item."""
    for node in _read(code):
        for around in code.around(node):
            parts = [around] if isinstance(around, ast.For) else getattr(around, "generators", [])
            for part in parts:
                if isinstance(part.target, ast.Name) and part.target.id == node.id and part.iter is not node:
                    whole = next((n.id for n in ast.walk(part.iter) if isinstance(n, ast.Name)), None)
                    if whole in code.names_at(node) and whole is not None:
                        yield code.replaced(node, whole)
    for item in code.nodes:
        if isinstance(item, ast.Subscript) and isinstance(item.ctx, ast.Load) and isinstance(item.slice, ast.Name):
            yield code.replaced(item, code.of(item.slice))


def another_attribute(code: Code) -> Iterator[Edit]:
    """Another attribute of the same object's class."""
    known: dict[ast.ClassDef | None, dict[str, None]] = {}
    reads = []
    for node in code.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            own = known.setdefault(code.class_of(node) if node.value.id == "self" else None, {})
            if isinstance(node.ctx, ast.Store) or node.value.id != "self":
                parent = code.parents[node]
                if not (isinstance(parent, ast.Call) and parent.func is node):
                    own.setdefault(node.attr)
            if not isinstance(node.ctx, ast.Del):
                reads.append(node)
    for node in reads:
        assert isinstance(node.value, ast.Name)
        own = known[code.class_of(node) if node.value.id == "self" else None]
        if node.attr in own:
            for other in own:
                if other != node.attr:
                    yield code.replaced(node, f"{node.value.id}.{other}")


def attribute_for_parameter(code: Code) -> Iterator[Edit]:
    """`self.limit` for the parameter `limit`, and the other way about; or that of another object."""
    attributes = dict.fromkeys(
        n.attr for n in code.nodes if isinstance(n, ast.Attribute) and code.of(n.value) == "self"
    )
    for node in code.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            names = code.names_at(node)
            if node.value.id == "self" and node.attr in names:
                yield code.replaced(node, node.attr)
            for other in ("self", *names) if node.value.id in ("self", *names) else ():
                if other != node.value.id and (other != "self" or code.class_of(node)):
                    yield code.replaced(node.value, other)
    for name in _read(code):
        if name.id in attributes and code.class_of(name):
            yield code.replaced(name, f"self.{name.id}")


def indices_exchanged(code: Code) -> Iterator[Edit]:
    """`grid[x][y]` for `grid[y][x]`."""
    for node in code.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
            (start, left), (right, end) = code.span(node.value.slice), code.span(node.slice)
            if not isinstance(node.slice, ast.Slice) and not isinstance(node.value.slice, ast.Slice):
                yield Edit(start, end, code.text[right:end] + code.text[left:right] + code.text[start:left])


MAKERS = (
    another_name,
    loop_variables_mixed,
    same_one_twice,
    written_to_another,
    unpacked_in_another_order,
    raw_for_prepared,
    container_for_item,
    another_attribute,
    attribute_for_parameter,
    indices_exchanged,
)
