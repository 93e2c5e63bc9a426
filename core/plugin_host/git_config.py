"""Reading a file of git's settings (git-config(1), "Syntax"), without git."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

_MOST = 1 << 20  # bytes of such a file
_SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\\n])*)")?\s*\]')
_NAME = re.compile(r"([A-Za-z][\w-]*)[ \t]*(=?)")
_BLANK_OR_COMMENT = re.compile(r"(?:\s+|[#;][^\n]*)+")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\n": ""}


def settings(file: Path) -> Iterator[tuple[str, str]]:
    """Each (key, value) in order, the key as `section.name` or `section.subsection.name` with section and name in
    small letters. What can't be read counts as empty, and a line that makes no sense is passed over."""
    text, at, section = _text(file), 0, ""
    while at < len(text):
        if found := _BLANK_OR_COMMENT.match(text, at):
            at = found.end()
        elif found := _SECTION.match(text, at):
            at = found.end()
            within = re.sub(r"\\(.)", r"\1", found[2] or "")
            section = ".".join(filter(None, (found[1].lower(), within)))
        elif found := _NAME.match(text, at):
            value, at = _value(text, found.end()) if found[2] else ("true", found.end())
            yield f"{section}.{found[1].lower()}", value
        else:
            at = (text.find("\n", at) + 1) or len(text)


def _value(text: str, at: int) -> tuple[str, int]:
    """The value that begins there, and where it ends."""
    value, kept, quoted = "", 0, False  # `kept` characters stand whatever blanks follow
    while at < len(text) and (text[at] != "\n" or quoted):
        char, at = text[at], at + 1
        if char == '"':
            quoted = not quoted
            kept = len(value)
        elif char == "\\" and at < len(text):
            value, at = value + _ESCAPES.get(text[at], text[at]), at + 1
            kept = len(value)
        elif char in "#;" and not quoted:
            at = (text.find("\n", at) + 1) or len(text)
            break
        elif quoted or not char.isspace():
            value, kept = value + char, len(value) + 1
        elif value:
            value += char
    return value[:kept], at


def _text(file: Path) -> str:
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would hang
            return ""
        with file.open("rb") as opened:
            data = opened.read(_MOST)
    except (OSError, ValueError):
        return ""
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
