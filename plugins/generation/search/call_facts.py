"""What a function or a file calls and defines, and what that is handed. Each is a fact as those in `facts`."""

from __future__ import annotations

import ast

from treadle.plugins.generation.search.facts import Texts
from treadle.plugins.generation.search.scope import arity, called_name
from treadle.plugins.generation.search.source import FUNCTIONS, FunctionNode, SourceFile

_SHORT_CALL = 40
_SCOPES = (*FUNCTIONS, ast.ClassDef)


def functions_in(file: SourceFile, function: ast.AST) -> dict[str, int]:
    """The functions that it defines and can call by their names, with how many arguments each needs."""
    found = (n for n in ast.walk(function) if isinstance(n, FUNCTIONS) and n is not function)
    own = (n for n in found if next(a for a in file.ancestors(n) if isinstance(a, _SCOPES)) is function)
    return {n.name: arity(n)[0] for n in own if n.name != getattr(function, "name", "")}


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


def parameters_of(file: SourceFile, tree: ast.AST) -> dict[str, Texts]:
    """What the functions that are no methods can be handed, in their order, by the function's name; for a class, what
    makes an object of it."""
    found: dict[str, Texts] = {}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and not isinstance(file.parents.get(node), ast.ClassDef):
            found[node.name] = _parameters(node)
        elif isinstance(node, ast.ClassDef):
            begins = next((m for m in node.body if isinstance(m, FUNCTIONS) and m.name == "__init__"), None)
            fields = (m.target for m in node.body if isinstance(m, ast.AnnAssign))
            made_from = tuple(target.id for target in fields if isinstance(target, ast.Name))
            found[node.name] = _parameters(begins)[1:] if begins else made_from
    return found


def parameters_of_methods(file: SourceFile, tree: ast.AST) -> dict[str, Texts]:
    """What the methods can be handed, in their order, by the method's name, without the object."""
    found: dict[str, Texts] = {}
    for owner in ast.walk(tree):
        for node in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(node, FUNCTIONS):
                bound = not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
                found[node.name] = _parameters(node)[bound:]
    return found


def _parameters(function: FunctionNode) -> Texts:
    arguments = function.args
    return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def imported(file: SourceFile, tree: ast.AST) -> dict[str, str]:
    """Where the imported names come from, as `json` or `json.dumps`."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update((a.asname, a.name) if a.asname else (a.name.partition(".")[0],) * 2 for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((a.asname or a.name, f"{node.module}.{a.name}") for a in node.names)
    return found


def keywords_by_callee(file: SourceFile, tree: ast.AST) -> dict[str, Texts]:
    """What is handed over by name, by the name of what is called."""
    found: dict[str, dict[str, None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.keywords:
            called = called_name(node)
            found.setdefault(called, {}).update((k.arg, None) for k in node.keywords if k.arg)
    return {callee: tuple(names) for callee, names in found.items()}


def keys(file: SourceFile, tree: ast.AST) -> Texts:
    """What is given as `key`, the last first."""
    found = [file.text_of(n.value) for n in ast.walk(tree) if isinstance(n, ast.keyword) and n.arg == "key"]
    return tuple(dict.fromkeys(reversed(found)))
