"""One end of the wire, used by several threads at once without a thread of its own.

Whoever waits and finds nobody reading, reads: what is for others is laid in their slot, and they are woken. So a call
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
    """`address` says in which slot a message belongs; a message for a slot that nobody opened is nonsense."""

    def __init__(self, connection: socket.socket, kind: Any, address: Callable[[M], int]) -> None:
        self._connection = connection
        self._decoder: msgspec.msgpack.Decoder[M] = msgspec.msgpack.Decoder(kind)
        self._address = address
        self._sending = threading.Lock()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._slots: dict[int, deque[M]] = {}
        self._reading = False
        self._gone = ""

    def open(self, slot: int) -> None:
        """Take messages for this slot from now on."""
        with self._lock:
            self._slots[slot] = deque()

    def close(self, slot: int) -> None:
        """Take none any more."""
        with self._lock:
            self._slots.pop(slot, None)

    def send(self, message: messages.Message) -> None:
        """Raises `HungUp`, and `ValueError` for a message that is too large, or holds a text that is not UTF-8: nothing
        of it is sent then."""
        self.send_frame(messages.encode(message))

    def send_frame(self, frame: bytes) -> None:
        """Send a message that has been encoded. Raises `HungUp`."""
        with self._sending:
            try:
                self._connection.sendall(frame)
            except OSError as error:
                raise HungUp(str(error.strerror or error)) from None

    def wait(self, *slots: int) -> M:
        """The next message for one of these slots. Raises `HungUp`."""
        with self._lock:
            while True:
                for slot in slots:
                    if self._slots[slot]:
                        return self._slots[slot].popleft()
                if self._gone:
                    raise HungUp(self._gone)
                if not self._reading:
                    self._reading = True
                    break
                self._changed.wait()
        # A message of which only a part was read leaves nothing behind it that could be understood.
        gone = "reading from it was broken off"
        try:
            message = self._next(slots)
            gone = ""
            return message
        except HungUp as error:
            gone = str(error)
            raise
        finally:
            with self._lock:
                self._gone = gone
                self._reading = False
                self._changed.notify_all()

    def _next(self, slots: tuple[int, ...]) -> M:
        while True:
            message = self._read()
            slot = self._address(message)
            with self._lock:
                if slot not in self._slots:
                    raise HungUp(f"it sent a {type(message).__name__} that nobody waits for")
                if slot in slots:
                    return message
                self._slots[slot].append(message)
                self._changed.notify_all()

    def _read(self) -> M:
        try:
            body = messages.receive(self._connection)
            if body is not None:
                return self._decoder.decode(body)
        except (msgspec.MsgspecError, ValueError, OSError, RecursionError, MemoryError) as error:
            raise HungUp(f"it sent what can't be understood: {error}") from None
        raise HungUp("it closed the connection")
