import pytest

from tillroll.orders import Order, parse_order


def test_an_order_is_read_line_by_line(catalogue):
    order = parse_order(catalogue, "3 x TEA-01\n\n# for the office\n1 POT-02  # gift\n")
    assert [(article.number, pieces) for article, pieces in order.lines()] == [("TEA-01", 3), ("POT-02", 1)]


def test_the_same_article_is_added_up(catalogue):
    order = parse_order(catalogue, "2 x CUP-07\n1 x TEA-01\n4 x cup-07")
    assert [(article.number, pieces) for article, pieces in order.lines()] == [("CUP-07", 6), ("TEA-01", 1)]


def test_a_wrong_line_is_named(catalogue):
    with pytest.raises(ValueError, match="line 2"):
        parse_order(catalogue, "1 x TEA-01\nsome tea please")


def test_nothing_can_not_be_ordered(catalogue):
    with pytest.raises(ValueError):
        Order().add(catalogue["TEA-01"], 0)
