"""One end of the wire, used by several threads at once without a thread of its own.

Whoever waits and finds nobody reading, reads: what is for others is laid in their box, and they are woken. So a call
that is alone, as nearly all are, costs no switch of threads.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from treadle.core.plugin_worker import messages

M = TypeVar("M", bound=messages.Message)


class HungUp(Exception):
    """The other side has gone, or says what nobody understands; its text says which."""


class Channel(Generic[M]):
    """`address` says in which box a message belongs; a message for a box that nobody opened is nonsense."""

    def __init__(self, connection: socket.socket, kind: Any, address: Callable[[M], int]) -> None:
        self._connection = connection
        self._decoder: msgspec.msgpack.Decoder[M] = msgspec.msgpack.Decoder(kind)
        self._address = address
        self._sending = threading.Lock()
        self._changed = threading.Condition()
        self._boxes: dict[int, deque[M]] = {}
        self._reading = False
        self._gone = ""

    def open(self, box: int) -> None:
        """Take messages for this box from now on."""
        with self._changed:
            self._boxes[box] = deque()

    def close(self, box: int) -> None:
        """Take none any more."""
        with self._changed:
            self._boxes.pop(box, None)

    def send(self, message: messages.Message) -> None:
        """Raises `HungUp`, and `ValueError` for a message that is too large: nothing of it is sent then."""
        frame = messages.encode(message)
        with self._sending:
            try:
                self._connection.sendall(frame)
            except OSError as error:
                raise HungUp(str(error.strerror or error)) from None

    def wait(self, *boxes: int) -> M:
        """The next message for one of these boxes. Raises `HungUp`."""
        with self._changed:
            while True:
                for box in boxes:
                    if self._boxes[box]:
                        return self._boxes[box].popleft()
                if self._gone:
                    raise HungUp(self._gone)
                if not self._reading:
                    self._reading = True
                    break
                self._changed.wait()
        try:
            while True:
                message, box = self._read()
                if box in boxes:
                    return message
                with self._changed:
                    self._boxes[box].append(message)
                    self._changed.notify_all()
        except HungUp as error:
            self._gone = str(error)
            raise
        finally:
            with self._changed:
                self._reading = False
                self._changed.notify_all()

    def _read(self) -> tuple[M, int]:
        try:
            body = messages.receive(self._connection)
            if body is None:
                raise HungUp("it closed the connection")
            message = self._decoder.decode(body)
        except (ValueError, OSError) as error:
            raise HungUp(f"it sent what can't be understood: {error}") from None
        box = self._address(message)
        if box not in self._boxes:
            raise HungUp(f"it sent a {type(message).__name__} that nobody waits for")
        return message, box
