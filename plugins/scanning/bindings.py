"""What a module's names are bound to, and which names are only a function's own."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Bindings(NamedTuple):
    """`aliases` are the full names of what is imported, `stars` the modules of which everything is, `assigned` are
    names with what they are given, `may_be` those that may stand for something else as well: a subclass for its base, a
    parameter for its default. None is in an order that matters."""

    aliases: dict[str, str]
    stars: list[str]
    assigned: list[tuple[str, ast.expr]]
    may_be: list[tuple[str, ast.expr]]


def bindings(nodes: Iterable[ast.AST]) -> Bindings:
    """All that is bound anywhere in a module."""
    found = Bindings({}, [], [], [])
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.split(".")[0]
                found.aliases[alias.asname or head] = alias.name if alias.asname else head
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                if alias.name == "*":
                    found.stars.append(node.module or "")
                else:
                    found.aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _assigned(target, node.value, found)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value:
            _assigned(node.target, node.value, found)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            _assigned(node.optional_vars, node.context_expr, found)
        elif isinstance(node, ast.ClassDef):
            found.may_be.extend((node.name, base) for base in node.bases[:1])
        elif isinstance(node, _Function):
            found.may_be.extend(_defaults(node.args))
    return found


def _assigned(target: ast.expr, value: ast.expr, found: Bindings) -> None:
    if isinstance(target, ast.Name):
        found.assigned.append((target.id, value))
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        for each, given in zip(target.elts, value.elts, strict=False):
            if isinstance(each, ast.Name):
                found.assigned.append((each.id, given))


def _defaults(arguments: ast.arguments) -> list[tuple[str, ast.expr]]:
    placed = [*arguments.posonlyargs, *arguments.args]
    by_place = zip(placed[len(placed) - len(arguments.defaults) :], arguments.defaults, strict=True)
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [(argument.arg, given) for argument, given in (*by_place, *by_name) if given is not None]


def own_names(tree: ast.Module) -> dict[ast.Name, str]:
    """The uses of names that are parameters, or bound by a loop, of a function around them, with the name of the
    innermost function: a parameter `requests` is no module."""
    found: dict[ast.Name, str] = {}
    left: list[tuple[ast.AST, frozenset[str], str]] = [(tree, frozenset(), "")]
    while left:
        node, own, function = left.pop()
        if isinstance(node, ast.Name):
            if node.id in own:
                found[node] = function
            continue
        if isinstance(node, _Function):
            # Decorators and defaults belong to what is around the function.
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            inner = own | _parameters(node.args) | _bound_by_loops(body)
            left += [(child, inner, getattr(node, "name", "")) for child in body]
            within = set(map(id, body))
            left += [(child, own, function) for child in ast.iter_child_nodes(node) if id(child) not in within]
        else:
            left += [(child, own, function) for child in ast.iter_child_nodes(node)]
    return found


def passed(tree: ast.Module, nodes: Iterable[ast.AST]) -> dict[tuple[str, str], list[ast.expr]]:
    """What the functions of a module are given by calls in it, by the names of the function and the parameter."""
    parameters = {
        node.name: [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    found: dict[tuple[str, str], list[ast.expr]] = {}
    for node in nodes if parameters else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in parameters:
            given = [*zip(parameters[node.func.id], node.args, strict=False)]
            given += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
            for name, value in given:
                found.setdefault((node.func.id, name), []).append(value)
    return found


def returned(tree: ast.Module) -> dict[str, ast.expr]:
    """What the functions of a module return last, by their names."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    found[node.name] = inner.value
    return found


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return frozenset(each.arg for each in every if each is not None)


def _bound_by_loops(body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """The names of the loops that stand directly in a function's body, at most two levels deep."""
    found: set[str] = set()
    level: list[ast.AST] = list(body)
    for _ in range(2):
        for node in level:
            if isinstance(node, ast.For | ast.AsyncFor):
                found |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
        level = [child for node in level if isinstance(node, ast.stmt) for child in ast.iter_child_nodes(node)]
    return frozenset(found)
