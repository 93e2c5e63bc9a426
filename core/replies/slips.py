"""Slips of the pen in code of a model: what no Python is, and is one but for them.

Chat programs and small models put curved quotes, entities of HTML, numbers of lines or a blank before each line into
code. Text that is Python as it stands is never touched.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from textwrap import dedent

from treadle.core.tree.bound_names import body_of

_CURVED = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_NUMBER = re.compile(r"^[ \t]*\d+(?:[ \t]*[|:\u2502]|\t)[ ]?", re.MULTILINE)
_ONE_BLANK = re.compile(r"\n* \S")


def without_slips(text: str) -> str:
    """The text without what keeps it from being Python, where that is all that does; else as it is. A part of a class
    may stand as deep as it does there."""
    if body_of(dedent(text)) is not None and not _ONE_BLANK.match(text):
        return text
    return next((made for made in _mended(text) if body_of(dedent(made))), text)


def _mended(text: str) -> Iterator[str]:
    """The text without one kind of slip, and without one more."""
    kinds: tuple[Callable[[str], str], ...] = (_numbers, _entities, _quotes, _behind_a_blank)
    for kind in kinds:
        if (made := kind(text)) != text:
            yield made
            yield from (again for other in kinds if (again := other(made)) != made)


def _quotes(text: str) -> str:
    return text.translate(_CURVED)


def _entities(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def _numbers(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    return _NUMBER.sub("", text) if all(map(_NUMBER.match, lines)) else text


def _behind_a_blank(text: str) -> str:
    return dedent(text) if _ONE_BLANK.match(text) else text
