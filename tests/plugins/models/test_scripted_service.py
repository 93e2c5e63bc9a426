"""The service of these tests: nothing of it is left at the end, whatever its clients are at."""

from __future__ import annotations

import socket
import threading
from urllib.parse import urlsplit

import pytest

from tests.plugins.models.scripted_service import STREAM, Act, chunk, refusing, serving

REQUEST = b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"


def place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return str(parts.hostname), int(parts.port or 0)


@pytest.mark.parametrize("acts", [("hang",), (STREAM, chunk(b":"), "hang"), (STREAM, 1000.0), (b"x" * 10_000_000,)])
def test_nothing_is_left_at_the_end_while_a_client_still_waits(acts: tuple[Act, ...]) -> None:
    before = set(threading.enumerate())
    with serving() as service:
        service.will(*acts)
        connection = socket.create_connection(place(service.url), timeout=30)
        connection.sendall(REQUEST)
        assert service.reached.wait(30) if acts[-1] in ("hang", 1000.0) else connection.recv(1)
    with connection:
        while connection.recv(1_000_000):
            pass  # it ends
    assert set(threading.enumerate()) <= before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(place(service.url))


def test_nobody_else_gets_the_port_that_refuses() -> None:
    with refusing() as url, socket.socket() as other:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(place(url))
        with pytest.raises(OSError, match="in use"):
            other.bind(place(url))


@pytest.mark.parametrize(("act", "ends"), [("close", b""), ("reset", None)])
def test_a_connection_ends_as_it_is_told_to(act: Act, ends: bytes | None) -> None:
    with serving() as service:
        service.will(STREAM, act)
        with socket.create_connection(place(service.url), timeout=30) as connection:
            connection.sendall(REQUEST)
            try:
                while said := connection.recv(1_000):
                    pass
            except ConnectionResetError:
                said = None
    assert said == ends
