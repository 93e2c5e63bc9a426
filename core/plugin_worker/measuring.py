"""What msgpack becomes once it is values, told without making any: how many there are (an empty table is one byte as it
is sent, and 64 in memory), how many lie within each other, and that each key of a table is a text.

A number has the same hash in every process, and so has a list of numbers, which is decoded as a tuple where it is a
key: who knows that makes a table in which each key is compared with all others, while nothing else is worked on. What
the hash of a text will be, nobody can know.
"""

from __future__ import annotations

from treadle.core.wire import PAIRS, STRING

MOST_VALUES = 500_000
"""Values (texts, numbers, lists, tables, the keys of tables) in what a plugin's process says at once."""

MOST_NESTED = 64
"""Lists and tables within each other: whoever writes them out, or shows them, goes through them by recursion. A table
with a key that is no UTF-8 counts as three."""

# What a value lies in: a list, a table; an extension of pairs, their list, one of them.
_LIST, _TABLE, _EXTENSION, _PAIRS, _PAIR = range(5)
_GOES_ON = "something in it says that it goes on behind its own end, or ends before it"


class TooLarge(ValueError):
    """What it says is more than is made into values; its text says how much, and what would be the most."""


def _steps() -> bytes:
    """Bytes from each head to the next, by the head's first byte; 0 where there is more to tell."""
    steps = bytearray([1] * 256)  # small numbers, None and truths
    for size in range(32):
        steps[0xA0 + size] = 1 + size  # short texts
    for head, size in ((0xCA, 5), (0xCB, 9), (0xCC, 2), (0xCD, 3), (0xCE, 5), (0xCF, 9)):
        steps[head] = size  # floats, and integers without a sign
    for head, size in ((0xD0, 2), (0xD1, 3), (0xD2, 5), (0xD3, 9)):
        steps[head] = size
    for head in (*range(0x80, 0xA0), *range(0xC4, 0xCA), *range(0xD4, 0xE0)):
        steps[head] = 0  # lists and tables, bytes, extensions, long texts
    return bytes(steps)


_STEPS = _steps()
_TEXTS = bytes(0xA0 <= head < 0xC0 or head in (0xD9, 0xDA, 0xDB) for head in range(256))
_TWO = 0x92  # a list of two, as it is sent
# Bytes in which the length is told; that of an extension is followed by its kind.
_OF_LENGTH = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_OF_LENGTH_OF_EXTENSION = {0xC7: 1, 0xC8: 2, 0xC9: 4}
# Bytes in which it is told how many there are in a long list or table.
_OF_NUMBER = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}


def check(data: bytes | memoryview, most: int) -> None:
    """Raises `TooLarge` for more values than that, or more than `MOST_NESTED` within each other, and `ValueError` where
    a key of a table is no text, or something says that it goes on behind its own end. What else is no msgpack is told
    by whoever decodes it."""
    end = len(data)  # of the message, or of the extension that is looked into
    at = count = 0
    within, left = _LIST, 1  # what is looked at lies in, and how much of that is still to come
    around: list[tuple[int, int, int]] = []
    while at < end:
        head = data[at]
        if within and not (left & 1 or _TEXTS[head] if within == _TABLE else _fits(within, left, data, at)):
            raise ValueError("a key of a table in it is no text")
        count += 1
        if count > most:
            raise TooLarge(f"more than {most} values")
        left -= 1
        step = _STEPS[head]
        if step:
            at += step
        elif len(around) > MOST_NESTED:
            raise TooLarge(f"values that are nested more than {MOST_NESTED} times")
        elif head < 0xA0 or head >= 0xDC:
            around.append((within, left, end))
            at, number = _opened(data, at)
            if head < 0x90 or head >= 0xDE:
                within, left = _TABLE, 2 * number
            else:
                within, left = {_EXTENSION: _PAIRS, _PAIRS: _PAIR}.get(within, _LIST), number
        else:
            at, inside = _long(data, at)
            if inside:
                around.append((within, left, end))
                if at + inside > end:
                    raise ValueError(_GOES_ON)
                within, left, end = _EXTENSION, 1, at + inside
        if at > end:
            raise ValueError(_GOES_ON)
        while not left:
            if not around:
                return
            if within == _EXTENSION and at != end:
                raise ValueError(_GOES_ON)
            within, left, end = around.pop()
    raise ValueError(_GOES_ON)  # the message ends in the middle of it, or an extension does


def _fits(within: int, left: int, data: bytes | memoryview, at: int) -> bool:
    """Whether a value that begins there may lie in an extension of pairs, in their list, or in one of them."""
    head = data[at]
    if within == _PAIR:
        return left == 1 or bool(_TEXTS[head]) or _kind(data, at) == STRING
    return head == _TWO if within == _PAIRS else 0x90 <= head < 0xA0 or head in (0xDC, 0xDD)


def _opened(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Where the first value is that lies in this list or table, and how many there are."""
    head = data[at]
    if told := _OF_NUMBER.get(head):
        return at + 1 + told, int.from_bytes(data[at + 1 : at + 1 + told])
    return at + 1, head & 0x0F


def _long(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Where the next head is, and how many bytes from there are of an extension whose content are pairs."""
    if told := _OF_LENGTH.get(data[at]):
        return at + 1 + told + int.from_bytes(data[at + 1 : at + 1 + told]), 0
    told, size = _of_extension(data, at)
    before = at + 1 + told + 1
    return (before, size) if _kind(data, at) == PAIRS else (before + size, 0)


def _of_extension(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Bytes in which its length is told, and that length."""
    head = data[at]
    if told := _OF_LENGTH_OF_EXTENSION.get(head):
        return told, int.from_bytes(data[at + 1 : at + 1 + told])
    return 0, 1 << (head - 0xD4)  # of a fixed length


def _kind(data: bytes | memoryview, at: int) -> bytes:
    """The kind of the extension that begins there; empty where none does."""
    head = data[at]
    if not (0xC7 <= head <= 0xC9 or 0xD4 <= head <= 0xD8):
        return b""
    told, _ = _of_extension(data, at)
    return bytes(data[at + 1 + told : at + 2 + told])
