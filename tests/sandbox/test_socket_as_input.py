"""A command that has a socket as its standard input, and talks on it both ways."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
        while not results:
            threading.Event().wait(0.01)
        assert channel.recv(10) == b""
    assert results[0].ok


def test_it_is_the_only_socket_of_the_job() -> None:
    source = """
import os, socket
channel = socket.socket(fileno=0)
for family in (socket.AF_UNIX, socket.AF_INET):
    try:
        socket.socket(family)
        channel.sendall(b"made ")
    except PermissionError:
        channel.sendall(b"refused ")
channel.sendall(str(sorted(int(name) for name in os.listdir("/proc/self/fd"))[:4]).encode())
"""
    with talking(source) as (channel, results):
        heard = b""
        while data := channel.recv(4096):
            heard += data
            if b"]" in data:
                break
    assert heard.startswith(b"refused refused [0, 1, 2, "), heard
    assert results[0].ok


def test_descriptors_that_the_job_sends_are_not_taken() -> None:
    source = "import socket; socket.send_fds(socket.socket(fileno=0), [b'look'], [1, 2])"
    with talking(source) as (channel, results):
        data, descriptors, flags, _ = socket.recv_fds(channel, 10, 0)
        assert (data, descriptors) == (b"look", [])
        assert flags & socket.MSG_CTRUNC
    assert results[0].ok


def test_a_command_that_is_refused_leaves_no_socket_open() -> None:
    with talking(ECHO, policy=Policy(require=frozenset({"overlay"}), without=frozenset({"overlay"}))) as (
        channel,
        results,
    ):
        assert channel.recv(10) == b""
    assert results[0].verdict == "refused"


def test_a_socket_serves_one_command_after_the_other() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for word in (b"first", b"second"):
            result = run(
                [sys.executable, "-I", "-S", "-c", f"import os; os.write(0, {word!r})"], stdin=theirs, limits=LIMITS
            )
            assert result.ok
            assert ours.recv(10) == word
