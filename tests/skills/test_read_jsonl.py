from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.read_jsonl import JsonLine, read_jsonl

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def read(data: bytes, **options: int) -> list[JsonLine]:
    return list(read_jsonl(io.BytesIO(data), **options))


@given(st.lists(values), st.booleans(), st.booleans())
def test_what_was_written_is_read(written: list[object], ascii_only: bool, crlf: bool) -> None:
    end = "\r\n" if crlf else "\n"
    data = "".join(json.dumps(value, ensure_ascii=ascii_only) + end for value in written).encode("utf-8")
    lines = read(data)
    assert [line.value for line in lines] == written
    assert [line.number for line in lines] == list(range(1, len(written) + 1))
    assert all(line.error is None for line in lines)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"a": 1', "delimiter"),
        (b"[1] [2]", "Extra data at column 5"),
        (b'"\xff"', "not UTF-8 at byte 2"),
        (b"NaN", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 5000, "digits"),
        (b"\x00", "Expecting value"),
    ],
)
def test_a_bad_line_is_reported_and_the_rest_is_read(bad: bytes, reason: str) -> None:
    first, second, third = read(b"1\n" + bad + b"\n3\n")
    assert (first.value, third.value, third.number) == (1, 3, 3)
    assert second.value is None
    assert second.error is not None and reason in second.error
    assert second.raw == (bad + b"\n")[:200]


def test_blank_lines_are_passed_over_but_counted_and_a_last_line_needs_no_end() -> None:
    assert [(line.number, line.value) for line in read(b"\n1\n \t\r\n2")] == [(2, 1), (4, 2)]
    assert read(b"") == []


def test_null_is_a_value() -> None:
    assert read(b"null") == [JsonLine(1, None)]


def test_a_byte_order_mark_is_skipped_at_the_start_only() -> None:
    first, second = read(b"\xef\xbb\xbf1\n\xef\xbb\xbf2\n")
    assert first.value == 1
    assert second.error is not None
    assert read(b"\xef\xbb\xbf\n2") == [JsonLine(2, 2)]


def test_a_line_separator_inside_a_string_ends_no_line() -> None:
    assert read('"a\u2028b\x85c"\n'.encode()) == [JsonLine(1, "a\u2028b\x85c")]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_line_that_is_too_long_is_passed_without_losing_the_next(mark: bytes) -> None:
    for length in range(1, 40):
        lines = read(mark + b'"' + b"x" * length + b'"\n7\n', max_line=10)
        assert lines[-1] == JsonLine(2, 7)
        fits = len(mark) + length + 3 <= 10
        assert (lines[0].error is None) == fits
        assert lines[0].value == ("x" * length if fits else None)


def test_no_more_of_a_long_line_is_held_than_the_limit() -> None:
    asked: list[int] = []

    class Stream(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            asked.append(size or 0)
            return super().readline(size)

    list(read_jsonl(Stream(b"x" * 1000), max_line=50))
    assert max(asked) == 51


def test_real_files_are_read_and_left_open(tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_bytes(b"1\n2\n")
    with (tmp_path / "f.jsonl").open("rb") as stream:
        assert [line.value for line in read_jsonl(stream)] == [1, 2]
        assert not stream.closed


def test_a_limit_below_one_is_refused_at_once() -> None:
    with pytest.raises(ValueError):
        read_jsonl(io.BytesIO(), max_line=0)
