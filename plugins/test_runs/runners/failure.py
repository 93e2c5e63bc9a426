"""What an exception says of the code under test: its name, a short message, and the places in the project.

Read from the exception itself, without the formatted traceback, which costs pytest far more than most tests take.
Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import doctest
import traceback
from types import TracebackType
from typing import Callable, NamedTuple, Optional

NO_SUCH_TEST = "NoSuchTest"
"""What is told as the exception of a name that none of the tests has."""
FRAME_LIMIT = 50
"""Frames kept of one traceback: those nearest to the fault."""

Place = Callable[[str], Optional[str]]
"""The portable path of a file of the project, None for any other file."""


class Failure(NamedTuple):
    """Why something failed."""

    exception: str
    message: str
    frames: list[tuple[str, int]]


def failure_of(error: BaseException, place: Place) -> Failure:
    """The failure that the exception tells of, seen through pytest's own wrappings to the fault itself."""
    error = _unwrapped(error)
    if isinstance(error, doctest.DocTestFailure):
        return _doctest_failure(error, place)
    return Failure(type(error).__name__, _message(error), _frames(error, place))


def kind_of_failure(error: BaseException, _: Place) -> Failure:
    """Its exception alone."""
    return Failure(type(_unwrapped(error)).__name__, "", [])


def _unwrapped(error: BaseException) -> BaseException:
    """What pytest wraps in CollectError, ConftestImportFailure or doctest.UnexpectedException."""
    for _ in range(10):
        inner: BaseException | None = None
        if isinstance(error, doctest.UnexpectedException):
            inner = error.exc_info[1]
        elif type(error).__name__ == "MultipleDoctestFailures":
            inner = next(iter(getattr(error, "failures", ())), None)
        elif type(error).__name__ == "ConftestImportFailure":
            inner = getattr(error, "cause", None) or getattr(error, "excinfo", (None, None))[1]
        elif type(error).__name__ == "CollectError":
            inner = error.__cause__
        if inner is None:
            return error
        error = inner
    return error


def _message(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return str(error.msg)
    if isinstance(error, SystemExit):
        return f"the code ended the process: {error!r}"
    if type(error).__name__ == "FixtureLookupError":
        return f"fixture {getattr(error, 'argname', '?')!r} not found"
    # The traceback module survives a `__str__` that raises.
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    head, colon, message = text.partition(": ")
    return message if colon and head.endswith(type(error).__name__) else text if colon else ""


def _frames(error: BaseException, place: Place) -> list[tuple[str, int]]:
    frames = _frames_of(error.__traceback__, place)
    if isinstance(error, SyntaxError) and error.filename:
        file = place(error.filename)
        if file is not None:
            frames.append((file, error.lineno or 0))
    cause = error.__cause__ or error.__context__
    if not frames and cause is not None:
        return _frames_of(cause.__traceback__, place)
    return frames[-FRAME_LIMIT:]


def _frames_of(step: TracebackType | None, place: Place) -> list[tuple[str, int]]:
    steps = []
    while step is not None:
        steps.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    # An endless recursion has a thousand, all in one file.
    files = {name: place(name) for name in dict.fromkeys(name for name, _ in steps)}
    return [(file, line) for name, line in steps for file in (files[name],) if file is not None][-FRAME_LIMIT:]


def _doctest_failure(error: doctest.DocTestFailure, place: Place) -> Failure:
    example, test = error.example, error.test
    message = f"{example.source.strip()}: expected {example.want.strip()!r}, got {error.got.strip()!r}"
    file = place(test.filename or "<unknown>")
    frames = [] if file is None else [(file, (test.lineno or 0) + example.lineno + 1)]
    return Failure("DocTestFailure", message, frames)
