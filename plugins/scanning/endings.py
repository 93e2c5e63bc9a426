"""Checks on what runs when an object or the program ends: finalizers, and what is registered to run at exit."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.files import is_made_here, is_temporary
from treadle.plugins.scanning.module import Hit, Module, is_endless

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ACTS = ("os.", "subprocess.", "shutil.", "socket.", "urllib.", "requests.")


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, _Function):
            if node.name == "__del__":
                yield from _finalizer(module, node)
            decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
            if "atexit.register" in map(module.names.dotted, decorators):
                yield module.hit("finalizer-bomb" if _is_bomb(module, node) else "at-exit", node)
        elif isinstance(node, ast.Assign) and any(map(_is_finalizer, node.targets)):
            yield from _at_end(module, node, [node.value])
        elif isinstance(node, ast.Call):
            called = module.names.dotted(node.func)
            if called == "atexit.register":
                yield module.hit("finalizer" if _deletes_later(module, node) else "at-exit", node)
            if called in ("atexit.register", "weakref.finalize"):
                yield from _at_end(module, node, node.args[1 if called == "weakref.finalize" else 0 :][:1])


def _deletes_later(module: Module, node: ast.Call) -> bool:
    """Whether what is registered deletes what the module has not made as a temporary folder or file."""
    if len(node.args) < 2 or module.names.dotted(node.args[0]) not in dangers.TREE_DELETERS | dangers.DELETERS:
        return False
    return not is_temporary(node.args[1]) and not is_made_here(module, node.args[1])


def _is_finalizer(target: ast.expr) -> bool:
    return (target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")) == "__del__"


def _finalizer(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    if _is_bomb(module, node):
        yield module.hit("finalizer-bomb", node)
        return
    calls = (module.names.dotted(n.func) or "" for n in ast.walk(node) if isinstance(n, ast.Call))
    if any(called.startswith(_ACTS) and called not in ("os.close", "os.path.exists") for called in calls):
        yield module.hit("finalizer", node)


def _at_end(module: Module, node: ast.AST, functions: Sequence[ast.AST | None]) -> Iterator[Hit]:
    """Functions that run when an object or the program ends, by their name or written out."""
    for each in functions:
        named = module.defined.get(each.id, [])[-5:] if isinstance(each, ast.Name) else []
        if any(_is_bomb(module, n) for n in named) or (isinstance(each, ast.Lambda) and _is_bomb(module, each)):
            yield module.hit("finalizer-bomb", node)


def _is_bomb(module: Module, node: ast.AST) -> bool:
    """Whether a function never returns, forks, or ends the process."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.While) and is_endless(inner):
            return True
        if isinstance(inner, ast.For | ast.comprehension) and isinstance(inner.iter, ast.Call):
            leaves = isinstance(inner, ast.For) and any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(inner))
            if module.names.dotted(inner.iter.func) in ("itertools.count", "itertools.cycle") and not leaves:
                return True
        if isinstance(inner, ast.Call):
            called = module.names.dotted(inner.func) or ""
            if called in dangers.HARD_EXITS | dangers.FORKS | dangers.EXITS:
                return True
    return False
