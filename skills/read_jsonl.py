"""Read JSON Lines one by one, so that a bad line is reported with its number and the rest is still read.

Strict JSON (RFC 8259): NaN and Infinity, which Python's reader lets pass, are bad lines. Lines end at a line feed
alone, since U+2028 and its like may stand inside of JSON strings.

Thread safety: the iterator must be used by one thread at a time, as any generator.

Words: json, jsonl, ndjson, lines, stream, read, parse, log, errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

__all__ = ["JsonLine", "read_jsonl"]

_KEPT = 200


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line. `number` counts from 1, blank lines included. `error` is None when `value` is what the line holds, else
    the reason why it holds nothing, and `raw` the line's first 200 bytes."""

    number: int
    value: Any = None
    error: str | None = None
    raw: bytes = b""


def read_jsonl(stream: BinaryIO, *, max_line: int = 16 * 1024 * 1024) -> Iterator[JsonLine]:
    """Every line that is not blank, good or bad, in order; a UTF-8 byte order mark at the start is skipped.

    A line of more than `max_line` bytes, its line end included, is a bad one, and is read past without being held in
    memory. Raises only what the stream raises, and `ValueError` at once when `max_line` is below 1. The stream stays
    open.

    >>> import io
    >>> for line in read_jsonl(io.BytesIO(b'{"a": 1}\\n\\n{oops}\\n[2]')):
    ...     print(line.number, line.value, line.error)
    1 {'a': 1} None
    3 None Expecting property name enclosed in double quotes at column 2
    4 [2] None
    """
    if max_line < 1:
        raise ValueError(f"max_line must be at least 1, not {max_line}")
    return _lines(stream, max_line)


def _lines(stream: BinaryIO, max_line: int) -> Iterator[JsonLine]:
    number = 0
    while raw := stream.readline(max_line + 1):
        number += 1
        if len(raw) > max_line:
            rest = raw
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(max_line)
            yield JsonLine(number, error=f"longer than {max_line} bytes", raw=raw[:_KEPT])
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip(b" \t\r\n"):
            yield _parsed(number, raw)


def _parsed(number: int, raw: bytes) -> JsonLine:
    try:
        return JsonLine(number, value=json.loads(raw.decode("utf-8"), parse_constant=_refuse))
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start + 1}"
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at column {error.colno}"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError as error:
        # A constant that JSON does not have, or an integer with more digits than the interpreter converts.
        reason = str(error)
    return JsonLine(number, error=reason, raw=raw[:_KEPT])


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
