"""Files of /proc and /sys: read and written whole, without the layers of `open`, since some are looked at for each
process every 25 ms."""

from __future__ import annotations

import os

_READ_SIZE = 1 << 16


def read(path: str) -> str:
    """The text of such a file. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(descriptor, _READ_SIZE):
            parts.append(part)
        return b"".join(parts).decode(errors="replace")
    finally:
        os.close(descriptor)


def read_if_there(path: str) -> str:
    """The text, "" when the file has gone, as those of a process that ends meanwhile do."""
    try:
        return read(path)
    except OSError:
        return ""


def write(path: str, text: str) -> None:
    """Write one in a single call, as the kernel demands for some. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
