"""What a plugin's exception says, made fit for a line on the screen and for the log: it may hold anything."""

from __future__ import annotations

import traceback
from collections.abc import Container

from treadle.core.errors import TreadleError

_LINE_KEPT = 500
_TRACE_KEPT = 20_000


def one_line(error: BaseException) -> str:
    """What happened, in one line for a person; also when its own `str()` raises."""
    lines = traceback.format_exception_only(error)
    kind, _, text = (lines[-1] if isinstance(error, SyntaxError) else lines[0]).strip().partition(": ")
    said = text if isinstance(error, TreadleError) and text else f"{kind}: {text}" if text else kind
    return printable(" ".join(said.split())[:_LINE_KEPT])


def trace_of(error: BaseException, callers: Container[str] = ()) -> str:
    """The end of its traceback, without the frames of those modules through which what raised it was called."""
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None and frames.tb_frame.f_globals.get("__name__") in callers:
        frames = frames.tb_next
    return printable("".join(traceback.format_exception(type(error), error, frames))[-_TRACE_KEPT:])


def printable(text: str) -> str:
    """The text without what UTF-8 can't hold, so that it can be logged and sent."""
    return text.encode("utf-8", "backslashreplace").decode()
