import pytest
from subject import OutOfStock, Stock


def stock():
    one = Stock()
    one.receive("pen", 10, 100)
    one.receive("pen", 5, 120)
    one.receive("cup", 3, 400)
    return one


def test_count():
    assert stock().count("pen") == 15
    assert stock().count("hat") == 0


def test_first_in_first_out():
    one = stock()
    assert one.sell("pen", 12, 200) == 1240
    assert one.count("pen") == 3
    assert one.profit == 1160


def test_out_of_stock():
    one = stock()
    with pytest.raises(OutOfStock) as caught:
        one.sell("cup", 5, 900)
    assert caught.value.missing == 2
    assert one.count("cup") == 3


def test_value():
    one = stock()
    assert one.value() == 2800
    one.sell("pen", 11, 1)
    assert one.value() == 1680


def test_to_order():
    one = stock()
    assert one.to_order() == [("cup", 7)]
    one.sell("pen", 15, 150)
    assert one.to_order() == [("cup", 7), ("pen", 10)]


def test_receive_nothing():
    with pytest.raises(ValueError):
        stock().receive("pen", 0, 1)
