"""Hook functions that another of the same name replaces, so that they are never called: Python says nothing of it, and
the plugin that was imported no longer shows it. So the source is read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from treadle.core.errors import SourceError
from treadle.core.paths import on_disk
from treadle.core.tree import sources
from treadle.core.tree.listing import walk

_MARK = "hookimpl"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def warnings(place: Path, relative_to: Path) -> Iterator[str]:
    """A line for each in the Python files of a package's folder, or in the one file that the place is; files are named
    as seen from the folder `relative_to`. What can't be read as Python is left to whoever imports it."""
    for file in _files(place):
        shown = file.relative_to(relative_to) if file.is_relative_to(relative_to) else file
        try:
            with file.open("rb") as opened:
                text = sources.decode_source(opened.read(sources.LARGEST_SOURCE + 1))
            replaced = tuple(find(text))
        except (OSError, SourceError, SyntaxError):
            continue
        for first, second in replaced:
            yield (
                f"{shown}, line {second.lineno}: {second.name} replaces the hook function of line {first.lineno}, "
                "which is never called; make one of them"
            )


def find(text: str) -> Iterator[tuple[_Function, _Function]]:
    """Each pair of functions in one block of a source, the second of which replaces the first, where either is marked
    as a hook. Those in different branches (`if`, `try`) are alternatives. Raises as `sources.parse` does."""
    if _MARK not in text:
        return
    tree = sources.parse(text)
    marks = {_MARK} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == _MARK and alias.asname
    }
    for block in _blocks(tree):
        latest: dict[str, _Function] = {}
        for statement in block:
            if not isinstance(statement, _Function):
                continue
            before = latest.get(statement.name)
            if before is not None and (_is_marked(before, marks) or _is_marked(statement, marks)):
                yield before, statement
            latest[statement.name] = statement


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The lists of statements that are run one after the other."""
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def _is_marked(function: _Function, marks: set[str]) -> bool:
    return any(_called(decorator) in marks for decorator in function.decorator_list)


def _called(decorator: ast.expr) -> str:
    """The last name of a decorator: `hookimpl` of `@treadle.hookimpl(tryfirst=True)`."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else ""


def _files(place: Path) -> Iterable[Path]:
    if place.is_dir():
        return (file for name in walk(place) if (file := on_disk(place, name)).suffix == ".py" and file.is_file())
    return (place,) if place.suffix == ".py" else ()
