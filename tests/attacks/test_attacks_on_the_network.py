"""No socket of any kind, except pairs that a program needs for itself."""

from __future__ import annotations

from collections.abc import Callable

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


def test_a_pair_of_unix_sockets_is_allowed(attack: Callable[..., object]) -> None:
    result = attack(
        "a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1)); import asyncio; asyncio.run(asyncio.sleep(0))"
    )
    assert result.stdout.data == b"b'x'\n", result  # type: ignore[attr-defined]
