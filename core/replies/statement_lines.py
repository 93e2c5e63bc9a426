"""Where the statements of a text stand in its lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from treadle.core.tree.bound_names import Definition

_ABOUT_THE_FILE = re.compile(r"#!|#.*coding[:=]")
"""Comments that must stay where they are."""


def span(statement: ast.stmt) -> tuple[int, int]:
    """Its lines, from 0, with its decorators."""
    decorators = statement.decorator_list if isinstance(statement, Definition) else []
    start = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return start - 1, statement.end_lineno or statement.lineno


def above(lines: Sequence[str], statement: ast.stmt) -> int:
    """The line above a statement, and above the comments that stand on it."""
    at = span(statement)[0]
    sign = f"{blanks_of(lines[at])}#"
    while at and lines[at - 1].startswith(sign) and not _ABOUT_THE_FILE.match(lines[at - 1]):
        at -= 1
    return at


def blanks_of(line: str) -> str:
    """Those with which it begins."""
    return line[: len(line) - len(line.lstrip())]


def shares_a_line(lines: Sequence[str], statement: ast.stmt) -> bool:
    """Whether another statement stands on one of its lines, so that it would go with it, or come along."""
    start, end = span(statement)
    before = lines[start].encode()[: statement.col_offset]
    behind = lines[end - 1].encode()[statement.end_col_offset :]
    return bool(before.strip()) or behind.lstrip().startswith(b";")


def has_long_text(statement: ast.stmt) -> bool:
    """Whether a text in it, other than a docstring, goes over lines, so that it can't be indented."""
    texts = [node for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)]
    docstring = statement.body[0] if isinstance(statement, Definition) else statement
    return any(
        text.end_lineno != text.lineno and not (isinstance(docstring, ast.Expr) and docstring.value is text)
        for text in texts
    )
