from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.skills.chunked import chunked


@given(st.lists(st.integers()), st.integers(1, 12))
def test_the_chunks_joined_are_the_items_and_all_but_the_last_are_full(items: list[int], size: int) -> None:
    chunks = list(chunked(items, size))
    assert list(itertools.chain.from_iterable(chunks)) == items
    assert all(len(chunk) == size for chunk in chunks[:-1])
    assert all(chunks)


def test_it_reads_no_further_than_the_chunk_that_was_asked_for() -> None:
    source = itertools.count()
    assert next(chunked(source, 3)) == (0, 1, 2)
    assert next(source) == 3


@pytest.mark.parametrize("size", [0, -1])
def test_a_wrong_size_is_refused_before_anything_is_read(size: int) -> None:
    source = iter([1])
    with pytest.raises(ValueError):
        chunked(source, size)
    assert next(source) == 1


def test_strict_gives_the_full_chunks_and_then_refuses_the_short_one() -> None:
    chunks = chunked("abcde", 2, strict=True)
    assert [next(chunks), next(chunks)] == [("a", "b"), ("c", "d")]
    with pytest.raises(ValueError, match="1 items, not 2"):
        next(chunks)
    assert list(chunked("abcd", 2, strict=True)) == [("a", "b"), ("c", "d")]


def test_an_error_of_the_source_passes_through() -> None:
    def broken() -> Iterator[int]:
        yield from range(3)
        raise OSError("torn")

    chunks = chunked(broken(), 2)
    assert next(chunks) == (0, 1)
    with pytest.raises(OSError, match="torn"):
        next(chunks)
