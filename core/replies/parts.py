"""Whether a text that was sent under the name of a file is all of it, or a part of it: of a module of Python, or of a
Markdown file.

Small models answer with the function that they have changed, or added, under the name of the whole file. Taken as the
file, it would throw everything else away.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from treadle.core.errors import ReplyError
from treadle.core.replies.elision import elision
from treadle.core.replies.markdown_parts import begins_alike, with_sections
from treadle.core.replies.naming import language_of
from treadle.core.replies.placing import in_place, is_method, unindented
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Import,
    body_of,
    bound,
    has_docstring,
    lost_names,
    lost_without_reason,
    outermost,
    used,
    without_docstring,
)
from treadle.core.tree.shapes import shape
from treadle.core.tree.sources import is_python

_MOST_NAMED = 5
_FEW_LINES = 2
_FEW_NAMES = 3
_BUILT_IN = frozenset(dir(builtins))


def never(name: str) -> bool:
    """That nothing of a module may go."""
    return False


def whole(path: str, old: str | None, sent: str, said: Said = NOTHING_SAID) -> str:
    """All that the file shall hold, where the text under its name says, or shows, that it is a part of it; else the
    text itself. `said` tells which definitions are to go, and of which class a method is. Raises `ReplyError` for a
    text that uses what it lacks, or holds a method without its class, and has no place in the file."""
    if old is None:
        return sent
    if language_of(path) == "markdown":
        return with_sections(old, sent) or sent
    if not is_python(path):
        return sent
    may_go = said.may_go(path, bound(body_of(old) or ()))
    if _is_escaped(old, sent):
        raise ReplyError(
            f"all of {path} would be one line, since its line breaks are written as \\n: send them as line breaks"
        )
    if not is_surely_a_part(old, sent, may_go) and not elision(sent, old):
        return sent
    made = in_place(old, sent, alone=True, said=said)
    if made is None and (lacking := _used_and_lost(old, sent, may_go)):
        gone = ", ".join(sorted(lacking)[:_MOST_NAMED])
        raise ReplyError(f"that uses {gone}, which would be gone from {path}. Send the whole file, or an edit")
    if made is None and (methods := _methods_alone(old, sent)):
        named = ", ".join(sorted(methods)[:_MOST_NAMED])
        raise ReplyError(f"it can't be told of which class of {path} {named} is. Send its class with it, or an edit")
    if made is None and (known := _known_alone(old, sent)) and is_surely_a_part(old, sent, may_go):
        named = ", ".join(sorted(known)[:_MOST_NAMED])
        raise ReplyError(f"it can't be told where {named} belongs in {path}, of which it is a part. Send an edit")
    return made or sent


def lost_by(path: str, old: str, sent: str, said: Said = NOTHING_SAID) -> list[str]:
    """What a text would take away that is taken as that file: names that it would no longer define, without those that
    are said to go, or lines; nothing of Markdown with the same title."""
    if language_of(path) == "markdown" and begins_alike(old, sent):
        return []
    names = lost_names(old, unindented(sent))
    if names is None:
        return sorted(_lines(old) - _lines(sent))
    may_go = said.may_go(path, bound(body_of(old) or ()))
    return sorted(name for name in names if not may_go(name))


def has_its_place(path: str, old: str, sent: str, said: Said = NOTHING_SAID) -> bool:
    """Whether a text is surely a part of that file, and has its place there."""
    if language_of(path) == "markdown":
        return with_sections(old, sent) is not None
    is_part = is_surely_a_part(old, sent, said.may_go(path, bound(body_of(old) or ())))
    return is_part and in_place(old, sent, alone=True, said=said) is not None


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def is_of_a_class(sent: str) -> bool:
    """Whether all that is sent are methods without their class."""
    own = [each for each in body_of(unindented(sent)) or () if not isinstance(each, Import)]
    return bool(own) and all(map(is_method, own))


def _known_alone(old: str, sent: str) -> set[str]:
    """What was sent, where all of it are definitions of the module, and what they import."""
    before, after = body_of(old) or (), without_docstring(body_of(unindented(sent)) or ())
    own = [each for each in after if not isinstance(each, Import)]
    names = {each.name for each in own if isinstance(each, Definition)}
    return names if names <= bound(before) and all(isinstance(each, Definition) for each in own) else set()


def _methods_alone(old: str, sent: str) -> set[str]:
    """The methods that were sent without a class, and are in none of the module's own."""
    before, after = body_of(old) or (), body_of(unindented(sent)) or ()
    return {each.name for each in after if is_method(each)} - {each.name for each in before if is_method(each)}


def is_surely_a_part(old: str, sent: str, may_go: Callable[[str], bool] = never) -> bool:
    """Whether a text under the name of that module can't be meant as all of it: it uses what it lacks, or it lacks
    definitions that have no reason to go, and nothing is as it was, or the docstring is lacking as well, or, of a
    module without one, a constant that has no reason to go, or all but one definition, or more than are left."""
    before, after = body_of(old), body_of(unindented(sent))
    if not before or not after:
        return False
    if _used_and_lost(old, sent, may_go):
        return True
    unsaid = {name for name in outermost(lost_without_reason(before, after)) if not may_go(name)}
    without_reason = unsaid - (_BUILT_IN & used(after))
    old_code = _code(before)
    if not old_code:
        return len(without_reason) >= _FEW_NAMES and not _stays(before, after)
    if not without_reason & old_code.keys():
        return False
    if not _stays(before, after):
        return True
    if has_docstring(before):
        return not has_docstring(after)
    lost, left = without_reason & outermost(set(old_code)), outermost(set(_code(after)))
    return any("." not in name for name in without_reason - old_code.keys()) or len(lost) > len(left) or len(after) == 1


def _used_and_lost(old: str, sent: str, may_go: Callable[[str], bool]) -> set[str]:
    """What the text uses, and the module has, and it lacks, though nobody said so: without the module it can't run."""
    before, after = body_of(old), body_of(unindented(sent))
    if not before or not after or "*" in bound(after):
        return set()
    lost = (bound(before) - bound(after)) & used(after) - _BUILT_IN
    return {name for name in lost if not may_go(name)}


def _is_escaped(old: str, sent: str) -> bool:
    """Whether the text is a line with the signs for line breaks in it, in the place of many lines."""
    lines_now, lines_before = (len(text.strip().split("\n")) for text in (sent, old))
    return lines_now == 1 and sent.count("\\n") > 1 and lines_before > _FEW_LINES


def _stays(before: Body, after: Body) -> bool:
    """Whether anything is as it was: imports and docstrings say nothing, since parts bring those that they need."""
    new_code, there = _code(after), {shape(each) for each in after}
    return any(new_code.get(name) == code for name, code in _code(before).items()) or any(
        shape(each) in there for each in without_docstring(before) if not isinstance(each, Import)
    )


def _code(body: Body) -> dict[str, object]:
    """What functions, methods and classes are, by their names."""
    found = {each.name: each for each in body if isinstance(each, Definition)}
    for outer in [each for each in found.values() if isinstance(each, ast.ClassDef)]:
        found |= {f"{outer.name}.{each.name}": each for each in outer.body if isinstance(each, Definition)}
    return {name: shape(each) for name, each in found.items()}
