"""What comes new with a part of a module, put where it can be used."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile

from treadle.core.replies.line_changes import BETWEEN, LineChanges, NoPlaceError
from treadle.core.replies.may_become import name_of
from treadle.core.replies.module_text import ModuleText
from treadle.core.replies.statement_lines import above, span
from treadle.core.tree.bound_names import Definition, bound, is_main_block, spoken


def add_new(changes: LineChanges, old: ModuleText, new: Sequence[ast.stmt], sent: Sequence[ast.stmt]) -> None:
    """Above the first of those in their place what others use, and constants; at the end the rest, or all."""
    if not any(isinstance(each, Definition) for each in sent) and any(_is_example(each, old) for each in new):
        raise NoPlaceError
    upper = changes.first_replaced
    first = next((each for each in old.statements if upper is not None and span(each)[1] > upper), None)
    top = above(changes.old, first) if first is not None else None
    head, end = _end_of_head(changes, old), _end(changes, old)
    below = bound(list(dropwhile(lambda each: not isinstance(each, Definition), old.statements)))
    speak_of = Counter(name for each in sent for name in spoken([each]))
    for each in new:
        lines = changes.with_comments(each)
        is_used = speak_of[name_of(each)] > (name_of(each) in spoken([each]))
        if top is not None and (not isinstance(each, Definition) or is_used):
            changes.put(top, top, [*lines, *BETWEEN])
        elif head is not None and not isinstance(each, Definition) and not spoken([each]) & below:
            changes.put(head, head, [*lines, *BETWEEN])
        else:
            changes.put(end, end, [*BETWEEN, *lines])


def _is_example(statement: ast.stmt, old: ModuleText) -> bool:
    """Whether it calls what the module defines, though nothing is defined with it."""
    called = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return bool(spoken(called) & old.bound)


def _end_of_head(changes: LineChanges, old: ModuleText) -> int | None:
    """The line above the first definition; None where there is none."""
    first = next((each for each in old.statements if isinstance(each, Definition)), None)
    return None if first is None else above(changes.old, first)


def _end(changes: LineChanges, old: ModuleText) -> int:
    """The line behind the last definition, or the last statement that is not run as a program alone."""
    last = [each for each in old.statements if not is_main_block(each)]
    return span(last[-1])[1] if last else above(changes.old, old.statements[0])
