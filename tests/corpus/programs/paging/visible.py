import pytest
from subject import links, page_of, read_all

SOURCE = {None: ([1, 2], "b"), "b": ([3], "c"), "c": ([], None)}


def test_page():
    page = page_of(range(45), 2)
    assert page.items == tuple(range(10, 20))
    assert (page.number, page.pages, page.total) == (2, 5, 45)


def test_beyond_the_ends():
    assert page_of("abc", 9, size=2).items == ("c",)
    assert page_of("abc", 0, size=2).number == 1
    assert page_of([], 1).pages == 1
    with pytest.raises(ValueError):
        page_of([], 1, size=0)


def test_has_next():
    assert page_of(range(20), 1).has_next
    assert not page_of(range(20), 2).has_next


def test_describe():
    assert page_of(range(45), 2).describe() == "11-20 of 45"
    assert page_of(range(45), 5).describe() == "41-45 of 45"
    assert page_of([], 1).describe() == "nothing"


def test_links():
    assert links(5, 10) == [1, None, 4, 5, 6, None, 10]
    assert links(3, 10) == [1, 2, 3, 4, None, 10]
    assert links(1, 1) == [1]


def test_links_close_small_gaps():
    assert links(4, 10) == [1, 2, 3, 4, 5, None, 10]


def test_read_all():
    assert list(read_all(SOURCE.__getitem__)) == [1, 2, 3]
    assert list(read_all(SOURCE.__getitem__, most=2)) == [1, 2]


def test_marks_that_come_twice():
    with pytest.raises(RuntimeError):
        list(read_all(lambda mark: ([1], "x")))
