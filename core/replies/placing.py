"""A part of a module of Python, put into the module: what is there in the place of its own, what is new beside it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import TypeGuard

from treadle.core.replies.elision import stands_for
from treadle.core.replies.examples import without_examples
from treadle.core.replies.line_changes import BETWEEN, LineChanges, NoPlaceError
from treadle.core.replies.may_become import accessor, kind_of, may_become, name_of, new_bases
from treadle.core.replies.module_text import ModuleText
from treadle.core.replies.new_imports import add_imports
from treadle.core.replies.new_statements import add_new
from treadle.core.replies.overloads import with_overloads
from treadle.core.replies.statement_lines import above, span
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Function,
    Import,
    bound,
    is_main_block,
    spoken,
    without_docstring,
)
from treadle.core.tree.shapes import shape

_Named = Definition | ast.Assign | ast.AnnAssign
_ByName = dict[str, list[ast.stmt]]
_Place = tuple[object, ...]


def in_place(old: ModuleText, sent: ModuleText, *, alone: bool = False, said: Said = NOTHING_SAID) -> ModuleText | None:
    """The old module with what was sent: definitions and constants in the place of its own of these names, imports that
    they bring, what is new and used by them above them, and what else is new at the end of the module or class.

    `alone`: also where all of it is new. `said` tells the class of a method that came without it. None where anything
    has no one place, or would be no Python there."""
    before, after = old.body, sent.body
    if "\r" in old.text + sent.text or not before or not after:
        return None
    known = {shape(each) for each in before if not isinstance(each, Definition)}
    told = without_examples(without_docstring(after), before)
    placing = _Placing(old, sent, said)
    try:
        placing.take([each for each in with_overloads(told) if shape(each) not in known])
    except NoPlaceError:
        return None
    if not placing.has_found and not (alone and placing.changes):
        return None
    made = placing.changes.made()
    now = ModuleText(made) if made is not None else None
    return now if now is not None and now.body is not None and old.bound <= now.bound else None


class _Placing:
    """The changes to an old text that put a part into it."""

    def __init__(self, old: ModuleText, sent: ModuleText, said: Said) -> None:
        self.changes = LineChanges(old.text, sent.text)
        self.has_found = False
        """Whether anything was there already."""
        self._old = old
        self._before = with_overloads(old.statements)
        self._named = _by_name(self._before, sent.statements)
        self._classes = [each for each in self._before if isinstance(each, ast.ClassDef)]
        self._said = said
        self._brought: set[str] = set()
        """What the part binds at its top, and the module does not."""

    def take(self, own: Sequence[ast.stmt]) -> None:
        """Find the place of each of these statements. Raises `NoPlaceError`."""
        imports = [each for each in own if isinstance(each, Import)]
        self._brought = bound(own) - self._old.bound
        others = [each for each in own if not isinstance(each, Import) and not is_main_block(each)]
        places = Counter(map(_place, own))
        new = [each for each in others if not self._put(each, self._named, places)]
        add_imports(self.changes, self._old, imports)
        add_new(self.changes, self._old, new, others)
        self._put_main([each for each in own if is_main_block(each)])

    def _put(self, statement: ast.stmt, body: _ByName, places: Counter[_Place]) -> bool:
        """Put a statement in the place of the one of its name; False where there is none. `places` are those of all
        that were sent with it."""
        if not isinstance(statement, _Named) or not (name := name_of(statement)):
            raise NoPlaceError
        if places[_place(statement)] != 1:
            raise NoPlaceError
        known = body.get(name, [])
        if len(known) > 1:  # a property and its setter, say
            known = [each for each in known if _place(each) == _place(statement)] or known
        if not known and body is self._named and is_method(statement):
            known = list(self._methods(name))
            if not known and (only := self._class_of(name)) is not None:
                self._add_to_class(only, [statement])
                return True
        if len(known) > 1:
            raise NoPlaceError
        if known and accessor(statement) not in ("", accessor(known[0])):
            self._put_behind(known[0], statement)
            return True
        if known and not may_become(known[0], statement):
            raise NoPlaceError
        if not known and (name in body or name in self._elsewhere):
            raise NoPlaceError
        if known and stands_for(known[0], statement, self.changes.sent):
            self._leave(known[0], statement)
        elif known:
            self._replace(known[0], statement)
        return bool(known)

    def _replace(self, old: ast.stmt, new: ast.stmt) -> None:
        """Of a class that lacks something, what it has goes into the old one, if that is one of its kind. Raises
        `NoPlaceError` where it shares a line."""
        self.changes.refuse_shared(old, new)
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef) and self._is_part(old, new):
            self._put_into_class(old, new)
        else:
            self._put_whole(old, new)
        self.has_found = True

    def _is_part(self, old: ast.ClassDef, new: ast.ClassDef) -> bool:
        """Whether a class lacks what the old one has, or has something in its place."""
        there = _by_name(old.body, new.body)
        return not bound([old]) <= bound([new]) or any(
            stands_for(was, each, self.changes.sent) for each in new.body for was in there.get(name_of(each), ())
        )

    def _put_behind(self, old: ast.stmt, new: ast.stmt) -> None:
        """As the setter of a property stands below what it is of."""
        self.changes.refuse_shared(old, new)
        end, blanks = span(old)[1], self.changes.blanks(old)
        comments = [blanks + comment for comment in self.changes.comments(new)]
        self.changes.put(end, end, ["", *comments, *self.changes.indented(blanks, new)])
        self.has_found = True

    def _leave(self, old: ast.stmt, new: ast.stmt) -> None:
        """The old one, for which the new one stands. Raises `NoPlaceError` where its head is another one."""
        heads = [shape([each.args, each.returns]) for each in (old, new) if isinstance(each, Function)]
        if heads[0] != heads[1]:
            raise NoPlaceError
        self.has_found = True

    def _put_whole(self, old: ast.stmt, new: ast.stmt) -> None:
        """What has no decorators, or no comment above, leaves those that are there."""
        start, end = span(old)
        lines = self.changes.indented(self.changes.blanks(old), new)
        if isinstance(old, Definition) and isinstance(new, Definition) and not new.decorator_list:
            lines = [*self.changes.old[start : old.lineno - 1], *lines]
        comments = self.changes.comments(new)
        if comments and (top := above(self.changes.old, old)):  # what stands at the top of all is about the file
            start = top
        self.changes.put(start, end, [*(self.changes.blanks(old) + each for each in comments), *lines])

    def _put_into_class(self, old: ast.ClassDef, new: ast.ClassDef) -> None:
        known = {shape(each) for each in old.body if not isinstance(each, Definition)}
        body = with_overloads(without_docstring(new.body))
        own = [each for each in body if shape(each) not in known]
        bases = new_bases(old, new)
        if bases is None or not spoken(bases) <= self._brought or not (own or bases):
            raise NoPlaceError
        if bases:
            self._put_head(old, new)
        named, places = _by_name(with_overloads(old.body), body), Counter(map(_place, own))
        self._add_to_class(old, [each for each in own if not self._put(each, named, places)])

    def _put_head(self, old: ast.ClassDef, new: ast.ClassDef) -> None:
        """The line of a class, for its new bases."""
        was, now = self.changes.old[old.lineno - 1], self.changes.sent[new.lineno - 1]
        if not (was.rstrip().endswith(":") and now.rstrip().endswith(":")):
            raise NoPlaceError
        self.changes.put(old.lineno - 1, old.lineno, [self.changes.blanks(old) + now.lstrip()])

    @cached_property
    def _elsewhere(self) -> set[str]:
        """The names of definitions, at any depth and under any condition, and of what classes hold."""
        nodes = (node for statement in self._before for node in ast.walk(statement))
        inner = {name.rpartition(".")[2] for name in self._old.bound if "." in name}
        return inner | {node.name for node in nodes if isinstance(node, Definition)}

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
            for part in with_overloads(of.body):
                if isinstance(part, Function):
                    found.setdefault(part.name, []).append((of.name, part))
        return found

    def _class_of(self, name: str) -> ast.ClassDef | None:
        """The class to which a new method that was sent without one belongs. Raises `NoPlaceError` for several."""
        meant = self._said.class_of(name, [each.name for each in self._classes])
        classes = [each for each in self._classes if meant in (None, each.name)]
        if len(classes) > 1:
            raise NoPlaceError
        return classes[0] if classes else None

    def _add_to_class(self, to: ast.ClassDef, new: Sequence[ast.stmt]) -> None:
        """Constants below those at its head, methods at its end."""
        if to.body[0].lineno == to.lineno:
            raise NoPlaceError
        blanks = self.changes.blanks(to.body[0])
        head = list(takewhile(lambda each: not isinstance(each, Definition), to.body))
        at = span(head[-1])[1] if head else above(self.changes.old, to.body[0])
        for each in new:
            is_definition = isinstance(each, Definition)
            lines = [
                *(blanks + comment for comment in self.changes.comments(each)),
                *self.changes.indented(blanks, each),
            ]
            line = span(to)[1] if is_definition else at
            self.changes.put(line, line, ["", *lines] if is_definition else lines)

    def _put_main(self, blocks: Sequence[ast.stmt]) -> None:
        """In the place of the old one, if it does all that that does; where there is none, at the end."""
        old = next(filter(is_main_block, self._before), None)
        line = len(self._old.text.rstrip().split("\n"))
        due = {name for name in spoken([old]) & self._old.bound if not self._said.definition(name)} if old else set()
        for block in blocks:
            if old is None:
                self.changes.put(line, line, [*BETWEEN, *self.changes.with_comments(block)])
            elif due <= spoken([block]):
                self.changes.put(*span(old), self.changes.indented("", block))
                self.has_found = True


def _by_name(body: Body, sent: Body) -> _ByName:
    """The statements by their names. Where one is bound more than once, what was sent as it is stays as it is."""
    found: _ByName = {}
    for each in body:
        found.setdefault(name_of(each), []).append(each)
    there = {shape(each) for each in sent if not isinstance(each, Definition)}
    return {name: [each for each in of if len(of) == 1 or shape(each) not in there] for name, of in found.items()}


def _place(statement: ast.stmt) -> _Place:
    """What tells it from others of its name."""
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    return name_of(statement), kind_of(statement), shape(decorators)


def is_method(sent: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Whether a function takes what it is called on."""
    return isinstance(sent, Function) and bool(sent.args.args) and sent.args.args[0].arg in ("self", "cls")
