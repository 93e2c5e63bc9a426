"""No socket of any kind, except pairs that a program needs for itself; with the network those of IP, and no others."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from treadle.sandbox import Policy, run

Blocked = Callable[..., list[str]]
Control = Callable[[str], None]


def test_no_socket_can_be_made(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
attempt("tcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt("ipv6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM))
attempt("unix", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
attempt("unix datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"EPERM"}


def test_rarer_sockets_are_no_way_out_either(all_blocked: Blocked) -> None:
    # No positive control: not every kernel has them.
    source = """
attempt("mptcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))
attempt("alg", lambda: socket.socket(38, socket.SOCK_SEQPACKET))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW))
attempt("pair of another family", lambda: socket.socketpair(socket.AF_INET))
"""
    assert set(all_blocked(source)) == {"EPERM"}


def test_names_can_not_be_looked_up(all_blocked: Blocked) -> None:
    # No positive control: a test machine may have no network.
    source = 'attempt("dns", lambda: socket.getaddrinfo("example.org", 80))'
    assert len(all_blocked(source)) == 1


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What the person's machine offers to everybody: a port, sockets by path and an abstract one, as Python text."""
    port = socket.create_server(("127.0.0.1", 0))
    stream, datagrams, abstract = (socket.socket(socket.AF_UNIX, kind) for kind in (1, 2, 1))
    name = f"\0treadle-test-{os.getpid()}"
    stream.bind(str(tmp_path / "stream"))
    datagrams.bind(str(tmp_path / "datagrams"))
    abstract.bind(name)
    stream.listen()
    abstract.listen()
    pair = "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]"
    yield {
        "tcp": f"socket.create_connection(('127.0.0.1', {port.getsockname()[1]}), 2)",
        "path": f"socket.socket(socket.AF_UNIX).connect({str(tmp_path / 'stream')!r})",
        "abstract": f"socket.socket(socket.AF_UNIX).connect({name!r})",
        "datagram": f"{pair}.sendto(b'x', {str(tmp_path / 'datagrams')!r})",
    }
    for opened in (port, stream, datagrams, abstract):
        opened.close()


@pytest.mark.parametrize("without", ["", "seccomp", "netns", "mountns"])
def test_services_of_the_machine_are_out_of_reach(
    listeners: dict[str, str], works_outside: Control, without: str
) -> None:
    # Each is kept by two layers or more, so that one may be missing.
    source = "\n".join(f"attempt('{way}', lambda: {how})" for way, how in listeners.items())
    works_outside(source)
    policy = Policy(without=frozenset({without} - {""}))
    for way, how in listeners.items():
        text = f"import socket\ntry:\n    print('ESCAPED', {how})\nexcept OSError:\n    print('BLOCKED')"
        result = run([sys.executable, "-c", text], policy=policy)
        assert result.stdout.data == b"BLOCKED\n", (way, result)


def test_those_services_are_reached_without_the_layers(listeners: dict[str, str]) -> None:
    policy = Policy(network="host", without=frozenset({"seccomp", "userns", "landlock"}))
    for way in listeners.values():
        result = run([sys.executable, "-c", f"import socket\n{way}\nprint('reached')"], policy=policy)
        assert result.stdout.data == b"reached\n", result


@pytest.mark.parametrize("without", ["", "landlock", "netns", "mountns"])
def test_the_network_opens_no_unix_socket_of_the_machine(
    listeners: dict[str, str], works_outside: Control, tmp_path: Path, without: str
) -> None:
    # What answers there does what it is told, as the person: tmux, Docker, D-Bus. That it is seen read only is no help.
    source = "\n".join(f"attempt('{way}', lambda: {how})" for way, how in listeners.items())
    works_outside(source)
    policy = Policy(network="host", read=(str(tmp_path),), without=frozenset({without} - {""}))
    for way, how in listeners.items():
        text = f"import socket\ntry:\n    {how}\n    print('reached')\nexcept OSError:\n    print('BLOCKED')"
        result = run([sys.executable, "-c", text], policy=policy)
        assert result.stdout.data == (b"reached\n" if way == "tcp" else b"BLOCKED\n"), (way, result)


def test_names_are_looked_up_with_the_network_and_without_unix_sockets() -> None:
    # Of this machine alone: a test machine may have no other.
    source = "import socket; print(*sorted({each[4][0] for each in socket.getaddrinfo('localhost', 80)}))"
    result = run([sys.executable, "-c", source], policy=Policy(network="host"))
    assert b"127.0.0.1" in result.stdout.data, result


def test_nothing_can_be_offered_either(all_blocked: Blocked, works_outside: Control) -> None:
    source = """
pair = socket.socketpair()
attempt("port", lambda: socket.create_server(("127.0.0.1", 0)))
attempt("out of band", lambda: pair[0].send(b"x", socket.MSG_OOB))
"""
    works_outside(source)
    assert set(all_blocked(source)) == {"EPERM"}


def test_nothing_is_sent_out_of_band_with_the_network_either() -> None:
    source = "import socket; socket.socketpair()[0].send(b'x', socket.MSG_OOB)"
    result = run([sys.executable, "-c", source], policy=Policy(network="host"))
    assert b"PermissionError" in result.stderr.data, result


def test_a_pair_of_unix_sockets_is_allowed(attack: Callable[..., object]) -> None:
    result = attack(
        "a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1)); import asyncio; asyncio.run(asyncio.sleep(0))"
    )
    assert result.stdout.data == b"b'x'\n", result  # type: ignore[attr-defined]
