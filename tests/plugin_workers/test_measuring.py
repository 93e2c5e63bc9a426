"""How many values there are in what a process says, told before any of them is made."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core import wire
from treadle.core.plugin_worker.measuring import holds_more

TEXTS = st.text() | st.text(st.characters(categories=["L"]), min_size=32, max_size=70_000) | st.just("\udcff")
PLAIN = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.binary() | TEXTS
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=40)


def count(value: Any) -> int:
    if isinstance(value, list):
        return 1 + sum(map(count, value))
    if isinstance(value, dict):
        # As the pairs of one, where a key is no UTF-8: the list of them, and each.
        pairs = 1 + len(value) if any("\udcff" in key for key in value) else 0
        return 1 + pairs + sum(1 + count(each) for each in value.values())
    return 1


@given(VALUES)
def test_as_many_are_counted_as_there_are(value: Any) -> None:
    data = wire.pack(value)
    assert not holds_more(data, count(value))
    assert count(value) == 1 or holds_more(memoryview(data), count(value) - 1)


@pytest.mark.parametrize("size", [0, 1, 2, 4, 8, 16, 15, 17, 31, 32, 255, 256, 65_535, 65_536])
def test_what_is_long_is_one_value_whatever_is_in_it(size: int) -> None:
    for value in ("\x00" * size, b"\x80" * size, msgspec.msgpack.Ext(1, b"\x80" * size)):
        data = msgspec.msgpack.encode([value, None])
        assert not holds_more(data, 3)
        assert holds_more(data, 2)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8, 16, 300, 70_000])
def test_what_an_extension_is_made_of_counts(size: int) -> None:
    data = msgspec.msgpack.encode(msgspec.msgpack.Ext(2, b"\x80" * size))
    assert not holds_more(data, size + 1)
    assert holds_more(data, size)


@given(st.binary())
def test_of_nonsense_no_more_are_counted_than_it_has_bytes(data: bytes) -> None:
    assert not holds_more(data, len(data))
    holds_more(data, 0)


@pytest.mark.parametrize(
    "inside", [b"\xdb\xff\xff\xff\xff", b"\xc6\x00\x00\x00\x20", b"\xc7\x20\x02", b"\xcf\x00", b"\xd8"]
)
def test_nothing_hides_behind_what_says_that_it_goes_on_behind_the_end_of_its_extension(inside: bytes) -> None:
    """Whoever decodes it passes over the extension, as over each field that nobody knows, and makes what follows."""
    hides = b"\xc7" + bytes([len(inside)]) + b"\x02" + inside
    data = b"\x92" + hides + b"\xdd" + (10_000).to_bytes(4) + b"\x80" * 10_000
    assert holds_more(data, 5_000)
