"""A text of Python that holds some definitions of a module alone, put into the module in the place of its own.

Small models answer with the function that they have changed, under the name of the whole file. Taken as the file, it
would throw everything else away.
"""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from treadle.core.errors import SourceError
from treadle.core.replies.wholeness import elision
from treadle.core.tree.sources import is_python, parse

_Import = ast.Import | ast.ImportFrom
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Place = tuple[ast.stmt, ast.stmt]
"""A statement of the module, and the one that takes its place."""


def in_place(old: str, sent: str) -> str | None:
    """The old module with the definitions that were sent in the place of its own of these names, the imports that they
    bring and the functions that they call before them; None where the text is more, or other, than that, or anything
    in it has no one place."""
    sent = textwrap.dedent(sent)
    if "\r" in old + sent or (before := _body(old)) is None or (after := _body(sent)) is None:
        return None
    known = {ast.dump(statement) for statement in before if isinstance(statement, _Import)}
    own = [statement for statement in _without_docstring(after) if ast.dump(statement) not in known]
    imports = [statement for statement in own if isinstance(statement, _Import)]
    helpers = _helpers(before, own)
    placed = [statement for statement in own if statement not in imports and statement not in helpers]
    places = _places(before, placed)
    if not places or any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in imports):
        return None
    additions = [(_end_of_imports(before), ast.unparse(each).split("\n")) for each in imports]
    first = min(_lines(_outermost(before, was))[0] for was, _ in places)
    additions += [(first, [*sent.split("\n")[slice(*_lines(each))], "", ""]) for each in helpers]
    return _put(old, sent, places, additions)


def whole(path: str, old: str | None, sent: str) -> str:
    """All that the file shall hold, where the text under its name says, or shows, that it is some of its definitions
    alone; else the text itself."""
    if old is None or not is_python(path) or not (elision(sent, old) or is_surely_a_part(old, sent)):
        return sent
    return in_place(old, sent) or sent


def is_surely_a_part(old: str, sent: str) -> bool:
    """Whether a text under the name of that module can't be meant as all of it: it uses what it lacks, or lacks
    definitions together with what has no other reason to go (the docstring, imports, constants), or holds none of the
    others as it was: who sends all of a file sends also what stays."""
    before, after = _body(old), _body(sent)
    if not before or not after:
        return False
    lost = _bound(before) - _bound(after)
    old_code, new_code = _code(before), _code(after)
    stays = any(new_code.get(name) == code for name, code in old_code.items())
    lost_at_the_top = {name for name in lost if "." not in name}
    has_lost_more = bool(lost_at_the_top - old_code.keys()) or (_has_docstring(before) and not _has_docstring(after))
    is_less = bool(lost & old_code.keys()) and not stays
    return bool(lost & _used(after)) or is_less or (bool(lost_at_the_top & old_code.keys()) and has_lost_more)


def _code(body: Sequence[ast.stmt]) -> dict[str, str]:
    """What functions, methods and classes are, by their names."""
    found = {each.name: each for each in body if isinstance(each, _Definition)}
    for outer in [each for each in found.values() if isinstance(each, ast.ClassDef)]:
        found |= {f"{outer.name}.{each.name}": each for each in outer.body if isinstance(each, _Definition)}
    return {name: ast.dump(each) for name, each in found.items()}


def lost_names(old: str, sent: str) -> set[str] | None:
    """The names that the old module binds at its top, and in its classes (`Class.name`), and the text does not: of its
    imports those that the text uses. None where one of the two is no Python."""
    before, after = _body(old), _body(sent)
    if before is None or after is None:
        return None
    imported = _bound([statement for statement in before if isinstance(statement, _Import)])
    return _bound(before) - _bound(after) - (imported - _used(after))


def _body(text: str) -> list[ast.stmt] | None:
    try:
        return parse(textwrap.dedent(text)).body
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
        elif isinstance(statement, _Import):
            yield from (inside + (name.asname or name.name.partition(".")[0]) for name in statement.names)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (inside + target.id for target in targets if isinstance(target, ast.Name))


def _helpers(before: Sequence[ast.stmt], sent: list[ast.stmt]) -> list[ast.stmt]:
    """The functions that are new, and that others which were sent use."""
    used, known = _used(sent), _bound(before) | {name.rpartition(".")[2] for name in _bound(before)}
    return [each for each in sent if isinstance(each, _Function) and each.name not in known and each.name in used]


def _places(before: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> list[_Place] | None:
    """Where each statement that was sent belongs; None where one has no place, or more than one."""
    often = Counter(each.name for each in sent if isinstance(each, _Definition))
    found: list[_Place] = []
    for statement in sent:
        if not isinstance(statement, _Definition) or often[statement.name] != 1:
            return None
        known = [each for each in before if isinstance(each, _Definition) and each.name == statement.name]
        known = known or list(_methods(before, statement))
        if len(known) != 1 or isinstance(known[0], ast.ClassDef) is not isinstance(statement, ast.ClassDef):
            return None
        (old,) = known
        lost = _bound([old]) - _bound([statement])
        inner = _places(old.body, _without_docstring(statement.body)) if lost else [(old, statement)]
        if not inner:
            return None
        found.extend(inner)
    return found


def _methods(before: Sequence[ast.stmt], sent: _Definition) -> Iterator[_Definition]:
    """The methods that a function which was sent without its class may be."""
    if isinstance(sent, _Function) and sent.args.args and sent.args.args[0].arg in ("self", "cls"):
        for each in before:
            inner = each.body if isinstance(each, ast.ClassDef) else ()
            yield from (method for method in inner if isinstance(method, _Function) and method.name == sent.name)


def _put(old: str, sent: str, places: Sequence[_Place], additions: Sequence[tuple[int, list[str]]]) -> str | None:
    lines, others = old.split("\n"), sent.split("\n")
    changes = [(start, start, added) for start, added in additions]
    for was, now in places:
        deeper = was.col_offset - now.col_offset
        if deeper < 0 or (deeper and _has_long_text(now)) or lines[_lines(was)[0]][: was.col_offset].strip():
            return None
        taken = others[slice(*_lines(now))]
        changes.append((*_lines(was), [" " * deeper + line if line.strip() else line for line in taken]))
    changes.reverse()  # of those at one place the last comes first, since nothing above it has moved then
    changes.sort(key=lambda change: -change[0])
    for start, end, new in changes:
        lines[start:end] = new
    return "\n".join(lines)


def _has_long_text(statement: ast.stmt) -> bool:
    """Whether a text in it, other than a docstring, goes over lines, so that it can't be indented."""
    texts = [node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)]
    docstring = statement.body[0] if isinstance(statement, _Definition) else statement
    return any(
        text.end_lineno != text.lineno and not (isinstance(docstring, ast.Expr) and docstring.value is text)
        for text in texts
    )


def _end_of_imports(body: Sequence[ast.stmt]) -> int:
    """The line behind the last import at the top, else behind the docstring."""
    heads = [each for each in body if isinstance(each, _Import)] or (body[:1] if _has_docstring(body) else [])
    return max((each.end_lineno or 0 for each in heads), default=0)


def _outermost(body: Sequence[ast.stmt], inner: ast.stmt) -> ast.stmt:
    """The statement at the top in which that one stands."""
    return next(each for each in body if each.lineno <= inner.lineno <= (each.end_lineno or each.lineno))


def _lines(statement: ast.stmt) -> tuple[int, int]:
    decorators = statement.decorator_list if isinstance(statement, _Definition) else []
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return start - 1, statement.end_lineno or statement.lineno
