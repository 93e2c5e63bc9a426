"""What a change takes away that nobody said is to go.

A model that writes a file anew from memory, or is cut off between two functions, loses others on the way, and where no
test speaks of them, nobody else would tell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from treadle.core.errors import SourceError
from treadle.core.records import FileChange
from treadle.core.said import Said, folded
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Function,
    body_of,
    bound,
    is_main_block,
    lost_without_reason,
    outermost,
    spoken,
    without_docstring,
)
from treadle.core.tree.landmarks import landmarks
from treadle.core.tree.sources import decode_source, is_python

_FEW_LINES = 3
"""A text with fewer, or a module with fewer constants, tells nothing."""
_SOME_LINES = 10
"""Of a text that is no shorter all lines may change on purpose, where they are few."""
_MOST_LOST = 0.9
_SHORTER, _MOST_LOST_OF_SHORTER = 0.8, 0.2
_PROGRAM = "__main__"
"""What stands for the part that is run as a program."""
_MOST_NAMED = 5
_WORD = re.compile(r"\w")
_NAME = re.compile(r"\w+")
_TEST = re.compile(r"[tT]est")


def losses(files: Sequence[FileChange], before: Callable[[str], bytes | None], said: Said) -> Iterator[tuple[str, str]]:
    """Of each file that loses something the path, and a sentence's beginning that tells what. Of Python these are the
    definitions and constants that neither it nor another changed file has now, bodies of functions that are empty now,
    and what is run as a program: without those that somebody `said` are to go, those that have a reason to
    (`lost_without_reason`), and tests, which have a rule of their own. Of other texts `landmarks` that no changed file
    speaks of, and lines, where hardly any stays, or where the text has become shorter by more than a few."""
    was = {change.path: before(change.path) for change in files}
    came = {name.rpartition(".")[2] for change in files for name in _came(was[change.path], change.content)}
    now = [_text(change.content) for change in files if change.content is not None]
    for change in files:
        old, new = was[change.path], change.content or b""
        if old is None or said.all_of(change.path) or (change.content is None and said.file(change.path, deleted=True)):
            continue
        if is_python(change.path):
            gone = [*_lost_names(change.path, old, new, now, came, said), *_emptied(old, new, said)]
        elif said.file(change.path):
            gone = []
        else:
            gone = _lost_of_text(change.path, _text(old), _text(new), now, said)
        if gone:
            yield change.path, f"{_listed(gone)} would be gone"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _lost_names(path: str, old: bytes, new: bytes, now: Sequence[str], came: set[str], said: Said) -> list[str]:
    before, after = _body(old), _body(new)
    if before is None or after is None:
        return []
    lost, may_go = outermost(_lost(before, after)), said.may_go(path, bound(before))
    lost -= _renamed(lost, bound(after) - bound(before), said)
    in_use = set(_NAME.findall("\n".join(now))) if said.unused_goes else set()
    names = sorted(
        name
        for name in lost
        if name.rpartition(".")[2] not in came
        and not (may_go(name) or said.in_words(name) or _TEST.match(name))
        and not (said.unused_goes and _is_private(name) and name.rpartition(".")[2] not in in_use)
    )
    return ["what runs it as a program" if name == _PROGRAM else name for name in names]


def _is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.endswith("__")


def _renamed(lost: set[str], new: set[str], said: Said) -> set[str]:
    """Those that are there under other names, where some are to have others: under the same words in another form, or
    all of them, where as many have come to their place as have gone."""
    there = {folded(name) for name in new} if said.style_changes or said.names_change else set()
    renamed = {name for name in lost if folded(name) in there}
    places = {name.rpartition(".")[0] for name in lost} if said.names_change else ()
    for place in places:
        gone, come = ({name for name in names if name.rpartition(".")[0] == place} for names in (lost, new))
        if len(gone) <= len(come):
            renamed |= gone
    return renamed


def _lost(before: Body, after: Body) -> set[str]:
    lost = lost_without_reason(before, after)
    if any(map(is_main_block, before)) and not any(map(is_main_block, after)):
        lost.add(_PROGRAM)
    has_definitions = any(isinstance(each, Definition) for each in before)
    return lost if has_definitions or len(lost) >= _FEW_LINES else set()


def _came(old: bytes | None, new: bytes | None) -> set[str]:
    return bound(_body(new or b"") or ()) - bound(_body(old or b"") or ())


def _emptied(old: bytes, new: bytes, said: Said) -> list[str]:
    """The functions that do nothing now, and did something."""
    before, after = (dict(_functions(_body(text) or ())) for text in (old, new))
    return [
        f"the body of {name}"
        for name, each in after.items()
        if name in before and _does_nothing(each) and not _does_nothing(before[name]) and not said.definition(name)
    ]


def _functions(body: Body, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for each in body:
        if isinstance(each, Function):
            yield inside + each.name, each
        elif isinstance(each, ast.ClassDef) and not inside:
            yield from _functions(each.body, f"{each.name}.")


def _does_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    def is_empty(each: ast.stmt) -> bool:
        if isinstance(each, ast.Raise):
            return "NotImplementedError" in spoken([each])
        return isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))

    return all(map(is_empty, without_docstring(function.body)))


def _body(content: bytes) -> Body | None:
    try:
        return body_of(decode_source(content))
    except SourceError:
        return None


def _lost_of_text(path: str, old: str, new: str, now: Sequence[str], said: Said) -> list[str]:
    lost = landmarks(path, old) - landmarks(path, new)
    lost = {name for name in lost if not any(name in text for text in now)}
    if lost:
        return sorted(name for name in lost if not said.words(name))
    lines, kept = _lines(old), {line for text in now for line in _lines(text)}
    gone = len(lines - kept)
    is_shorter = len(_lines(new)) < _SHORTER * len(lines)
    most = (_MOST_LOST_OF_SHORTER if is_shorter else _MOST_LOST) * len(lines)
    least = _FEW_LINES if is_shorter else _SOME_LINES
    return [f"{gone} of its {len(lines)} lines"] if gone >= least and gone > most else []


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _lines(text: str) -> set[str]:
    """Those that say something."""
    return {line.strip() for line in text.splitlines() if _WORD.search(line)}
