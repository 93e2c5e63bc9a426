"""Server-sent events, as they come: the data of each, whatever pieces the network makes of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

MOST_BYTES = 64_000_000
"""Bytes of one line; a longer one is no event."""


class TooLong(Exception):
    """A line without an end, or a body."""


class Lines:
    """Cuts bytes into lines, at line feeds alone: other characters that end lines may stand in an event's text."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The lines that are whole now. Raises `TooLong`."""
        *whole, rest = piece.split(b"\n")
        for line in whole:
            yield (b"".join((*self._rest, line)) if self._rest else line).rstrip(b"\r")
            self._rest, self._size = [], 0
        self._rest.append(rest)
        self._size += len(rest)
        if self._size > MOST_BYTES:
            raise TooLong(f"a line of more than {MOST_BYTES} bytes")

    def end(self) -> bytes:
        """What came after the last line."""
        return b"".join(self._rest)


async def data_of(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The data of each event; other fields and comments say nothing here. What stands after the last line end is no
    event: it may have been cut off."""
    lines = Lines()
    async for piece in pieces:
        for line in lines.feed(piece):
            if line.startswith(b"data:"):
                yield line[5:].strip()


async def whole(pieces: AsyncIterator[bytes], most: int = MOST_BYTES) -> bytes:
    """All of a body that is no stream. Raises `TooLong` for more than so many bytes."""
    kept: list[bytes] = []
    size = 0
    async for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > most:
            raise TooLong(f"more than {most} bytes")
    return b"".join(kept)
