"""A command that has a socket as its standard input, and talks on it both ways."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from treadle.sandbox import Limits, Policy, Result, run

LIMITS = Limits.tier("quick", wall_s=20.0)
ECHO = """
import socket
channel = socket.socket(fileno=0)
while data := channel.recv(4096):
    channel.sendall(data)
"""


@contextmanager
def talking(source: str, **arguments: object) -> Iterator[tuple[socket.socket, list[Result]]]:
    """Our end of the socket, and where the result will be once the block has ended."""
    ours, theirs = socket.socketpair()
    results: list[Result] = []

    def work() -> None:
        command = [sys.executable, "-I", "-S", "-c", source]
        results.append(run(command, stdin=theirs, limits=LIMITS, **arguments))  # type: ignore[arg-type]
        theirs.close()

    thread = threading.Thread(target=work)
    thread.start()
    ours.settimeout(15)
    with ours:
        yield ours, results
    thread.join()


def test_both_talk_until_one_hangs_up() -> None:
    with talking(ECHO) as (channel, results):
        for word in (b"one", b"two" * 1000):
            channel.sendall(word)
            heard = b""
            while len(heard) < len(word):
                heard += channel.recv(65536)
            assert heard == word
    assert results[0].ok


@pytest.mark.parametrize("without", [frozenset(), frozenset({"userns"})], ids=["all layers", "without userns"])
def test_when_the_command_is_gone_its_end_of_the_socket_is_too(without: frozenset[str]) -> None:
    # Something that it started holds the socket, and dies with it.
    source = "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(60)\nos.write(0, b'here')"
    with talking(source, policy=Policy(without=without)) as (channel, results):
        assert channel.recv(10) == b"here"
        # Ours and that of the thread that runs it are the last ones then.
        limit = time.monotonic() + 60
        while not results:
            assert time.monotonic() < limit, "no result"
            time.sleep(0.01)
        assert channel.recv(10) == b""
    assert results[0].ok


def test_it_is_the_only_socket_of_the_job() -> None:
    source = """
import fcntl, socket
channel = socket.socket(fileno=0)
for family in (socket.AF_UNIX, socket.AF_INET):
    try:
        socket.socket(family)
        channel.sendall(b"made ")
    except PermissionError:
        channel.sendall(b"refused ")
def is_open(number):
    try:
        return fcntl.fcntl(number, fcntl.F_GETFD) >= 0
    except OSError:
        return False
channel.sendall(str([number for number in range(4096) if is_open(number)]).encode())
"""
    with talking(source) as (channel, results):
        heard = b""
        while data := channel.recv(4096):
            heard += data
            if b"]" in data:
                break
    assert heard == b"refused refused [0, 1, 2]", heard
    assert results[0].ok


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"policy": Policy(require=frozenset({"overlay"}), without=frozenset({"overlay"}))}, "overlay is off"),
        ({"files": {"/abs": b""}}, "not a plain relative file name"),
    ],
    ids=["by the harness", "by the server"],
)
def test_a_command_that_is_refused_leaves_no_socket_open(asked: dict[str, Any], says: str) -> None:
    with talking(ECHO, **asked) as (channel, results):
        assert channel.recv(10) == b""
    assert results[0].verdict == "refused"
    assert says in results[0].message


def test_a_socket_serves_one_command_after_the_other() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for word in (b"first", b"second"):
            result = run(
                [sys.executable, "-I", "-S", "-c", f"import os; os.write(0, {word!r})"], stdin=theirs, limits=LIMITS
            )
            assert result.ok
            assert ours.recv(10) == word
