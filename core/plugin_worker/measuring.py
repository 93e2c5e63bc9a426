"""How large msgpack becomes once it is values, told without making any: an empty table is one byte as it is sent, and
64 in memory."""

from __future__ import annotations

from treadle.core.wire import PAIRS

MOST_VALUES = 500_000
"""Values (texts, numbers, lists, tables, the keys of tables) in what a plugin's process says at once."""


def _steps() -> bytes:
    """Bytes from each head to the next, by the head's first byte; 0 where its length follows it."""
    steps = bytearray([1] * 256)  # small numbers, None and truths; of lists and tables what is in them follows
    for size in range(32):
        steps[0xA0 + size] = 1 + size  # short texts
    for head, size in ((0xCA, 5), (0xCB, 9), (0xCC, 2), (0xCD, 3), (0xCE, 5), (0xCF, 9)):
        steps[head] = size  # floats, and integers without a sign
    for head, size in ((0xD0, 2), (0xD1, 3), (0xD2, 5), (0xD3, 9)):
        steps[head] = size
    for head, size in ((0xDC, 3), (0xDD, 5), (0xDE, 3), (0xDF, 5)):
        steps[head] = size  # long lists and tables
    for head in (*range(0xC4, 0xCA), *range(0xD4, 0xDC)):
        steps[head] = 0  # bytes, extensions, long texts
    return bytes(steps)


_STEPS = _steps()
# Bytes in which the length is told; that of an extension is followed by its kind.
_OF_LENGTH = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_OF_LENGTH_OF_EXTENSION = {0xC7: 1, 0xC8: 2, 0xC9: 4}


def holds_more(data: bytes | memoryview, most: int) -> bool:
    """Whether there are more values in it than that, or something in it says that it goes on behind its own end. What
    else is no msgpack is told by whoever decodes it."""
    size = len(data)
    if size <= most:  # each has a byte at least
        return False
    ends = [size]  # of the message, and of each extension around what is looked at
    at = count = 0
    while at < size:
        count += 1
        if count > most:
            return True
        step = _STEPS[data[at]]
        if not step:
            step, inside = _long(data, at)
            if inside:
                ends.append(at + step + inside)
                if ends[-1] > ends[-2]:
                    return True
        at += step
        if at > ends[-1]:
            return True
        while len(ends) > 1 and at == ends[-1]:
            ends.pop()
    return False


def _long(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Bytes from this head to the next, and how many behind it are of an extension whose content are values."""
    head = data[at]
    if told := _OF_LENGTH.get(head):
        return 1 + told + int.from_bytes(data[at + 1 : at + 1 + told]), 0
    if told := _OF_LENGTH_OF_EXTENSION.get(head):
        size = int.from_bytes(data[at + 1 : at + 1 + told])
    else:  # of a fixed length
        told, size = 0, 1 << (head - 0xD4)
    before = 1 + told + 1
    if data[at + 1 + told : at + before] == PAIRS:
        return before, size
    return before + size, 0
