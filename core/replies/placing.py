"""A part of a module of Python, put into the module: what is there in the place of its own, what is new beside it."""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, takewhile
from typing import TypeGuard

from treadle.core.replies.examples import without_examples
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Function,
    Import,
    body_of,
    bound,
    has_docstring,
    is_main_block,
    spoken,
    without_docstring,
)
from treadle.core.tree.shapes import shape

_Named = Definition | ast.Assign | ast.AnnAssign
_ByName = dict[str, list[ast.stmt]]
_Place = tuple[object, ...]
_PATH = re.compile(r"#\s*[\w./\\-]+\.pyi?\s*")
"""A comment that names the file, above its first definition."""
_BETWEEN = ["", ""]
"""Lines between two definitions at the top."""


def in_place(old: str, sent: str, *, alone: bool = False, said: Said = NOTHING_SAID) -> str | None:
    """The old module with what was sent: definitions and constants in the place of its own of these names, imports that
    they bring, what is new and used by them above them, and what else is new at the end of the module or class.

    `alone`: also where all of it is new. `said` tells the class of a method that came without it. None where anything
    has no one place, or would be no Python there."""
    sent = unindented(sent)
    before, after = body_of(old), body_of(sent)
    if "\r" in old + sent or not before or not after:
        return None
    known = {shape(each) for each in before if not isinstance(each, Definition)}
    own = [each for each in without_examples(without_docstring(after), before) if shape(each) not in known]
    placing = _Placing(old, sent, before, said)
    try:
        placing.take(own)
    except _NoPlaceError:
        return None
    if not placing.has_found and not (alone and placing.changes):
        return None
    made = placing.made()
    now = body_of(made) if made is not None else None
    return made if now is not None and bound(before) <= bound(now) else None


def unindented(sent: str) -> str:
    """The text without the blanks with which all of its lines begin."""
    return textwrap.dedent(sent) if sent.lstrip("\n")[:1].isspace() else sent


class _NoPlaceError(Exception):
    """Something has no place, or more than one."""


