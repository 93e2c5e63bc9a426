"""Whether a text that was sent under the name of a file is all of it, or a part of it: of a module of Python, of a
Markdown file, or of one of tables.

Small models answer with the function that they have changed, or added, under the name of the whole file. Taken as the
file, it would throw everything else away.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import cached_property

from treadle.core.errors import ReplyError
from treadle.core.replies.elision import elision
from treadle.core.replies.markdown_parts import begins_alike, with_sections
from treadle.core.replies.may_become import name_of
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.replies.naming import language_of
from treadle.core.replies.placing import in_place, is_method
from treadle.core.replies.table_parts import with_tables
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Import,
    has_docstring,
    lost_without_reason,
    outermost,
    used,
    without_docstring,
)
from treadle.core.tree.landmarks import SECTION_ENDINGS, landmarks
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import is_python

_MOST_NAMED = 5
_FEW_LINES = 2
_FEW_NAMES = 3
_FEW_STAY = 2
"""Of so many lines of a text in which nothing is named not more than one."""
_BUILT_IN = frozenset(dir(builtins))


def never(name: str) -> bool:
    """That nothing of a module may go."""
    return False


class Sent:
    """A text that was sent for a file that is there. `said` tells which definitions are to go, and of which class a
    method is, or else the words `above` the text do. What takes time to find is looked for once."""

    def __init__(self, path: str, old: ModuleText, text: str, said: Said = NOTHING_SAID, above: str = "") -> None:
        self.path, self.old, self.text = path, old, text
        self._said = said
        self._above = above
        self._sent = as_sent(text)

    def is_of(self, path: str, old: ModuleText, text: str, above: str) -> bool:
        """Whether it is this text, for that file as it is."""
        return self.old is old and (self.path, self.text, self._above) == (path, text, above)

    @cached_property
    def lost(self) -> list[str]:
        """What would be gone if the text were all of the file: names that it would no longer define, without those that
        are said to go; of other texts what is named in them, or lines, and nothing of Markdown with the same title."""
        names = self.old.lost_in(self._sent) if is_python(self.path) else None
        if names is not None:
            return sorted(name for name in names if not self._may_go(name))
        gone = _lost_of_text(self.path, self.old.text, self.text)
        return sorted(name for name in gone if not self._may_go(name))

    @cached_property
    def in_its_place(self) -> ModuleText | None:
        """All that the file shall hold where the text is a part of it; None where it is none, or has no place."""
        text: str | None
        if language_of(self.path) == "markdown":
            text = with_sections(self.old.text, self.text)
            return None if text is None else ModuleText(text)
        if self.path.endswith(SECTION_ENDINGS):
            text = with_tables(self.old.text, self.text) if self.lost else None
            return None if text is None else ModuleText(text)
        if not self._is_part:
            return None
        made = in_place(self.old, self._sent, alone=True, said=self._said)
        if made is None and self._above and any(map(is_method, self._sent.statements)):
            made = in_place(self.old, self._sent, alone=True, said=Said([self._above]))
        return made

    @cached_property
    def why_no_place(self) -> str:
        """Why the text, a part of a module without a place in it, can't be all of it either; empty for no reason."""
        if not self._is_part or self.in_its_place is not None:
            return ""
        if lacking := _used_and_lost(self.old, self._sent, self._may_go):
            return f"that uses {_few(lacking)}, which would be gone from {self.path}. Send the whole file, or an edit"
        if methods := _methods_alone(self.old, self._sent):
            return (
                f"it can't be told of which class of {self.path} {_few(methods)} is. Send its class with it, or an edit"
            )
        if self._is_surely_a_part and (known := _known_alone(self.old, self._sent)):
            return f"it can't be told where {_few(known)} belongs in {self.path}, of which it is a part. Send an edit"
        return ""

    def whole(self) -> str:
        """All that the file shall hold, where the text says, or shows, that it is a part of it; else the text itself.
        Raises `ReplyError` for a text that uses what it lacks, or holds a method without its class, and has no place in
        the file."""
        if is_python(self.path) and _is_escaped(self.old.text, self.text):
            raise ReplyError(
                f"all of {self.path} would be one line, since its line breaks are written as \\n: send them as line "
                "breaks"
            )
        if self.why_no_place:
            raise ReplyError(self.why_no_place)
        return self.text if self.in_its_place is None else self.in_its_place.text

    @cached_property
    def _is_part(self) -> bool:
        """Whether it is a part of a module by what it lacks, or says so."""
        return is_python(self.path) and (self._is_surely_a_part or elision(self.text, self.old.text) is not None)

    @cached_property
    def _is_surely_a_part(self) -> bool:
        return is_surely_a_part(self.old, self._sent, self._may_go)

    @cached_property
    def _may_go(self) -> Callable[[str], bool]:
        return self._said.may_go(
            self.path, self.old.bound if is_python(self.path) else landmarks(self.path, self.old.text)
        )


