"""What a job reads from its standard input while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable

from treadle.sandbox import frames

_PIECE = 1 << 14
# Bytes that the job has not taken yet, past which a writer waits. Less than a socket holds, so that no writer ever
# waits inside of a send: it would hold up whoever hears the server out, and the server that waits for that one.
_ON_THE_WAY = 1 << 16


class Input:
    """The writing end of one job's standard input; safe for several threads. It may be written to before the job has
    started, and waits when the job reads more slowly than it is written to."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._send: Callable[[bytes], None] | None = None
        self._early: list[bytes] = []
        self._on_the_way = 0
        self._closed = False
        self._ended = False

    def write(self, data: bytes) -> None:
        """Hand the data over. Raises BrokenPipeError when the job has ended, ValueError after `close`."""
        for start in range(0, len(data), _PIECE):
            piece = data[start : start + _PIECE]
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._on_the_way < _ON_THE_WAY)
                if self._ended:
                    raise BrokenPipeError("the job has ended")
                if self._closed:
                    raise ValueError("the input of the job is closed")
                self._on_the_way += len(piece)
                self._hand_over(frames.encode({"stdin": "more"}, [piece]))

    def close(self) -> None:
        """The end of the input; the job reads what was written and then the end of the file."""
        with self._changed:
            if not self._closed and not self._ended:
                self._hand_over(frames.encode({"stdin": "end"}))
            self._closed = True

    def _hand_over(self, frame: bytes) -> None:
        if self._send is None:
            self._early.append(frame)
            return
        try:
            self._send(frame)
        except OSError:
            self._ended = True

    # ------------------------------------------------------------ for whoever runs the job

    def begin(self, send: Callable[[bytes], None]) -> None:
        """The job runs now. Raises ValueError when this is the input of another one."""
        with self._changed:
            if self._send is not None or self._ended:
                raise ValueError("an input belongs to one job")
            self._send = send
            for frame in self._early:
                self._hand_over(frame)
            self._early.clear()

    def taken(self, count: int) -> None:
        """The job has taken so many bytes."""
        with self._changed:
            self._on_the_way -= count
            self._changed.notify_all()

    def end(self) -> None:
        """The job has ended, and nobody takes anything any more."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
