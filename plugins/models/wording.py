"""What a service says, and why the way to it fails, made fit to be shown to a person."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from treadle.core.one_line import printable
from treadle.core.redaction import Redactor

KEPT = 300
"""Characters of what a service says that are handed on."""
_DEEPEST = 20
_CONNECT = "Connect call failed"
"""What asyncio says of a connection in place of the system's words."""
_ERRNO = re.compile(r"\[Errno -?\d+\] ?")


def clean(text: str, key: str) -> str:
    """In one line without secrets and without what could move a cursor: the service may say anything, and nothing."""
    told = Redactor({"TREADLE_API_KEY": key} if key else {}).text(text)
    line = "".join(character for character in " ".join(told.split()) if character.isprintable())
    return printable(line if len(line) <= KEPT else f"{line[:KEPT].rstrip()}…").rstrip(" .:")


def reason_of(error: BaseException) -> str:
    """The words of the deepest of its causes that has any, else the name of its type; never empty. Clients wrap the
    error of a socket several times, and most of the wraps say nothing."""
    said = [_words(each) for each in _causes(error)]
    return next(filter(None, reversed(said)), type(error).__name__)


def _words(error: BaseException) -> str:
    words = error.strerror if isinstance(error, OSError) else None
    if isinstance(error, OSError) and error.errno and str(words).startswith(_CONNECT):
        words = os.strerror(error.errno)
    return _ERRNO.sub("", str(words or error)).strip()


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, then what caused it, and so on. Where a cause is not kept as such it stands among the arguments. What
    was merely handled when the error came says nothing of it: a request that was refused before, say."""
    following: BaseException | None = error
    for _ in range(_DEEPEST):  # causes can go in a circle
        if following is None:
            return
        yield following
        among = (following.__cause__, *following.args)
        following = next((each for each in among if isinstance(each, BaseException)), None)
