"""A text of Python that holds some definitions of a module alone, put into the module in the place of its own.

Small models answer with the function that they have changed, under the name of the whole file. Taken as the file, it
would throw everything else away.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from treadle.core.errors import SourceError
from treadle.core.replies.wholeness import elision
from treadle.core.tree.sources import is_python, parse

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Place = tuple[ast.stmt, ast.stmt]
"""A statement of the module, and the one that takes its place."""


def in_place(old: str, sent: str) -> str | None:
    """The old module with the definitions that were sent in the place of its own of these names; None where the text is
    more, or other, than definitions of that module, or anything in it has no one place."""
    if "\r" in old + sent or (before := _body(old)) is None or (after := _body(sent)) is None:
        return None
    imports = {ast.dump(statement) for statement in before if isinstance(statement, ast.Import | ast.ImportFrom)}
    own = [statement for statement in _without_docstring(after) if ast.dump(statement) not in imports]
    places = _places(before, own)
    return _put(old, sent, places) if places else None


def whole(path: str, old: str | None, sent: str) -> str:
    """All that the file shall hold, where the text under its name says, or shows, that it is some of its definitions
    alone; else the text itself."""
    if old is None or not is_python(path) or not (elision(sent, old) or is_surely_a_part(old, sent)):
        return sent
    return in_place(old, sent) or sent


def is_surely_a_part(old: str, sent: str) -> bool:
    """Whether a text under the name of that module can't be meant as all of it: it uses what it lacks, or lacks
    definitions together with what has no other reason to go (the docstring, imports, constants)."""
    before, after = _body(old), _body(sent)
    if not before or not after:
        return False
    lost = {name for name in _bound(before) - _bound(after) if "." not in name}
    used = _used(after)
    defined = {statement.name for statement in before if isinstance(statement, _Definition)}
    has_lost_more = bool(lost - defined) or (_has_docstring(before) and not _has_docstring(after))
    return bool(lost & used) or (bool(lost & defined) and has_lost_more)


def lost_names(old: str, sent: str) -> set[str] | None:
    """The names that the old module binds at its top, and in its classes (`Class.name`), and the text does not: of its
    imports those that the text uses. None where one of the two is no Python."""
    before, after = _body(old), _body(sent)
    if before is None or after is None:
        return None
    imported = _bound([statement for statement in before if isinstance(statement, ast.Import | ast.ImportFrom)])
    return _bound(before) - _bound(after) - (imported - _used(after))


def _body(text: str) -> list[ast.stmt] | None:
    try:
        return parse(text).body
    except (SyntaxError, SourceError):
        return None


def _used(body: list[ast.stmt]) -> set[str]:
    """The names that are read somewhere, and bound nowhere."""
    nodes = list(ast.walk(ast.Module(body, [])))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - bound - {node.arg for node in nodes if isinstance(node, ast.arg)}


def _has_docstring(body: Sequence[ast.stmt]) -> bool:
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    return body[1:] if _has_docstring(body) else body


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    return set(_names(body, inside=""))


def _names(body: Sequence[ast.stmt], inside: str) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, _Definition):
            yield inside + statement.name
            if isinstance(statement, ast.ClassDef) and not inside:
                yield from _names(statement.body, f"{statement.name}.")
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (inside + (name.asname or name.name.partition(".")[0]) for name in statement.names)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (inside + target.id for target in targets if isinstance(target, ast.Name))


def _places(before: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> list[_Place] | None:
    """Where each statement that was sent belongs; None where one has no place, or more than one."""
    known = {statement.name: statement for statement in before if isinstance(statement, _Definition)}
    often = Counter(each.name for body in (before, sent) for each in body if isinstance(each, _Definition))
    found: list[_Place] = []
    for statement in sent:
        if not isinstance(statement, _Definition) or often[statement.name] != 2:
            return None
        old = known.get(statement.name)
        if old is None or isinstance(old, ast.ClassDef) is not isinstance(statement, ast.ClassDef):
            return None
        lost = _bound([old]) - _bound([statement])
        inner = _places(old.body, _without_docstring(statement.body)) if lost else [(old, statement)]
        if not inner:
            return None
        found.extend(inner)
    return found


def _put(old: str, sent: str, places: Sequence[_Place]) -> str | None:
    lines, others = old.split("\n"), sent.split("\n")
    for was, now in sorted(places, key=lambda place: -place[0].lineno):
        (start, end), (first, last) = _lines(was), _lines(now)
        if was.col_offset != now.col_offset or lines[start][: was.col_offset].strip():
            return None
        lines[start:end] = others[first:last]
    return "\n".join(lines)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    decorators = statement.decorator_list if isinstance(statement, _Definition) else []
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return start - 1, statement.end_lineno or statement.lineno
