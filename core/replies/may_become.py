"""Whether one statement may be a new version of another, by what tells both apart beside their name."""

from __future__ import annotations

import ast

from treadle.core.replies.overloads import has_overloads
from treadle.core.tree.bound_names import Definition
from treadle.core.tree.shapes import shape


def name_of(statement: ast.stmt) -> str:
    """The one name that it binds; empty for none, and for several."""
    if isinstance(statement, Definition):
        return statement.name
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
    return ""


def accessor(statement: ast.stmt) -> str:
    """What a function is to the one of its name that stands above it, such as `setter`; empty for nothing."""
    for each in statement.decorator_list if isinstance(statement, Definition) else ():
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name_of(statement):
            return each.attr
    return ""


def may_become(old: ast.stmt, new: ast.stmt) -> bool:
    """Whether they are of one kind, and what may be meant to be added is no other one: a table that has none of its
    keys, or a function that is registered by another name."""
    if has_overloads(old) and _is_stub(new) and not _is_stub(old):
        return False  # it is one of the overloads
    if isinstance(old, Definition) and isinstance(new, Definition) and _registered(old) and _registered(new):
        return _registered(old) == _registered(new)
    if isinstance(old, ast.Assign | ast.AnnAssign) and isinstance(new, ast.Assign | ast.AnnAssign):
        keys = [_keys(each) for each in (old, new)]
        return not all(keys) or bool(keys[0] & keys[1])
    if isinstance(new, Definition) and new.decorator_list and has_overloads(old) and not has_overloads(new):
        return False  # its decorators can't be told from those of the overloads above it
    return kind_of(old) is kind_of(new)


def _is_stub(statement: ast.stmt) -> bool:
    """Whether it is a function that does nothing."""
    body = statement.body if isinstance(statement, Definition) else []
    return bool(body) and all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body)


def _registered(definition: Definition) -> set[object]:
    """The texts in the calls that decorate it, such as the path of a route."""
    calls = [each for each in definition.decorator_list if isinstance(each, ast.Call)]
    return {arg.value for call in calls for arg in call.args if isinstance(arg, ast.Constant) and arg.value is not None}


def _keys(statement: ast.Assign | ast.AnnAssign) -> set[object]:
    """Of a dictionary, and of the list of a module's public names."""
    value = statement.value
    if isinstance(value, ast.Dict):
        return {shape(key) for key in value.keys if key is not None}
    is_list = name_of(statement) == "__all__" and isinstance(value, ast.List | ast.Tuple)
    return {shape(each) for each in value.elts} if is_list and isinstance(value, ast.List | ast.Tuple) else set()


def kind_of(statement: ast.stmt) -> object:
    """What tells a class, a function and a constant apart."""
    return ast.Assign if isinstance(statement, ast.Assign | ast.AnnAssign) else isinstance(statement, ast.ClassDef)


def new_bases(old: ast.ClassDef, new: ast.ClassDef) -> list[ast.expr] | None:
    """What a class that was sent in part has as bases more than the old one. None where it may be another class. That
    it has no decorators says nothing."""
    if new.decorator_list and shape(old.decorator_list) != shape(new.decorator_list):
        return None
    had, has = (
        [base for base in of.bases if not isinstance(base, ast.Name) or base.id != "object"] for of in (old, new)
    )
    if shape(old.keywords) != shape(new.keywords) or {shape(each) for each in had} - {shape(each) for each in has}:
        return None
    return [each for each in has if shape(each) not in {shape(other) for other in had}]
