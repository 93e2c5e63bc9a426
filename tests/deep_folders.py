"""Folders nested deeper than Python can recurse."""

from __future__ import annotations

import os
from pathlib import Path

LEVELS = 1_200  # where `os.walk` and `Path.rglob` raise a RecursionError before Python 3.12


def nested(top: Path, levels: int = LEVELS) -> Path:
    """A folder that deep, in which a file lies at the bottom."""
    top.mkdir(parents=True, exist_ok=True)
    at = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("a", dir_fd=at)
        inner = os.open("a", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(os.open("test_bottom.py", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)
    return top
