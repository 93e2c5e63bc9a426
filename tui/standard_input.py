"""Standard input, where whoever started us has closed it."""

from __future__ import annotations

import os
import sys


def fill_in() -> None:
    """Have one that can be read, and is at its end, where there is none; before any file is opened that would get its
    number."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: PTH123, SIM115 - stays open as long as the program


def is_closed() -> bool:
    """Whether there was none."""
    return sys.stdin is None or getattr(sys.stdin, "name", "") == os.devnull
