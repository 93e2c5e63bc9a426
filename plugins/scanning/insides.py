"""Checks on walks through the interpreter's insides: dunders, globals, code and frames, however they are named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module

_FORMAT_ESCAPE = re.compile(
    r"\{[^{}]*(?:\.|\[['\"]?)(?:__globals__|__init__|__subclasses__|__bases?__|__mro__|__builtins__|__code__|__dict__|f_globals|gi_frame)"
)
_LITERALS = ast.Constant | ast.Tuple | ast.List | ast.Dict


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.Attribute):
            yield from _attribute(module, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _FORMAT_ESCAPE.search(node.value[:20_000]) and not _is_docstring(module, node):
                yield module.hit("format-escape", node)
        elif isinstance(node, ast.Name) and node.id == "__builtins__":
            yield module.hit("globals", node)
        elif isinstance(node, ast.Subscript):
            yield from _key(module, node)
        elif isinstance(node, ast.MatchClass):
            yield from _pattern(module, node)
        elif isinstance(node, ast.Call):
            called = module.names.dotted(node.func)
            yield from _looked_up(module, node, called)
            yield from _by_getattr(module, node, called)


def _is_docstring(module: Module, node: ast.AST) -> bool:
    return isinstance(module.parent(node), ast.Expr)


def _attribute(module: Module, node: ast.Attribute) -> Iterator[Hit]:
    base = module.names.dotted(node.value)
    if node.attr == "__subclasses__":
        inside = {n.attr for n in ast.walk(node.value) if isinstance(n, ast.Attribute)} & (dangers.ESCAPES | {"mro"})
        if (
            inside
            or base in ("object", "type")
            or isinstance(node.value, _LITERALS)
            or _is_class_of_literal(module, node.value)
        ):
            yield module.hit("escape", node)
    elif node.attr in ("__base__", "__bases__", "__mro__"):
        if _is_class_of_literal(module, node.value):
            yield module.hit("escape", node)
    elif node.attr == "__code__" and _is_described(module, node):
        return
    elif node.attr in dangers.INNER:
        inside = {n.attr for n in ast.walk(node.value) if isinstance(n, ast.Attribute)}
        if node.attr in ("__globals__", "__builtins__") and inside & {
            "__init__",
            "__class__",
            "__subclasses__",
            "__func__",
        }:
            yield module.hit("escape", node)
        elif node.attr in ("f_locals", "f_globals") and _climbs(module):
            yield module.hit("test-aware", node)  # among the callers are the tests, with what they expect
        elif node.attr in ("tb_frame", "gi_frame", "cr_frame", "f_locals") and isinstance(node.ctx, ast.Load):
            yield module.hit("frames", node)
        else:
            yield module.hit("globals", node)
    elif node.attr == "__dict__" and base in ("type", "object", "builtins", "__builtins__"):
        yield module.hit("globals", node)


def _is_described(module: Module, node: ast.Attribute) -> bool:
    """`f.__code__.co_argcount` and the like only describe a function."""
    parent = module.parent(node)
    described = ("co_argcount", "co_varnames", "co_name", "co_qualname", "co_filename", "co_firstlineno", "co_flags")
    return isinstance(parent, ast.Attribute) and parent.attr in described and isinstance(parent.ctx, ast.Load)


def _is_class_of_literal(module: Module, node: ast.AST) -> bool:
    """`().__class__`, `type(())`, `getattr((), "__class__")`: nobody needs these to have a class."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__" and isinstance(node.value, _LITERALS)
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], _LITERALS):
        return False
    called = module.names.dotted(node.func) or ""
    return (called == "type" and len(node.args) == 1) or (
        (called == "getattr" or called.endswith("__getattribute__")) and len(node.args) > 1
    )


def _key(module: Module, node: ast.Subscript) -> Iterator[Hit]:
    """A dunder that is looked up in a table of attributes: `vars(f)["__globals__"]`, `type.__dict__[chr(95) + ...]`."""
    key = module.names.text(node.slice)
    if module.names.dotted(node.value) in ("type.__dict__", "object.__dict__"):
        if key is None or key in dangers.ESCAPES | dangers.INNER:
            yield module.hit("escape", node)
    elif key in dangers.LOOKED_UP:
        yield module.hit("escape" if key == "__subclasses__" else "globals", node)


def _pattern(module: Module, node: ast.MatchClass) -> Iterator[Hit]:
    """`case object(__class__=found)` reads an attribute as well."""
    read = set(node.kwd_attrs)
    if read & (dangers.ESCAPES - {"__class__"}):
        yield module.hit("escape", node)
    elif read & dangers.INNER:
        yield module.hit("globals", node)


def _looked_up(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    """Dunders that are given as texts to what looks attributes up by them."""
    if called in ("hasattr", "getattr", "setattr", "delattr", "isinstance"):
        return
    texts = [text for argument in node.args for text in _texts(module, argument)]
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if called == "operator.attrgetter" or method in ("get_field", "__getattribute__"):
        parts = {part for text in texts for part in re.split(r"[.\[\]]", text)}
        if parts & {"__subclasses__", "__base__", "__bases__", "__mro__", "__globals__", "__builtins__"}:
            yield module.hit("format-escape" if method == "get_field" else "escape", node)
        elif parts & dangers.INNER:
            yield module.hit("globals", node)
    elif called == "operator.methodcaller" and texts and texts[0] in dangers.DANGEROUS_METHODS:
        yield module.hit("getattr-module", node)
    elif any(isinstance(n, ast.Name) and n.id == "getattr" for n in node.args):
        if set(texts) & {"__subclasses__", "__base__", "__bases__", "__mro__", "__globals__", "__builtins__"}:
            yield module.hit("escape", node)
    elif set(texts) & {"__subclasses__", "__globals__", "__builtins__"}:
        yield module.hit("escape" if "__subclasses__" in texts else "globals", node)
    elif method in ("get", "__getitem__", "pop") and set(texts[:1]) & dangers.LOOKED_UP:
        yield module.hit("globals", node)


def _texts(module: Module, node: ast.AST) -> list[str]:
    """The text of an expression, or those of a list of them."""
    parts = node.elts[:20] if isinstance(node, ast.List | ast.Tuple) else [node]
    return [text for part in parts if (text := module.names.text(part)) is not None]


def _climbs(module: Module) -> bool:
    """Whether the module goes to the frames of its callers: whoever runs its tests is one of them."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr in dangers.CLIMBS)
        or (isinstance(n, ast.Name) and n.id in dangers.CLIMBS)
        for n in module.nodes
    )


def _by_getattr(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    if called not in ("getattr", "setattr", "delattr", "object.__getattribute__") or len(node.args) < 2:
        return
    name = module.names.text(node.args[1])
    if name in dangers.INNER:
        yield module.hit("globals", node)
    elif name in ("__subclasses__", "__bases__", "__base__") and called != "setattr":
        # Of a class that has a name it is what a registry of subclasses does.
        of = node.args[0]
        is_named = isinstance(of, ast.Name) and module.names.dotted(of) not in ("object", "type")
        yield module.hit("globals" if is_named and not _climbs_from_literals(module) else "escape", node)


def _climbs_from_literals(module: Module) -> bool:
    """Whether the module anywhere asks what the class of a literal is."""
    return any(_is_class_of_literal(module, n) for n in module.nodes if isinstance(n, ast.Attribute | ast.Call))
