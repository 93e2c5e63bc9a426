"""Definitions that a change gives another name, and code that speaks of them by the new one."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from treadle.core.records import FileChange, Workspace
from treadle.core.tree.bound_names import Body, Definition, body_of
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import before_change, is_python


def renames(files: Iterable[FileChange], workspace: Workspace) -> dict[str, str]:
    """By the old names of functions, classes and methods the new ones: of those that are as they were in all but their
    name, in the same file and class."""
    found: dict[str, str] = {}
    for change in files:
        before = before_change(workspace, change)
        if before and change.content and is_python(change.path, change.content):
            texts = (content.decode("utf-8", "replace") for content in (before, change.content))
            old, new = (body_of(text) or () for text in texts)
            found |= dict(_renamed(old, new))
    return found


def with_new_names(tree: ast.Module, names: Mapping[str, str]) -> ast.Module:
    """The same tree, changed: where it speaks of one of the names, it has the new one."""
    left: deque[ast.AST] = deque([tree] if names else ())
    while left:
        node = left.popleft()
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.Attribute):
            node.attr = names.get(node.attr, node.attr)
        elif isinstance(node, ast.alias):
            node.name = names.get(node.name, node.name)
        left.extend(ast.iter_child_nodes(node))
    return tree


def _renamed(old: Body, new: Body) -> Iterator[tuple[str, str]]:
    was, now = ({each.name: each for each in body if isinstance(each, Definition)} for body in (old, new))
    came = {_nameless(each): name for name, each in now.items() if name not in was}
    for name, each in was.items():
        if name not in now and (other := came.get(_nameless(each))):
            yield name, other
        elif isinstance(each, ast.ClassDef) and isinstance(same := now.get(name), ast.ClassDef):
            yield from _renamed(each.body, same.body)


def _nameless(definition: Definition) -> object:
    """All of it but its name, also where it speaks of itself."""
    own = definition.name
    parts = [node for field, node in ast.iter_fields(definition) if field != "name"]
    return tuple("itself" if each == own else each for each in shape([type(definition), parts]))