def whole(path: str, old: str | None, sent: str, said: Said = NOTHING_SAID) -> str:
    """`Sent.whole` of a text for a file that holds the `old` one, or is not there."""
    return sent if old is None else Sent(path, ModuleText(old), sent, said).whole()


def _lost_of_text(path: str, old: str, sent: str) -> set[str]:
    """What is named in one text, and in the other no more; of one in which nothing is, all lines that are gone where
    hardly any stays."""
    gone = _lines(old) - _lines(sent)
    if language_of(path) == "markdown":
        return set() if begins_alike(old, sent) else gone
    if named := landmarks(path, old):
        return named - landmarks(path, sent)
    return gone if _FEW_STAY * len(gone) > len(_lines(old)) else set()


def _few(names: set[str]) -> str:
    return ", ".join(sorted(names)[:_MOST_NAMED])


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def is_of_a_class(sent: str) -> bool:
    """Whether all that is sent are methods without their class."""
    own = [each for each in as_sent(sent).statements if not isinstance(each, Import)]
    return bool(own) and all(map(is_method, own))


def _known_alone(old: ModuleText, sent: ModuleText) -> set[str]:
    """What was sent, where all of it are definitions of the module, and what they import."""
    own = [each for each in without_docstring(sent.statements) if not isinstance(each, Import)]
    names = {each.name for each in own if isinstance(each, Definition)}
    return names if names <= old.bound and all(isinstance(each, Definition) for each in own) else set()


def _methods_alone(old: ModuleText, sent: ModuleText) -> set[str]:
    """The methods that were sent without a class, and are in none of the module's own."""
    found, there = ({each.name for each in of.statements if is_method(each)} for of in (sent, old))
    return found - there


def is_surely_a_part(old: ModuleText, sent: ModuleText, may_go: Callable[[str], bool] = never) -> bool:
    """Whether a text under the name of that module can't be meant as all of it: it uses what it lacks, or it lacks
    definitions that have no reason to go, and nothing is as it was, or the docstring is lacking as well, or, of a
    module without one, a constant that has no reason to go, or all but one definition, or more than are left."""
    before, after = old.body, sent.body
    if not before or not after:
        return False
    if _used_and_lost(old, sent, may_go):
        return True
    unsaid = {name for name in outermost(lost_without_reason(before, after)) if not may_go(name)}
    without_reason = unsaid - (_BUILT_IN & used(after))
    defined = _defined(before)
    if not defined:
        return len(without_reason) >= _FEW_NAMES and not _stays(before, after)
    if not without_reason & defined.keys():
        return False
    if not _stays(before, after):
        return True
    if has_docstring(before):
        return not has_docstring(after)
    lost, left = without_reason & outermost(set(defined)), outermost(set(_defined(after)))
    return any("." not in name for name in without_reason - defined.keys()) or len(lost) > len(left) or len(after) == 1


def _used_and_lost(old: ModuleText, sent: ModuleText, may_go: Callable[[str], bool]) -> set[str]:
    """What the text uses, and the module has, and it lacks, though nobody said so: without the module it can't run."""
    if not old.body or not sent.body or "*" in sent.bound:
        return set()
    lost = (old.bound - sent.bound) & used(sent.body) - _BUILT_IN
    return {name for name in lost if not may_go(name)}


def _is_escaped(old: str, sent: str) -> bool:
    """Whether the text is a line with the signs for line breaks in it, in the place of many lines."""
    lines_now, lines_before = (len(text.strip().split("\n")) for text in (sent, old))
    return lines_now == 1 and sent.count("\\n") > 1 and lines_before > _FEW_LINES


def _stays(before: Body, after: Body) -> bool:
    """Whether anything is as it was: imports and docstrings say nothing, since parts bring those that they need. What
    is looked at closely is only what has a namesake: the module may hold thousands of others."""
    was, now = _defined(before), _defined(after)
    if any(shape(was[name]) == shape(each) for name, each in now.items() if name in was):
        return True
    there, names = {shape(each) for each in after}, {name_of(each) for each in after}
    return any(
        shape(each) in there
        for each in without_docstring(before)
        if not isinstance(each, Import) and name_of(each) in names
    )


def _defined(body: Body) -> dict[str, Definition]:
    """The functions, methods and classes, by their names."""
    found: dict[str, Definition] = {each.name: each for each in body if isinstance(each, Definition)}
    for outer in [each for each in found.values() if isinstance(each, ast.ClassDef)]:
        found |= {f"{outer.name}.{each.name}": each for each in outer.body if isinstance(each, Definition)}
    return found