class _Placing:
    """The changes to an old text that put a part into it."""

    def __init__(self, old: str, sent: str, before: Body, said: Said) -> None:
        self._lines = old.split("\n")
        self._sent = sent.split("\n")
        self._before = before
        self._named = _by_name(before)
        self._bound = bound(before)
        self._classes = [each for each in before if isinstance(each, ast.ClassDef)]
        self._said = said
        self.changes: list[tuple[int, int, list[str]]] = []
        """Lines from one on, to another, that these take the place of."""
        self._elsewhere = _bound_anywhere(before)
        self.has_found = False
        """Whether anything was there already."""

    def take(self, own: Sequence[ast.stmt]) -> None:
        """Find the place of each of these statements. Raises `_NoPlaceError`."""
        imports = [each for each in own if isinstance(each, Import)]
        if any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in imports):
            raise _NoPlaceError
        others = [each for each in own if not isinstance(each, Import) and not is_main_block(each)]
        places = Counter(map(_place, own))
        new = [each for each in others if not self._put(each, self._named, places)]
        self._add_imports(imports)
        self._add_new(new, others)
        self._put_main([each for each in own if is_main_block(each)])

    def made(self) -> str | None:
        """The text with the changes; None where two of them are for the same lines."""
        ordered = sorted(self.changes, key=lambda change: change[:2])
        if any(end > start for (_, end, _), (start, _, _) in pairwise(ordered)):
            return None
        lines: list[str] = []
        at = 0
        for start, end, new in ordered:
            lines += [*self._lines[at:start], *new]
            at = end
        return "\n".join([*lines, *self._lines[at:]])

    def _put(self, statement: ast.stmt, body: _ByName, places: Counter[_Place]) -> bool:
        """Put a statement in the place of the one of its name; False where there is none. `places` are those of all
        that were sent with it."""
        if not isinstance(statement, _Named) or not (name := _name(statement)):
            raise _NoPlaceError
        if places[_place(statement)] != 1:
            raise _NoPlaceError
        known = body.get(name, [])
        if len(known) > 1:  # a property and its setter, say
            known = [each for each in known if _place(each) == _place(statement)] or known
        if not known and body is self._named and is_method(statement):
            known = list(self._methods(name))
            if not known and (only := self._class_of(name)) is not None:
                self._add_to_class(only, [statement])
                return True
        if len(known) > 1 or (known and not _may_become(known[0], statement)):
            raise _NoPlaceError
        if not known and name in self._elsewhere:
            raise _NoPlaceError
        if known:
            self._replace(known[0], statement)
        return bool(known)

    def _replace(self, old: ast.stmt, new: ast.stmt) -> None:
        """Of a class that lacks something, what it has goes into the old one, if that is one of its kind. Raises
        `_NoPlaceError` where it shares a line."""
        if _shares_a_line(self._lines, old) or _shares_a_line(self._sent, new):
            raise _NoPlaceError
        if not isinstance(old, ast.ClassDef) or not isinstance(new, ast.ClassDef) or bound([old]) <= bound([new]):
            start, end = _span(old)
            if isinstance(old, Definition) and isinstance(new, Definition) and not new.decorator_list:
                start = old.lineno - 1  # a part that has no decorators leaves those that are there
            self.changes.append((start, end, self._indented(self._blanks(old), new)))
            self.has_found = True
            return
        if _head(old) != _head(new):
            raise _NoPlaceError
        known = {shape(each) for each in old.body if not isinstance(each, Definition)}
        own = [each for each in without_docstring(new.body) if shape(each) not in known]
        if not own:
            raise _NoPlaceError
        named, places = _by_name(old.body), Counter(map(_place, own))
        self._add_to_class(old, [each for each in own if not self._put(each, named, places)])
        self.has_found = True

    def _methods(self, name: str) -> Iterator[ast.stmt]:
        """The methods that one which was sent without its class may be."""
        found = self._methods_named.get(name, [])
        meant = self._said.class_of(name, dict.fromkeys(of for of, _ in found)) if found else None
        yield from (part for of, part in found if meant in (None, of))

    @cached_property
    def _methods_named(self) -> dict[str, list[tuple[str, ast.stmt]]]:
        """Each method, with its class, by its name."""
        found: dict[str, list[tuple[str, ast.stmt]]] = {}
        for of in self._classes:
            for part in of.body:
                if isinstance(part, Function):
                    found.setdefault(part.name, []).append((of.name, part))
        return found

    def _class_of(self, name: str) -> ast.ClassDef | None:
        """The class to which a new method that was sent without one belongs. Raises `_NoPlaceError` for several."""
        meant = self._said.class_of(name, [each.name for each in self._classes])
        classes = [each for each in self._classes if meant in (None, each.name)]
        if len(classes) > 1:
            raise _NoPlaceError
        return classes[0] if classes else None

    def _add_to_class(self, to: ast.ClassDef, new: Sequence[ast.stmt]) -> None:
        """Constants below those at its head, methods at its end."""
        if to.body[0].lineno == to.lineno:
            raise _NoPlaceError
        blanks = self._blanks(to.body[0])
        head = list(takewhile(lambda each: not isinstance(each, Definition), to.body))
        at = _span(head[-1])[1] if head else _above(self._lines, to.body[0])
        for each in new:
            is_definition = isinstance(each, Definition)
            lines = self._indented(blanks, each)
            line = _span(to)[1] if is_definition else at
            self.changes.append((line, line, ["", *lines] if is_definition else lines))

    def _add_imports(self, imports: Sequence[Import]) -> None:
        """Behind the last import before any definition, else behind the docstring, else above all statements."""
        head = takewhile(lambda each: not isinstance(each, Definition), self._before)
        heads: list[ast.stmt] = [each for each in head if isinstance(each, Import)]
        heads = heads or list(self._before[:1] if has_docstring(self._before) else ())
        line = _span(heads[-1])[1] if heads else _above(self._lines, self._before[0])
        self.changes += [(line, line, ast.unparse(each).split("\n")) for each in imports]

    def _add_new(self, new: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> None:
        """Above the first of those in their place what others use, and constants; at the end the rest, or all."""
        if not any(isinstance(each, Definition) for each in sent) and any(self._is_example(each) for each in new):
            raise _NoPlaceError
        replaced = [start for start, end, _ in self.changes if end > start]
        upper = min(replaced) if replaced else None
        first = next((each for each in self._before if upper is not None and _span(each)[1] > upper), None)
        above = _above(self._lines, first) if first is not None else None
        end = self._end()
        speak_of = Counter(name for each in sent for name in spoken([each]))
        for each in new:
            lines = self._with_comments(each)
            is_used = speak_of[_name(each)] > (_name(each) in spoken([each]))
            if above is not None and (not isinstance(each, Definition) or is_used):
                self.changes.append((above, above, [*lines, *_BETWEEN]))
            else:
                self.changes.append((end, end, [*_BETWEEN, *lines]))

    def _is_example(self, statement: ast.stmt) -> bool:
        """Whether it calls what the module defines, though nothing is defined with it."""
        called = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
        return bool(spoken(called) & self._bound)

    def _put_main(self, blocks: Sequence[ast.stmt]) -> None:
        """In the place of the old one, if it does all that that does; where there is none, at the end."""
        old = next(filter(is_main_block, self._before), None)
        line = len("\n".join(self._lines).rstrip().split("\n"))
        due = {name for name in spoken([old]) & self._bound if not self._said.definition(name)} if old else set()
        for block in blocks:
            if old is None:
                self.changes.append((line, line, [*_BETWEEN, *self._with_comments(block)]))
            elif due <= spoken([block]):
                self.changes.append((*_span(old), self._indented("", block)))
                self.has_found = True

    def _end(self) -> int:
        """The line behind the last definition, or the last statement that is not run as a program alone."""
        last = [each for each in self._before if not is_main_block(each)]
        return _span(last[-1])[1] if last else _above(self._lines, self._before[0])

    def _blanks(self, statement: ast.stmt) -> str:
        return self._lines[_span(statement)[0]][: statement.col_offset]

    def _with_comments(self, statement: ast.stmt) -> list[str]:
        start, end = _above(self._sent, statement), _span(statement)[1]
        return [line for line in self._sent[start:end] if not _PATH.fullmatch(line)]

    def _indented(self, blanks: str, statement: ast.stmt) -> list[str]:
        """The lines of a statement that was sent, behind these blanks instead of its own. Raises `_NoPlaceError` where
        that would change it."""
        taken = self._sent[slice(*_span(statement))]
        own = taken[0][: statement.col_offset]
        if blanks == own:
            return list(taken)
        if blanks.strip() or own.strip() or _has_long_text(statement):
            raise _NoPlaceError
        if not all(line.startswith(own) for line in taken if line.strip()):
            raise _NoPlaceError
        return [blanks + line[len(own) :] if line.strip() else line for line in taken]


def _name(statement: ast.stmt) -> str:
    """The one name that it binds; empty for none, and for several."""
    if isinstance(statement, Definition):
        return statement.name
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""
    return ""


def _by_name(body: Body) -> _ByName:
    found: _ByName = {}
    for each in body:
        found.setdefault(_name(each), []).append(each)
    return found


def _place(statement: ast.stmt) -> _Place:
    """What tells it from others of its name."""
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    return _name(statement), shape(decorators)


def _bound_anywhere(body: Body) -> set[str]:
    """The names of definitions, at any depth and under any condition, and of what classes hold."""
    nodes = (node for statement in body for node in ast.walk(statement))
    inner = {name.rpartition(".")[2] for name in bound(body) if "." in name}
    return inner | {node.name for node in nodes if isinstance(node, Definition)}


def _may_become(old: ast.stmt, new: ast.stmt) -> bool:
    """Whether they are of one kind, and what may be meant to be added is no other one: a table that has none of its
    keys, or a function that is registered by another name."""
    if isinstance(old, Definition) and isinstance(new, Definition) and _registered(old) and _registered(new):
        return _registered(old) == _registered(new)
    if isinstance(old, ast.Assign | ast.AnnAssign) and isinstance(new, ast.Assign | ast.AnnAssign):
        keys = [_keys(each) for each in (old, new)]
        return not all(keys) or bool(keys[0] & keys[1])
    return _kind(old) is _kind(new)


def _registered(definition: Definition) -> set[object]:
    """The texts in the calls that decorate it, such as the path of a route."""
    calls = [each for each in definition.decorator_list if isinstance(each, ast.Call)]
    return {arg.value for call in calls for arg in call.args if isinstance(arg, ast.Constant) and arg.value is not None}


def _keys(statement: ast.Assign | ast.AnnAssign) -> set[object]:
    """Of a dictionary, and of the list of a module's public names."""
    value = statement.value
    if isinstance(value, ast.Dict):
        return {shape(key) for key in value.keys if key is not None}
    is_list = _name(statement) == "__all__" and isinstance(value, ast.List | ast.Tuple)
    return {shape(each) for each in value.elts} if is_list and isinstance(value, ast.List | ast.Tuple) else set()


def _kind(statement: ast.stmt) -> object:
    return ast.Assign if isinstance(statement, ast.Assign | ast.AnnAssign) else isinstance(statement, ast.ClassDef)


def _head(of: ast.ClassDef) -> tuple[object, ...]:
    bases = [base for base in of.bases if not isinstance(base, ast.Name) or base.id != "object"]
    return shape([bases, of.keywords, of.decorator_list])


def is_method(sent: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether a function takes what it is called on."""
    return isinstance(sent, Function) and bool(sent.args.args) and sent.args.args[0].arg in ("self", "cls")


def _has_long_text(statement: ast.stmt) -> bool:
    """Whether a text in it, other than a docstring, goes over lines, so that it can't be indented."""
    texts = [node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)]
    docstring = statement.body[0] if isinstance(statement, Definition) else statement
    return any(
        text.end_lineno != text.lineno and not (isinstance(docstring, ast.Expr) and docstring.value is text)
        for text in texts
    )


def _shares_a_line(lines: Sequence[str], statement: ast.stmt) -> bool:
    """Whether another statement stands on one of its lines, so that it would go with it, or come along."""
    start, end = _span(statement)
    before = lines[start].encode()[: statement.col_offset]
    behind = lines[end - 1].encode()[statement.end_col_offset :]
    return bool(before.strip()) or behind.lstrip().startswith(b";")


def _above(lines: Sequence[str], statement: ast.stmt) -> int:
    """The line above a statement, and above the comments that stand on it."""
    at = _span(statement)[0]
    while at and lines[at - 1].startswith("#") and not lines[at - 1].startswith("#!"):
        at -= 1
    return at


def _span(statement: ast.stmt) -> tuple[int, int]:
    """Its lines, from 0, with its decorators."""
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return start - 1, statement.end_lineno or statement.lineno
