"""Text that every database can hold."""

from __future__ import annotations


def storable(text: str) -> str:
    """The text with what no database takes (lone surrogates, NUL) written out as an escape."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
