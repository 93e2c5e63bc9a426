"""A text of Python that holds some definitions of a module alone, put into the module in the place of its own.

Small models answer with the function that they have changed, under the name of the whole file. Taken as the file, it
would throw everything else away.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from treadle.core.errors import ReplyError, SourceError
from treadle.core.replies.wholeness import elision
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import is_python, parse

_Import = ast.Import | ast.ImportFrom
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_MOST_NAMED = 5
_FEW_LINES = 2
_Place = tuple[ast.stmt, ast.stmt]
"""A statement of the module, and the one that takes its place."""
_BUILT_IN = frozenset(dir(builtins))


def in_place(old: str, sent: str) -> str | None:
    """The old module with the definitions that were sent in the place of its own of these names, the imports that they
    bring and the functions that they call before them; None where the text is more, or other, than that, or anything
    in it has no one place."""
    sent = _unindented(sent)
    if "\r" in old + sent or not (before := _body(old)) or not (after := _body(sent)):
        return None
    known = {shape(statement) for statement in before if isinstance(statement, _Import)}
    own = [statement for statement in _without_docstring(after) if shape(statement) not in known]
    imports = [statement for statement in own if isinstance(statement, _Import)]
    helpers = _helpers(before, own)
    placed = [each for each in own if not isinstance(each, _Import) and getattr(each, "name", "") not in helpers]
    places = _places(before, placed)
    if not places or any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in imports):
        return None
    additions = [(_end_of_imports(old, before), ast.unparse(each).split("\n")) for each in imports]
    first = _outermost(before, min((was for was, _ in places), key=_lines))
    start = _above(old, first)
    additions += [(start, [*sent.split("\n")[slice(*_lines(each))], "", ""]) for each in helpers.values()]
    made = _put(old, sent, places, additions)
    now = _body(made) if made is not None else None
    return made if now is not None and _bound(before) <= _bound(now) else None


def whole(path: str, old: str | None, sent: str) -> str:
    """All that the file shall hold, where the text under its name says, or shows, that it is some of its definitions
    alone; else the text itself. Raises `ReplyError` for one that uses what it lacks, and has no place in it."""
    if old is None or not is_python(path):
        return sent
    if _is_escaped(old, sent):
        raise ReplyError(
            f"all of {path} would be one line, since its line breaks are written as \\n: send them as line breaks"
        )
    if not is_surely_a_part(old, sent) and not elision(sent, old):
        return sent
    made = in_place(old, sent)
    if made is None and (lacking := _used_and_lost(old, sent)):
        gone = ", ".join(sorted(lacking)[:_MOST_NAMED])
        raise ReplyError(f"that uses {gone}, which would be gone from {path}. Send the whole file, or an edit")
    return made or sent


def _used_and_lost(old: str, sent: str) -> set[str]:
    """What the text uses, and the module has, and it lacks: without the module it can't run."""
    before, after = _body(old), _body(_unindented(sent))
    if not before or not after or "*" in _bound(after):
        return set()
    return (_bound(before) - _bound(after)) & _used(after) - _BUILT_IN


def _is_escaped(old: str, sent: str) -> bool:
    """Whether the text is a line with the signs for line breaks in it, in the place of many lines."""
    lines_now, lines_before = (len(text.strip().split("\n")) for text in (sent, old))
    return lines_now == 1 and sent.count("\\n") > 1 and lines_before > _FEW_LINES


def is_surely_a_part(old: str, sent: str) -> bool:
    """Whether a text under the name of that module can't be meant as all of it: it uses what it lacks, or it lacks
    definitions that have no reason to go, and the docstring, or a constant without such a reason, or nothing is as it
    was. What other definitions spoke of has one, since they speak of it no more: it was renamed, moved or written out
    in its place."""
    before, after = _body(old), _body(_unindented(sent))
    if not before or not after:
        return False
    if _used_and_lost(old, sent):
        return True
    lost = _bound(before) - _bound(after)
    spoken = _spoken(each for each in before if isinstance(each, _Definition))
    without_reason = {name for name in lost if name.rpartition(".")[2] not in spoken}
    old_code = _code(before)
    if not without_reason & old_code.keys():
        return False
    has_lost_others = any("." not in name for name in without_reason - old_code.keys() - _imported(before))
    has_lost_docstring = _has_docstring(before) and not _has_docstring(after)
    return has_lost_others or has_lost_docstring or not _stays(before, after)


