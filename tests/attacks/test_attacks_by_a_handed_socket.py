"""A socket that the caller hands over as standard input leads to its other end, and nowhere else."""

from __future__ import annotations

import socket
import sys

import pytest

from treadle.sandbox import Limits, Policy, has_layer, run

LIMITS = Limits.tier("quick", wall_s=20.0)
# Requests that any socket takes: of the interfaces' names, of the first one's address (linux/sockios.h).
ASKS = """
import array, fcntl, os, socket, struct
SIOCGIFCONF, SIOCGIFNAME = 0x8912, 0x8910
def attempt(what, action):
    try:
        action()
        print("ESCAPED", what)
    except OSError:
        print("BLOCKED", what)
buffer = array.array("B", bytes(4096))
attempt("list of interfaces", lambda: fcntl.ioctl(0, SIOCGIFCONF, struct.pack("iL", 4096, buffer.buffer_info()[0])))
attempt("name of an interface", lambda: fcntl.ioctl(0, SIOCGIFNAME, struct.pack("16si20x", b"", 1)))
channel = socket.socket(fileno=os.dup(0))
attempt("send elsewhere", lambda: channel.sendto(b"x", "/run/systemd/notify"))
attempt("connect elsewhere", lambda: channel.connect("/run/systemd/notify"))
attempt("listen", lambda: channel.listen())
"""


def said(policy: Policy) -> list[str]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        result = run([sys.executable, "-I", "-S", "-c", ASKS], stdin=theirs, policy=policy, limits=LIMITS)
    assert result.ok, result
    return result.stdout.data.decode().splitlines()


def test_it_tells_nothing_of_the_machines_network() -> None:
    if not has_layer("seccomp"):
        pytest.skip("this machine has no seccomp: treadle doctor says why")
    lines = said(Policy())
    assert len(lines) == 5
    assert [line for line in lines if not line.startswith("BLOCKED")] == []


def test_without_the_filter_it_does() -> None:
    # The control: a socket belongs to the network namespace of whoever made it, whatever the job's own is.
    assert "ESCAPED list of interfaces" in said(Policy(without=frozenset({"seccomp"})))
