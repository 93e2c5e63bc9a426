"""What a module loses: definitions and constants that neither it nor another changed file has now, bodies of functions
that are empty now, what is run as a program, and what a definition has lost of itself. Tests have a rule of their
own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from treadle.core.errors import SourceError
from treadle.core.losses_of_text import Now
from treadle.core.said import Said, folded
from treadle.core.tree.bound_names import (
    Body,
    Definition,
    Function,
    body_of,
    bound,
    functions,
    is_main_block,
    lost_without_reason,
    outermost,
    spoken,
    without_docstring,
)
from treadle.core.tree.sources import decode_source
from treadle.core.tree.thinned import thinned

_FEW_CONSTANTS = 3
"""A module with fewer, and no definitions, tells nothing."""
_PROGRAM = "__main__"
"""What stands for the part that is run as a program."""
_TEST = re.compile(r"[tT]est")


@dataclass(frozen=True)
class Module:
    """Its statements before and after the change, None where nobody can tell."""

    before: Body | None
    after: Body | None

    @classmethod
    def of(cls, old: bytes | None, new: bytes | None) -> Module:
        """What these texts hold; without one: nothing."""
        return cls(_body(old or b""), _body(new or b""))

    @cached_property
    def was(self) -> set[str]:
        """What was bound before."""
        return bound(self.before or ())

    @cached_property
    def came(self) -> set[str]:
        """What is bound now, and was not."""
        return bound(self.after or ()) - self.was


def lost_of_python(path: str, module: Module, now: Now, came: set[str], said: Said) -> list[str]:
    """What is lost, as it is told: without names that are among those that `came` to any file."""
    before, after = module.before, module.after
    if before is None or after is None:
        return []
    may_go = said.may_go(path, module.was)
    lost = outermost(_lost(before, after))
    lost -= {name for name in _renamed(lost, module, said) if not said.stays(name)}
    names = sorted(
        name
        for name in lost
        if name.rpartition(".")[2] not in came
        and not _TEST.match(name)
        and (said.stays(name) or not (may_go(name) or said.in_words(name) or _is_unused(name, now, said)))
    )
    told = ["what runs it as a program" if name == _PROGRAM else name for name in names]
    told += [f"the body of {name}" for name in _emptied(before, after) if not may_go(name)]
    return told + [
        each.lost
        for each in thinned(before, after)
        if not (may_go(each.name) or any(map(said.speaks_of, each.parts)) or (said.code_shrinks and each.is_body))
    ]


def _lost(before: Body, after: Body) -> set[str]:
    lost = lost_without_reason(before, after)
    if any(map(is_main_block, before)) and not any(map(is_main_block, after)):
        lost.add(_PROGRAM)
    has_definitions = any(isinstance(each, Definition) for each in before)
    return lost if has_definitions or len(lost) >= _FEW_CONSTANTS else set()


def _renamed(lost: set[str], module: Module, said: Said) -> set[str]:
    """Those that are there under other names, where some are to have others: under the same words in another form, or
    all of them, where as many have come to their place as have gone."""
    names_change = said.names_change(module.was)
    there = {folded(name) for name in module.came} if said.style_changes or names_change else set()
    renamed = {name for name in lost if folded(name) in there}
    if names_change:
        gone_from, come_to = _by_place(lost), _by_place(module.came)
        for place, gone in gone_from.items():
            if len(gone) <= len(come_to.get(place, ())):
                renamed |= gone
    return renamed


def _by_place(names: set[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in names:
        found.setdefault(name.rpartition(".")[0], set()).add(name)
    return found


def _is_unused(name: str, now: Now, said: Said) -> bool:
    """Whether it is a private one of which nothing speaks, where such are to go."""
    last = name.rpartition(".")[2]
    return said.unused_goes and last.startswith("_") and not last.endswith("__") and not now.speaks_of(last)


def _emptied(before: Body, after: Body) -> Iterator[str]:
    """The functions that do nothing now, and did something."""
    was = dict(functions(before))
    for name, each in functions(after):
        if name in was and _does_nothing(each) and not _does_nothing(was[name]):
            yield name


def _does_nothing(function: Function) -> bool:
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