def _stays(before: Sequence[ast.stmt], after: Sequence[ast.stmt]) -> bool:
    """Whether anything is as it was: imports say nothing, since parts bring those that they need."""
    new_code, there = _code(after), {shape(each) for each in after}
    return any(new_code.get(name) == code for name, code in _code(before).items()) or any(
        shape(each) in there for each in before if not isinstance(each, _Import)
    )


def _code(body: Sequence[ast.stmt]) -> dict[str, object]:
    """What functions, methods and classes are, by their names."""
    found = {each.name: each for each in body if isinstance(each, _Definition)}
    for outer in [each for each in found.values() if isinstance(each, ast.ClassDef)]:
        found |= {f"{outer.name}.{each.name}": each for each in outer.body if isinstance(each, _Definition)}
    return {name: shape(each) for name, each in found.items()}


def _spoken(body: Iterable[ast.stmt]) -> set[str]:
    """The names that occur there, those of attributes among them."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return found | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def lost_names(old: str, sent: str) -> set[str] | None:
    """The names that the old module binds at its top, and in its classes (`Class.name`), and the text does not: of its
    imports those that the text uses. None where one of the two is no Python."""
    before, after = _body(old), _body(_unindented(sent))
    if before is None or after is None:
        return None
    return _bound(before) - _bound(after) - (_imported(before) - _used(after))


def _imported(body: Iterable[ast.stmt]) -> set[str | None]:
    nodes = [node for statement in body for node in ast.walk(statement)]
    return {name for node in nodes if isinstance(node, _Import) for name in _bound_by(node)}


def _unindented(sent: str) -> str:
    """The text without the blanks with which all of its lines begin."""
    return textwrap.dedent(sent) if sent.lstrip("\n")[:1].isspace() else sent


def _body(text: str) -> list[ast.stmt] | None:
    try:
        return parse(text).body
    except (SyntaxError, SourceError):
        return None


def _used(body: Iterable[ast.stmt]) -> set[str]:
    """The names that are read somewhere, and bound nowhere."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read - {name for node in nodes for name in _bound_by(node)}


def _bound_by(node: ast.AST) -> Iterator[str | None]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, _Definition | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        yield node.name
    elif isinstance(node, _Import):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _has_docstring(body: Sequence[ast.stmt]) -> bool:
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    return body[1:] if _has_docstring(body) else body


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    return set(_names(body, inside=""))


