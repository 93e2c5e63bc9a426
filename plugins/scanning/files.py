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
    if (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in dangers.PATH_READS | dangers.PATH_WRITES | dangers.PATH_DELETES
    ):
        place = module.place(node.func.value)
        if place is not None:
            return place
    if module.names.dotted(node.func) and node.args:
        return module.place(node.args[0])
    return None


def _files(module: Module, node: ast.Call, called: str | None) -> Iterator[Hit]:
    first = module.place(_argument(node, 0))
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if called in dangers.TREE_DELETERS or method == "rmtree":
        yield from _delete_tree(module, node, first)
    elif called in dangers.DELETERS:
        yield from _delete(module, node, first)
    elif method in dangers.PATH_DELETES and isinstance(node.func, ast.Attribute):
        yield from _delete(module, node, module.place(node.func.value))
    elif called in dangers.OPENERS:
        if first is not None and _opens_to_write(module, node, called or ""):
            yield from _write(module, node, first)
    elif called in dangers.WRITERS:
        if called in ("os.symlink", "os.link") and first is not None and _is_outside(first):
            yield module.hit("link-outside", node)
        if called in ("shutil.move", "os.rename", "os.replace") and first is not None and _is_outside(first):
            yield from _delete(module, node, first)
        destination = module.place(_argument(node, dangers.WRITERS[called]))
        if destination is not None:
            yield from _write(module, node, destination)
    elif isinstance(node.func, ast.Attribute):
        yield from _method(module, node, node.func)


def _argument(node: ast.Call, place: int) -> ast.expr | None:
    return node.args[place] if len(node.args) > place else None


def _delete_tree(module: Module, node: ast.Call, place: str | None) -> Iterator[Hit]:
    if place is None:
        if not is_temporary(_argument(node, 0)) and not is_made_here(module, _argument(node, 0)):
            yield module.hit("delete-tree", node)
    elif dangers.ROOTS.match(place) and not dangers.SAFE_OUTSIDE.match(place):
        yield module.hit("delete-root", node)
    elif _is_outside(place):
        yield module.hit("delete-tree", node)


def _method(module: Module, node: ast.Call, function: ast.Attribute) -> Iterator[Hit]:
    """Methods of paths, open files and archives."""
    if function.attr == "extractall":
        if not any(k.arg == "filter" for k in node.keywords):
            yield module.hit("archive", node)
        folder = _argument(node, 0) or next((k.value for k in node.keywords if k.arg == "path"), None)
        if (place := module.place(folder)) is not None:
            yield from _write(module, node, place)
        return
    writes = function.attr in dangers.PATH_WRITES and not isinstance(function.value, ast.Constant)
    mode = _argument(node, 0) or next((k.value for k in node.keywords if k.arg == "mode"), None)
    opens = function.attr == "open" and mode is not None and set(str(module.names.text(mode))) & set("wax+")
    if not (writes or opens) or not module.is_path(function.value):
        return
    if function.attr in ("symlink_to", "hardlink_to") and _is_outside(module.place(_argument(node, 0)) or ""):
        yield module.hit("link-outside", node)
    if (place := module.place(function.value)) is not None:
        yield from _write(module, node, place)
    if function.attr in ("rename", "replace") and (target := module.place(_argument(node, 0))) is not None:
        yield from _write(module, node, target)


def _opens_to_write(module: Module, node: ast.Call, called: str) -> bool:
    if called in dangers.ALWAYS_WRITE:
        return True
    if called.startswith("fileinput."):
        return any(k.arg == "inplace" for k in node.keywords)
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


def is_temporary(node: ast.AST | None) -> bool:
    """Whether the names in an expression say that it is a temporary folder, or one that a build makes."""
    words = ("tmp", "temp", "build", "dist", "cache", "scratch", "sandbox", "workdir", "work_dir")
    if node is None:
        return False
    named = [
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    ]
    return any(word in name.lower() for name in named for word in words)


def is_made_here(module: Module, node: ast.AST | None) -> bool:
    """Whether an expression is a folder that `tempfile` has made."""
    if isinstance(node, ast.Name):
        return any(is_made_here(module, value) for value in module.assigned(node.id) if not isinstance(value, ast.Name))
    return isinstance(node, ast.Call) and (module.names.dotted(node.func) or "").startswith("tempfile.")


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
