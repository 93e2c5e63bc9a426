from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.byte_sizes import format_bytes, parse_bytes


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1075, "1.0 KiB"),
        (1076, "1.1 KiB"),
        (1024**2 - 1, "1.0 MiB"),
        (1024**2 - 52, "1023.9 KiB"),
        (1024**6, "1.0 EiB"),
        (1024**7 * 5, "5120.0 EiB"),
        (-1536, "-1.5 KiB"),
    ],
)
def test_binary_sizes(count: int, text: str) -> None:
    assert format_bytes(count) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(999, "999 B"), (1000, "1.0 kB"), (999_950, "1.0 MB"), (999_949, "999.9 kB"), (10**18, "1.0 EB")],
)
def test_decimal_sizes(count: int, text: str) -> None:
    assert format_bytes(count, binary=False) == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("512", 512),
        ("512 bytes", 512),
        ("1 byte", 1),
        ("1kB", 1000),
        ("1KB", 1000),
        ("1KiB", 1024),
        ("1K", 1024),
        ("1.5 gib", 3 * 512 * 1024**2),
        (" 10mb ", 10_000_000),
        (".5k", 512),
        ("2E", 2 * 1024**6),
        ("0.5", 1),
        ("0.4", 0),
        ("1.0000000000000000001 PiB", 1024**5),
    ],
)
def test_what_people_write(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize(
    "text", ["", " ", "B", "KiB", "-1", "+1", "1e6", "1,5 MB", "1 XB", "1 K iB", "1.2.3", "0x10", "\u0661", "9" * 101]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no size"):
        parse_bytes(text)


@given(st.integers(0, 1024**8), st.booleans())
def test_what_is_written_reads_as_the_same_size_to_one_decimal(count: int, binary: bool) -> None:
    text = format_bytes(count, binary=binary)
    number, unit = text.split()
    step = Fraction(1, 20) * parse_bytes(f"1{unit}") if unit != "B" else 0
    assert abs(parse_bytes(text) - count) <= step + 1
    if unit not in ("EiB", "EB"):
        assert float(number) < (1024 if binary else 1000)


@given(st.integers(0, 10**30))
def test_whole_bytes_are_exact(count: int) -> None:
    assert parse_bytes(str(count)) == parse_bytes(f"{count}B") == count
