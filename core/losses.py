"""What a change takes away that nobody said is to go.

A model that writes a file anew from memory, or is cut off between two functions, loses others on the way, and where no
test speaks of them, nobody else would tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from treadle.core.errors import SourceError
from treadle.core.records import FileChange, Plan, Task
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    body_of,
    bound,
    is_main_block,
    lost_without_reason,
    outermost,
)
from treadle.core.tree.sources import decode_source, is_python

_SENTENCE = re.compile(r"[.;:!?](?=\s)|\n")
_TAKES_AWAY = re.compile(
    r"\b(?:remov|delet|drop|renam|replac|mov|merg|inlin|extract|split|rewrit|get(?:s|ting)? rid|unused|dead|obsolete"
    r"|deprecat|convert|clean|no longer|unif|consolidat|eliminat|strip|discard|translat|rephras|reword|reformat"
    r"|shorten)",
    re.IGNORECASE,
)
"""What is said of something that is not to stay, in English. In other languages a person is asked once more."""
_NAME = re.compile(r"\w+(?:\.\w+)*")
_FEW_LINES = 3
"""A text with fewer, or a module with fewer constants, tells nothing."""
_MOST_LOST = 0.9
_FAR_SHORTER = _MOST_LOST_OF_SHORTER = 0.5
_PROGRAM = "__main__"
"""What stands for the part that is run as a program."""
_MOST_NAMED = 5
_WORD = re.compile(rb"\w")
_TEST = re.compile(r"[tT]est")


class SaidToGo:
    """What some texts say is not to stay."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sentences = [part for text in texts for part in _SENTENCE.split(text) if _TAKES_AWAY.search(part)]
        whole = {name for sentence in self._sentences for name in _NAME.findall(sentence)}
        self._names = whole | {name.rpartition(".")[2] for name in whole}

    def definition(self, name: str) -> bool:
        """Whether that is said of a definition (or `Class.name`)."""
        return name.rpartition(".")[2] in self._names

    def file(self, path: str) -> bool:
        """Whether that is said of a file, by its path or its last name, with or without its ending."""
        last = path.rpartition("/")[2]
        return last.partition(".")[0] in self._names or any(last in sentence for sentence in self._sentences)


def said_by(task: Task, plan: Plan) -> SaidToGo:
    """What the task, the conversation that it goes on from, and the plan say."""
    return SaidToGo((task.text, *(each.asked for each in task.earlier), *plan.steps))


NOTHING_SAID = SaidToGo(())


def losses(
    files: Sequence[FileChange], before: Callable[[str], bytes | None], said: SaidToGo
) -> Iterator[tuple[str, str]]:
    """Of each file that loses something the path, and a sentence's beginning that tells what. Of Python these are the
    definitions and constants that neither it nor another changed file has now, and what is run as a program: without
    those that somebody `said` are to go, those that have a reason to (`lost_without_reason`), and tests, which have a
    rule of their own. Other texts are told of where hardly any line of them stays, or where they have become far
    shorter: where a part of them, which has lines that are new, may have taken the place of all."""
    was = {change.path: before(change.path) for change in files}
    lines_now = {line for change in files for line in _lines(change.content or b"")}
    came = {name.rpartition(".")[2] for change in files for name in _came(was[change.path], change.content)}
    for change in files:
        old = was[change.path]
        if old is None or (change.content is None and said.file(change.path)):
            continue
        if is_python(change.path):
            lost = {
                name
                for name in outermost(_lost(old, change.content or b""))
                if name.rpartition(".")[2] not in came and not said.definition(name) and not _TEST.match(name)
            }
            if lost:
                yield change.path, f"{_listed(sorted(lost))} would be gone"
        elif len(lines := _lines(old)) >= _FEW_LINES and not said.file(change.path):
            gone = len(lines - lines_now)
            is_far_shorter = len(_lines(change.content or b"")) < _FAR_SHORTER * len(lines)
            if gone > (_MOST_LOST_OF_SHORTER if is_far_shorter else _MOST_LOST) * len(lines):
                yield change.path, f"{gone} of its {len(lines)} lines would be gone"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    told = ("what runs it as a program" if name == _PROGRAM else name for name in names[:_MOST_NAMED])
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _lost(old: bytes, new: bytes) -> set[str]:
    before, after = _body(old), _body(new)
    if before is None or after is None:
        return set()
    lost = lost_without_reason(before, after)
    if any(map(is_main_block, before)) and not any(map(is_main_block, after)):
        lost.add(_PROGRAM)
    has_definitions = any(isinstance(each, Definition) for each in before)
    return lost if has_definitions or len(lost) >= _FEW_LINES else set()


def _came(old: bytes | None, new: bytes | None) -> set[str]:
    return bound(_body(new or b"") or ()) - bound(_body(old or b"") or ())


def _body(content: bytes) -> Body | None:
    try:
        return body_of(decode_source(content))
    except SourceError:
        return None


def _lines(content: bytes) -> set[bytes]:
    """Those that say something."""
    return {line.strip() for line in content.splitlines() if _WORD.search(line)}