def _with_branches(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements, and those that are run among them under a condition."""
    left = deque(body)
    while left:
        each = left.popleft()
        yield each
        if isinstance(each, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            left.extend(node for node in ast.iter_child_nodes(each) if isinstance(node, ast.stmt | ast.ExceptHandler))


def _names(body: Iterable[ast.stmt], inside: str) -> Iterator[str]:
    for statement in _with_branches(body):
        if isinstance(statement, _Definition):
            yield inside + statement.name
            if isinstance(statement, ast.ClassDef) and not inside:
                yield from _names(statement.body, f"{statement.name}.")
        elif isinstance(statement, _Import):
            yield from (f"{inside}{name}" for name in _bound_by(statement))
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (inside + target.id for target in targets if isinstance(target, ast.Name))


def _helpers(before: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> dict[str, ast.stmt]:
    """The functions that are new, and that others which were sent use."""
    known = {name.rpartition(".")[2] for name in _bound(before)}
    new = {each.name: each for each in sent if isinstance(each, _Function) and each.name not in known}
    used = {name: _spoken([each]) for each in sent if (name := getattr(each, "name", ""))}
    return {name: each for name, each in new.items() if any(name in used[other] for other in used.keys() - {name})}


def _places(before: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> list[_Place] | None:
    """Where each statement that was sent belongs; None where one has no place, or more than one."""
    often = Counter(each.name for each in sent if isinstance(each, _Definition))
    by_name: dict[str, list[_Definition]] = {}
    for each in before:
        if isinstance(each, _Definition):
            by_name.setdefault(each.name, []).append(each)
    found: list[_Place] = []
    for statement in sent:
        if not isinstance(statement, _Definition) or often[statement.name] != 1:
            return None
        known = by_name.get(statement.name) or list(_methods(before, statement))
        if len(known) != 1 or isinstance(known[0], ast.ClassDef) is not isinstance(statement, ast.ClassDef):
            return None
        inner = _within(known[0], statement)
        if not inner:
            return None
        found.extend(inner)
    return found


def _within(old: _Definition, sent: _Definition) -> list[_Place] | None:
    """The place of a definition: of a class that lacks something, those of what it holds, if it is else the same."""
    if not _bound([old]) - _bound([sent]):
        return [(old, sent)]
    if not isinstance(old, ast.ClassDef) or not isinstance(sent, ast.ClassDef) or _head(old) != _head(sent):
        return None
    return _places(old.body, _without_docstring(sent.body))


def _head(of: ast.ClassDef) -> tuple[object, ...]:
    return shape([of.bases, of.keywords, of.decorator_list])


def _methods(before: Sequence[ast.stmt], sent: _Definition) -> Iterator[_Definition]:
    """The methods that a function which was sent without its class may be."""
    if isinstance(sent, _Function) and sent.args.args and sent.args.args[0].arg in ("self", "cls"):
        for each in before:
            inner = each.body if isinstance(each, ast.ClassDef) else ()
            yield from (method for method in inner if isinstance(method, _Function) and method.name == sent.name)


def _put(old: str, sent: str, places: Sequence[_Place], additions: Sequence[tuple[int, list[str]]]) -> str | None:
    lines, others = old.split("\n"), sent.split("\n")
    changes = [(start, start, added) for start, added in additions]
    end_of_last = 0
    for was, now in sorted(places, key=lambda place: _lines(place[0])):
        start, end = _lines(was)
        new = _indented_as(lines[start][: was.col_offset], others, now)
        if new is None or start < end_of_last:
            return None
        changes.append((start, end, new))
        end_of_last = end
    changes.reverse()  # of those at one place the last comes first, since nothing above it has moved then
    changes.sort(key=lambda change: -change[0])
    for start, end, new in changes:
        lines[start:end] = new
    return "\n".join(lines)


def _indented_as(blanks: str, lines: Sequence[str], statement: ast.stmt) -> list[str] | None:
    """The lines of a statement, behind these blanks instead of its own; None where that would change it."""
    taken = lines[slice(*_lines(statement))]
    own = taken[0][: statement.col_offset]
    if blanks == own:
        return list(taken)
    if blanks.strip() or own.strip() or _has_long_text(statement):
        return None
    if not all(line.startswith(own) for line in taken if line.strip()):
        return None
    return [blanks + line[len(own) :] if line.strip() else line for line in taken]


def _has_long_text(statement: ast.stmt) -> bool:
    """Whether a text in it, other than a docstring, goes over lines, so that it can't be indented."""
    texts = [node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)]
    docstring = statement.body[0] if isinstance(statement, _Definition) else statement
    return any(
        text.end_lineno != text.lineno and not (isinstance(docstring, ast.Expr) and docstring.value is text)
        for text in texts
    )


def _end_of_imports(text: str, body: Sequence[ast.stmt]) -> int:
    """The line behind the last import before any definition, else behind the docstring, else above all statements."""
    head = takewhile(lambda each: not isinstance(each, _Definition), body)
    heads = [each for each in head if isinstance(each, _Import)] or (body[:1] if _has_docstring(body) else [])
    return _lines(heads[-1])[1] if heads else _above(text, body[0])


def _above(text: str, statement: ast.stmt) -> int:
    """The line above a statement, and above the comments that stand on it."""
    lines, at = text.split("\n"), _lines(statement)[0]
    while at and lines[at - 1].startswith("#") and not lines[at - 1].startswith("#!"):
        at -= 1
    return at


def _outermost(body: Sequence[ast.stmt], inner: ast.stmt) -> ast.stmt:
    """The statement at the top in which that one stands."""
    return next(each for each in body if each.lineno <= inner.lineno <= (each.end_lineno or each.lineno))


def _lines(statement: ast.stmt) -> tuple[int, int]:
    decorators = statement.decorator_list if isinstance(statement, _Definition) else []
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return start - 1, statement.end_lineno or statement.lineno
