import pytest
from subject import Basket, Offer, Order, Price, WrongState, total

PRICES = {"pen": Price(100, {10: 80}), "ink": Price(700, offer=Offer(3, 2)), "desk": Price(9900)}


def basket(**counts):
    one = Basket()
    for article, number in counts.items():
        one.put(article, number)
    return one


def test_basket():
    one = basket(pen=2, ink=1)
    assert one.put("pen", 3) == 5
    one.take("ink")
    assert one.counts() == {"pen": 5}
    assert Basket(most=4).put("x", 9) == 4


def test_take():
    one = basket(pen=5)
    one.take("pen", 2)
    assert one.counts() == {"pen": 3}
    one.take("pen", 7)
    assert one.counts() == {}
    with pytest.raises(KeyError):
        one.take("pen")


def test_merge():
    one, other = basket(pen=1), basket(pen=2, ink=1)
    one.merge(other)
    assert one.counts() == {"ink": 1, "pen": 3}
    assert other.counts() == {"ink": 1, "pen": 2}


def test_prices():
    assert [PRICES["pen"].of(n) for n in (1, 9, 10)] == [100, 900, 800]
    assert [PRICES["ink"].of(n) for n in (1, 2, 3, 4, 6)] == [700, 1400, 1400, 2100, 2800]


def test_total():
    assert total({"pen": 2}, PRICES) == (200, 495)
    assert total({"desk": 1}, PRICES) == (9900, 0)
    assert total({}, PRICES) == (0, 0)


def test_order():
    order = Order(basket(pen=2), PRICES)
    assert order.sum == 695
    assert order.steps() == ["cancel", "pay"]
    assert [order.step(s) for s in ("pay", "send", "arrive")] == ["paid", "sent", "done"]
    with pytest.raises(ValueError):
        Order(Basket(), PRICES)


def test_wrong_step():
    order = Order(basket(pen=2), PRICES)
    with pytest.raises(WrongState):
        order.step("send")
    assert order.state == "new"


def test_refund():
    order = Order(basket(pen=2), PRICES)
    order.step("pay")
    assert order.refund() == 0
    order.step("cancel")
    assert order.refund() == 695
