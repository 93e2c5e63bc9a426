import random

import pytest
from subject import links, page_of, read_all


def test_all_pages():
    for total in range(24):
        items = list(range(total))
        for size in (1, 3, 7, 10):
            pages = page_of(items, 1, size).pages
            found = []
            for number in range(1, pages + 1):
                page = page_of(items, number, size)
                assert page.number == number and page.total == total
                assert page.has_next == (number < pages)
                if page.items:
                    assert page.describe() == f"{page.items[0] + 1}-{page.items[-1] + 1} of {total}"
                    assert len(page.items) == size or number == pages
                found += page.items
            assert found == items
            assert page_of(items, pages + 1, size) == page_of(items, pages, size)
            assert page_of(items, -3, size) == page_of(items, 1, size)


def test_nothing_to_describe():
    assert page_of([], 1).describe() == page_of("", 5, 2).describe() == "nothing"


def test_links():
    for pages in range(1, 14):
        for number in range(1, pages + 1):
            for around in (0, 1, 2):
                found = links(number, pages, around)
                wanted = [p for p in range(1, pages + 1) if p in (1, pages) or abs(p - number) <= around]
                shown = [p for p in found if p is not None]
                assert shown == sorted(set(shown))
                assert set(wanted) <= set(shown)
                for place, page in enumerate(found):
                    if page is None:
                        assert found[place + 1] - found[place - 1] > 2
                for a, b in zip(shown, shown[1:], strict=False):  # noqa: RUF007
                    assert (b - a == 1) or found[found.index(a) + 1] is None
                for page in set(shown) - set(wanted):
                    assert page - 1 in wanted and page + 1 in wanted


def test_reading():
    rng = random.Random(0)
    for _ in range(40):
        pages = [[rng.randint(0, 9) for _ in range(rng.randint(0, 4))] for _ in range(rng.randint(1, 5))]
        asked = []

        def fetch(mark, pages=pages, asked=asked):
            asked.append(mark)
            place = int(mark or 0)
            return pages[place], str(place + 1) if place + 1 < len(pages) else None

        items = [item for page in pages for item in page]
        assert list(read_all(fetch)) == items
        assert asked == [None, *map(str, range(1, len(pages)))]
        for most in range(len(items) + 2):
            assert list(read_all(fetch, most)) == items[:most]
        asked.clear()
        if pages[0]:
            assert next(read_all(fetch)) == pages[0][0]
            assert asked == [None]
        asked.clear()
        assert list(read_all(fetch, most=0)) == []
        assert asked == []
        assert list(read_all(fetch, most=len(pages[0]))) == pages[0]
        assert len(asked) == (1 if pages[0] else 0)


def test_repeated_marks():
    marks = iter(["a", "b", "a"])
    stream = read_all(lambda mark: ([mark], next(marks)))
    assert [next(stream) for _ in range(3)] == [None, "a", "b"]
    with pytest.raises(RuntimeError, match="the mark a came twice"):
        next(stream)
    for size in (0, -1):
        with pytest.raises(ValueError, match="one item"):
            page_of([1], 1, size)


def test_defaults():
    assert page_of(range(25), 3).items == (20, 21, 22, 23, 24)
    assert links(6, 11) == [1, None, 5, 6, 7, None, 11]
