"""Why the way to a service fails, in words: there are always some."""

from __future__ import annotations

import errno
import os
import urllib.error

import httpx2
import pytest

from treadle.plugins.models.wording import clean, reason_of

RESET = ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.ReadError(""), "ReadError"),
        (httpx2.ReadError(" \n"), "ReadError"),
        (RESET, "Connection reset by peer"),
        (OSError(errno.ENETUNREACH, ""), "OSError"),
        (OSError(errno.ENETUNREACH, "Connect call failed ('10.0.0.7', 443)"), "Network is unreachable"),
        (caused(httpx2.ReadError(""), RESET), "Connection reset by peer"),
        (caused(httpx2.ReadError(""), OSError(httpx2.ReadError(""), RESET)), "Connection reset by peer"),
        (caused(httpx2.ConnectError("All attempts failed"), OSError()), "All attempts failed"),
        (httpx2.ConnectError("[Errno -2] Name or service not known"), "Name or service not known"),
        (urllib.error.URLError(RESET), "Connection reset by peer"),
        (TimeoutError("it was not whole after 1 s"), "it was not whole after 1 s"),
    ],
)
def test_the_deepest_cause_that_says_something_is_the_reason(error: BaseException, reason: str) -> None:
    assert reason_of(error) == reason


def test_what_was_handled_when_it_came_is_no_reason() -> None:
    error = httpx2.ReadError("")
    error.__context__ = ValueError("another request was refused")
    assert reason_of(error) == "ReadError"


def test_causes_in_a_circle_are_left() -> None:
    one, other = httpx2.ReadError(""), httpx2.ReadError("")
    one.__cause__, other.__cause__ = other, one
    assert reason_of(one) == "ReadError"


def test_where_nothing_is_said_there_is_no_colon() -> None:
    assert clean("It answered 500: \n", "") == "It answered 500"
