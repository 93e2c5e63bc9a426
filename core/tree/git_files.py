"""The small files in which git says where things are, `HEAD` and a `.git` that is a file: read without git, and without
waiting for whoever has put something else in their place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_MOST = 4096  # bytes


def said_in(file: Path) -> bytes:
    """The beginning of what the file holds; nothing of what is not there, or no file."""
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        opened = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):  # a name that holds a NUL
        return b""
    try:
        return os.read(opened, _MOST) if stat.S_ISREG(os.fstat(opened).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(opened)


def named_in(file: Path, word: bytes = b"") -> Path | None:
    """The path that the file names behind the word, None where there is no such file, or it names none."""
    said = said_in(file)
    path = os.fsdecode(said.removeprefix(word).strip())
    return file.parent / path if path and said.startswith(word) and "\0" not in path else None
