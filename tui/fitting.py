"""Lines that fit the terminal: broken between words, where it would break them anywhere."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextvars import ContextVar

_PLAIN: ContextVar[bool] = ContextVar("plain", default=False)

_LEAST = 40
# Where a column begins: behind the blanks at the beginning of a line, and behind two or more of them.
_COLUMN = re.compile(r"^\s+|\s{2,}(?=\S)")


def columns(*, err: bool = False) -> int:
    """The columns of the terminal that standard output (or error) is; 0 when it is none, and no line has to fit."""
    stream = sys.stderr if err else sys.stdout
    return max(_LEAST, shutil.get_terminal_size().columns) if stream.isatty() else 0


@contextlib.contextmanager
def said_plainly(plain: bool) -> Iterator[None]:
    """Within the block a person wants lines that stay as they are, none that is drawn again (`treadle --plain`)."""
    before = _PLAIN.set(plain or _PLAIN.get())
    try:
        yield
    finally:
        _PLAIN.reset(before)


def is_plain() -> bool:
    """Whether the person wants lines that stay as they are."""
    return _PLAIN.get()


def fitted(text: str, width: int) -> str:
    """The text with no line longer than that, save for words that are; 0: as it is. What follows a first line is
    indented to where its text begins."""
    return "\n".join(_lines(line, width) for line in text.split("\n")) if width else text


def tell(text: str, *, err: bool = False) -> None:
    """Print it, fitted to the terminal where there is one."""
    import click  # only here: the screen has lines that fit, and prints none

    click.echo(fitted(text, columns(err=err)), err=err)


def _lines(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    # The last column in the left half goes on below itself; blanks further on are those of a text.
    begins = max((found.end() for found in _COLUMN.finditer(line) if found.end() <= width // 2), default=0)
    lines = textwrap.wrap(
        line[begins:],
        width,
        initial_indent=line[:begins],
        subsequent_indent=" " * begins,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)
