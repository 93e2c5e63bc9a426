"""Text that we did not write, made fit for a terminal: no escape reaches it, and no visible word is lost.

Removed: C0 controls but newline and tab, C1 controls, CSI, OSC, DCS, SOS, PM and APC sequences (ECMA-48), and the
bidirectional overrides and isolates (U+202A-202E, U+2066-2069), which make text look like other text. A carriage
return shows what a terminal would show: the last state of its line.
"""

from __future__ import annotations

import re
from enum import Enum, auto

_BIDI = frozenset(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
_STRING_OPENERS = frozenset("]PX^_")  # OSC, DCS, SOS, PM, APC after ESC
_STRING_C1 = frozenset("\x90\x98\x9d\x9e\x9f")
_NOT_PLAIN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal would obey, one character of it."""
LONGEST_SEQUENCE = 4096
"""Characters after which an unended string sequence is taken for an ended one, so that it can't swallow a whole log."""


class _State(Enum):
    TEXT = auto()
    ESCAPE = auto()
    CSI = auto()
    STRING = auto()
    STRING_ESCAPE = auto()


class Cleaner:
    """Removes escape sequences from text that comes in chunks; a sequence may be split anywhere."""

    def __init__(self) -> None:
        self._state = _State.TEXT
        self._length = 0

    def feed(self, chunk: str) -> str:
        """The chunk without what a terminal would obey."""
        if self._state is _State.TEXT and not _NOT_PLAIN.search(chunk):
            return chunk
        return "".join(char for char in chunk if self._shown(char))

    def _shown(self, char: str) -> bool:
        state = self._state
        if state is _State.TEXT:
            return self._text(char)
        if state is _State.ESCAPE:
            self._after_escape(char)
        elif state is _State.CSI:
            # Parameter and intermediate bytes are 0x20-0x3F, the final byte 0x40-0x7E; anything else breaks it off.
            if not "\x20" <= char <= "\x3f":
                self._state = _State.TEXT
                if char in "\n\t":
                    return True
                if char == "\x1b":
                    self._state = _State.ESCAPE
        else:
            self._string(char)
        return False

    def _text(self, char: str) -> bool:
        if char == "\x1b":
            self._state = _State.ESCAPE
        elif char == "\x9b":
            self._state = _State.CSI
        elif char in _STRING_C1:
            self._open_string()
        elif char in "\n\t\r":
            return True
        else:
            return not (char < " " or "\x7f" <= char <= "\x9f" or char in _BIDI)
        return False

    def _after_escape(self, char: str) -> None:
        if char == "[":
            self._state = _State.CSI
        elif char in _STRING_OPENERS:
            self._open_string()
        elif not "\x20" <= char <= "\x2f" and char != "\x1b":  # intermediate bytes go on (ESC ( B)
            self._state = _State.TEXT

    def _open_string(self) -> None:
        self._state = _State.STRING
        self._length = 0

    def _string(self, char: str) -> None:
        self._length += 1
        ended = char in "\x07\x9c" or (self._state is _State.STRING_ESCAPE and char == "\\")
        if ended or self._length > LONGEST_SEQUENCE:
            self._state = _State.TEXT
        else:
            self._state = _State.STRING_ESCAPE if char == "\x1b" else _State.STRING


def clean(text: str) -> str:
    """The whole text as it may be shown; surrogates and other characters that can't be encoded become U+FFFD."""
    if text.isascii() and text.isprintable():  # as nearly all of it is
        return text
    shown = Cleaner().feed(text)
    if "\r" in shown:
        shown = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in shown.split("\n"))
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in shown)


def clean_line(text: str) -> str:
    """The text on one line: line breaks and tabs become spaces. So do carriage returns: what is written on one line was
    put together from parts, and none of them may take another one's place."""
    return " ".join(clean(text.replace("\r", " ")).split())


def shortened(text: str, most: int, sign: str = "…") -> str:
    """The text where it has at most so many characters, else its beginning and a sign that there is more."""
    return text if len(text) <= most else f"{text[: most - len(sign)].rstrip()}{sign}"


def visible_line(text: str) -> str:
    """As `clean_line`, but with what a terminal would obey shown as octal escapes instead of taken away: what somebody
    is asked about must not look like something else."""
    return clean_line(OBEYED.sub(_octal, text))


def visible(text: str) -> str:
    """As `clean`, but with what a terminal would obey shown as octal escapes: a change that somebody accepts must not
    hold what they have not seen. To Python a carriage return ends a line, and whatever stands before it is run."""
    lines = (line.removesuffix("\r") for line in text.split("\n"))  # of CR LF, which ends lines and hides nothing
    return clean("\n".join(OBEYED.sub(_octal, line) for line in lines))


def _octal(found: re.Match[str]) -> str:
    return "".join(f"\\{byte:03o}" for byte in found[0].encode("utf-8"))
