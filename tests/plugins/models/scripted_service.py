"""A service on this machine that answers HTTP requests byte by byte, as a test has laid ready.

The words of the protocols are in each one's `said.py`; `script_files.py` reads answers in either's words from files.
"""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import struct
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from tests.plugins.models.rejections import rejection

Act = bytes | Literal["reset", "close", "hang"] | float
"""Bytes are sent. `hang`: nothing more until the client has gone; `reset`: the connection breaks; `close`: it ends in
good order, whatever was promised; a number: wait so many seconds, or until the client has gone."""

LIMIT_S = 60.0


@dataclass(frozen=True)
class Asked:
    """A request as it came; the names of headers are in small letters."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


class Service:
    """`asked` are the requests so far; `gone` is set when a client has gone from an answer that was not ended. What the
    real services refuse to be asked is refused, and takes no answer away from those that are `ready`; nor does a
    request for a path that has a `standing` answer."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.connections: list[socket.socket] = []
        self.ready: deque[Sequence[Act]] = deque()
        self.standing: dict[str, Sequence[Act]] = {}
        self.reached = threading.Event()
        self.gone = threading.Event()
        self.url = ""

    def will(self, *acts: Act) -> None:
        """One more answer."""
        self.ready.append(acts)


@contextmanager
def serving() -> Iterator[Service]:
    """The service until the block ends; none of its threads is left then."""
    service = Service()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            service.connections.append(self.request)
            _serve(self.request, service)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = False

        def handle_error(self, *_: object) -> None:
            """A client that has gone is no error here."""

    with Server(("127.0.0.1", 0), Handler) as server:
        service.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
            for connection in service.connections:  # a client keeps them for its next request
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def refusing() -> Iterator[str]:
    """The address of a service that refuses each connection; nobody else gets its port until the block ends."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # without listening
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The head of an answer."""
    lines = [f"HTTP/1.1 {status} It is so", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode()


def whole(status: int, body: object, headers: Mapping[str, str] | None = None) -> bytes:
    """An answer that is JSON, or the text or the bytes that are given."""
    text = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    kind = "text/html" if isinstance(body, str) else "application/json"
    return head(status, {"content-type": kind, "content-length": str(len(text)), **(headers or {})}) + text


STREAM = head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
"""The head of a streamed answer, whose parts are `chunk`s."""
END = b"0\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """A part of a streamed answer."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _serve(connection: socket.socket, service: Service) -> None:
    stream = connection.makefile("rb")
    connection.settimeout(LIMIT_S)
    # Parts are sent when they are written, not when the client has thanked for those before, which it does late.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while (request := _read(stream)) is not None:
        service.asked.append(request)
        for act in _answer(request, service):
            if isinstance(act, bytes):
                try:
                    connection.sendall(act)
                except ConnectionError:
                    service.gone.set()
                    return
                continue
            service.reached.set()
            if act == "close":
                return
            if act == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                stream.close()
                connection.close()
                return
            if _gone(connection, LIMIT_S if act == "hang" else float(act)):
                service.gone.set()
                return


def _answer(request: Asked, service: Service) -> Sequence[Act]:
    if why := rejection(request.path, request.headers, request.body):
        error = {"type": "invalid_request_error", "message": why}
        return (whole(400, {"type": "error", "error": error}),)
    if request.path in service.standing:
        return service.standing[request.path]
    return service.ready.popleft() if service.ready else (whole(500, {}),)


def _gone(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:  # it went without having read all
        return True
    finally:
        connection.settimeout(LIMIT_S)


def _read(stream: Any) -> Asked | None:
    first = stream.readline().decode().split()
    if len(first) < 2:
        return None
    headers = {}
    while line := stream.readline().decode().strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", "0")))
    return Asked(method=first[0], path=first[1], headers=headers, body=json.loads(body) if body else None)
