"""Checks on files: what is written and deleted, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit, Module


def check(module: Module) -> Iterator[Hit]:
    """All findings of this file's subject."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            yield from _files(module, node, module.names.dotted(node.func))


def path_argument(module: Module, node: ast.Call) -> str | None:
    """The path that a call acts on: its first argument, or the Path whose method it is."""
    called = module.names.dotted(node.func)
    if (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in dangers.PATH_READS | dangers.PATH_WRITES | dangers.PATH_DELETES
    ):
        text = module.names.text(node.func.value)
        if text is not None:
            return text
    if called and node.args:
        return module.names.text(node.args[0])
    return None


def _files(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    names = module.names
    first = names.text(node.args[0]) if node.args else None
    if called in dangers.TREE_DELETERS or (isinstance(node.func, ast.Attribute) and node.func.attr == "rmtree"):
        if first is None:
            if not _is_temporary(node.args[0] if node.args else None):
                yield module.hit("delete-tree", node)
        elif dangers.ROOTS.match(first) and not dangers.SAFE_OUTSIDE.match(first):
            yield module.hit("delete-root", node)
        elif _is_outside(first):
            yield module.hit("delete-tree", node)
    elif called in dangers.DELETERS:
        yield from _delete(module, node, first)
    elif isinstance(node.func, ast.Attribute) and node.func.attr in dangers.PATH_DELETES:
        yield from _delete(module, node, names.text(node.func.value))
    elif called in ("open", "os.open"):
        if first is not None and _opens_to_write(module, node, called):
            yield from _write(module, node, first)
    elif called in dangers.WRITERS:
        place = dangers.WRITERS[called]
        target = names.text(node.args[place]) if len(node.args) > place else None
        if target is not None:
            yield from _write(module, node, target)
    elif (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in dangers.PATH_WRITES
        and not isinstance(node.func.value, ast.Constant)
    ) or (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "open"
        and node.args
        and set(str(names.text(node.args[0]))) & set("wax+")
    ):
        text = names.text(node.func.value)
        if text is not None and module.is_path(node.func.value):
            yield from _write(module, node, text)
    elif (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "extractall"
        and not any(k.arg == "filter" for k in node.keywords)
    ):
        yield module.hit("archive", node)


def _opens_to_write(module: Module, node: ast.Call, called: str) -> bool:
    mode = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "mode"), None)
    if called == "os.open":
        return mode is not None and any(
            (module.names.dotted(n) or "").startswith(
                ("os.O_W", "os.O_RDWR", "os.O_CREAT", "os.O_APPEND", "os.O_TRUNC")
            )
            for n in ast.walk(mode)
        )
    return bool(set(module.names.text(mode) or "r") & set("wax+"))


def _is_outside(path: str) -> bool:
    if dangers.SAFE_OUTSIDE.match(path):
        return False
    return (
        path.startswith(("/", "~", "\\\\")) or path[1:3] in (":\\", ":/") or ".." in path.replace("\\", "/").split("/")
    )


def _is_temporary(node: ast.AST | None) -> bool:
    """Whether the names in an expression say that it is a temporary folder, or one that a build makes."""
    words = ("tmp", "temp", "build", "dist", "cache", "scratch", "sandbox", "workdir", "work_dir")
    if node is None:
        return False
    named = [
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    ]
    return any(word in name.lower() for name in named for word in words)


def _delete(module: Module, node: ast.Call, path: str | None) -> Iterator[Hit]:
    if path is None or dangers.SAFE_OUTSIDE.match(path):
        return
    if dangers.STARTED_FROM.search(path):
        yield module.hit("persistence", node)
    elif dangers.ROOTS.match(path):
        yield module.hit("delete-root", node)
    elif dangers.TEST_FILE.search(path):
        yield module.hit("test-deleted", node)
    elif _is_outside(path):
        yield module.hit("delete-outside", node)


def _write(module: Module, node: ast.Call, path: str) -> Iterator[Hit]:
    if dangers.SAFE_OUTSIDE.match(path):
        return
    if dangers.STARTED_FROM.search(path):
        yield module.hit("persistence", node)
    elif dangers.TEST_CONFIG.search(path) or dangers.TEST_FILE.search(path):
        yield module.hit("test-config", node)
    elif _is_outside(path):
        yield module.hit("write-outside", node)
