"""What there is in what a process says, told before any of it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core import wire
from treadle.core.plugin_worker.measuring import MOST_NESTED, TooLarge, check

TEXTS = st.text() | st.text(st.characters(categories=["L"]), min_size=32, max_size=70_000) | st.just("\udcff")
PLAIN = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.binary() | TEXTS
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=40)
# As Python reads them: a list that is a key is a tuple.
KEYS = st.none() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats(allow_nan=False) | st.binary() | st.text()
KEYED = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.tuples(KEYS, KEYS), inner), max_leaves=20
)


def count(value: Any) -> int:
    if isinstance(value, list):
        return 1 + sum(map(count, value))
    if isinstance(value, dict):
        # As the pairs of one, where a key is no UTF-8: the list of them, and each.
        pairs = 1 + len(value) if any("\udcff" in key for key in value) else 0
        return 1 + pairs + sum(1 + count(each) for each in value.values())
    return 1


def keys(value: Any) -> Iterator[Any]:
    """The keys of all tables in it."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each)
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from keys(each)


@given(VALUES)
def test_as_many_are_counted_as_there_are(value: Any) -> None:
    data = wire.pack(value)
    check(data, count(value))
    with pytest.raises(TooLarge):
        check(memoryview(data), count(value) - 1)


@given(KEYED)
def test_a_key_that_is_no_text_is_refused_wherever_it_is(value: Any) -> None:
    try:
        data = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        return
    if all(isinstance(key, str) for key in keys(value)):
        check(data, len(data))
    else:
        with pytest.raises(ValueError, match="key of a table"):
            check(data, len(data))


class Known(msgspec.Struct):
    text: str


def ext(code: int, content: bytes) -> bytes:
    return msgspec.msgpack.encode(msgspec.msgpack.Ext(code, content))


PLACES = (
    lambda table: table,
    lambda table: b"\x92\x01" + table,
    lambda table: b"\x81\xa1a" + table,
    lambda table: ext(2, b"\x91\x92\xa1a" + table),
    lambda table: ext(2, b"\x91\x92" + ext(1, b"\xed\xb3\xbf") + table),
)


@pytest.mark.parametrize("place", range(len(PLACES)))
@pytest.mark.parametrize(
    "key", [b"\x01", b"\xcf" + b"\x01" * 8, b"\x92\x01\x02", b"\x90", b"\xc4\x01a", b"\xc0", b"\xcb" + b"\0" * 8]
)
def test_in_pairs_as_in_tables_keys_are_texts(place: int, key: bytes) -> None:
    around = PLACES[place]
    for table in (
        b"\x81" + key + b"\xc0",
        b"\xdf\x00\x00\x00\x01" + key + b"\xc0",
        ext(2, b"\x91\x92" + key + b"\xc0"),
    ):
        data = around(table)
        with pytest.raises(ValueError, match="key of a table"):
            check(data, 100)
    check(around(b"\x81\xa1k" + key), 100)
    check(around(ext(2, b"\x91\x92\xa1k" + key)), 100)


@pytest.mark.parametrize(
    "pairs", [b"\x81\xa1a\x01", b"\x91\xa2ab", b"\x91\x93\xa1a\x01\x02", b"\x91\x91\xa1a", b"\x01"]
)
def test_what_is_said_to_be_pairs_and_is_none_is_refused(pairs: bytes) -> None:
    with pytest.raises(ValueError, match="key of a table"):
        check(ext(2, pairs), 100)


@pytest.mark.parametrize("size", [0, 1, 2, 4, 8, 16, 15, 17, 31, 32, 255, 256, 65_535, 65_536])
def test_what_is_long_is_one_value_whatever_is_in_it(size: int) -> None:
    for value in ("\x00" * size, b"\x80" * size, msgspec.msgpack.Ext(1, b"\x80" * size)):
        data = msgspec.msgpack.encode([value, None])
        check(data, 3)
        with pytest.raises(TooLarge):
            check(data, 2)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 8, 16, 300, 20_000])
def test_what_an_extension_is_made_of_counts(size: int) -> None:
    data = ext(2, msgspec.msgpack.encode([["a", None]] * size))
    check(data, 2 + 3 * size)
    with pytest.raises(TooLarge):
        check(data, 1 + 3 * size)


@given(st.binary())
def test_of_nonsense_no_more_are_counted_than_it_has_bytes(data: bytes) -> None:
    try:
        check(data, len(data))
    except TooLarge:
        raise
    except ValueError:
        pass


@given(st.binary(max_size=40))
def test_what_is_let_through_and_can_be_decoded_has_texts_as_keys_alone(data: bytes) -> None:
    try:
        check(data, len(data))
        value = msgspec.msgpack.decode(data, ext_hook=wire._restored)
    except (ValueError, TypeError, RecursionError):
        return
    assert all(isinstance(key, str) for key in keys(value))


@pytest.mark.parametrize(
    "inside",
    [b"\xdb\xff\xff\xff\xff", b"\xc6\x00\x00\x00\x20", b"\xc7\x20\x02", b"\xcf\x00", b"\xd8", b"\x92", b"\x91"],
)
def test_nothing_hides_behind_what_says_that_it_goes_on_behind_the_end_of_its_extension(inside: bytes) -> None:
    """Whoever decodes it passes over the extension, as over each field that nobody knows, and makes what follows."""
    for pairs in (inside, b"\x91\x92\xa1a" + inside, b"\x91\x92" + inside):
        hides = b"\xc7" + bytes([len(pairs)]) + b"\x02" + pairs
        data = b"\x92" + hides + b"\xdd" + (10_000).to_bytes(4) + b"\x80" * 10_000
        with pytest.raises(ValueError, match=r"goes on|more than|key of a table"):
            check(data, 5_000)


@pytest.mark.parametrize("pairs", [b"\x92", b"\x91\x92", b"\x91\x92\xa1a", b"\xdd\x00"])
def test_a_record_does_not_hide_it_in_a_field_that_nobody_knows_either(pairs: bytes) -> None:
    """What is decoded as a record passes over such a field, whatever its extension is cut off in."""
    short = ext(2, pairs)
    data = b"\x82\xa1z" + short + b"\xa4text\xa1a"
    assert msgspec.msgpack.decode(data, type=Known) == Known("a")
    with pytest.raises(ValueError, match=r"goes on|key of a table"):
        check(data, 100)


@pytest.mark.parametrize("opened", [b"\x91", b"\x81\xa1a"])
def test_who_writes_it_out_or_shows_it_need_not_go_deep(opened: bytes) -> None:
    check(opened * MOST_NESTED + b"\xc0", 1_000)
    with pytest.raises(TooLarge, match="nested more than 64 times"):
        check(opened * (MOST_NESTED + 2) + b"\xc0", 1_000)
