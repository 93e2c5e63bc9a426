import random

import pytest
from subject import Basket, Offer, Order, Price, WrongState, total


def test_random_baskets():
    rng = random.Random(0)
    for _ in range(40):
        most = rng.randint(3, 9)
        basket, model = Basket(most), {}
        for _ in range(25):
            article, number = rng.choice("abc"), rng.randint(1, 4)
            if rng.random() < 0.6:
                model[article] = min(model.get(article, 0) + number, most)
                assert basket.put(article, number) == model[article]
            elif article not in model:
                with pytest.raises(KeyError, match=article):
                    basket.take(article, number)
            elif rng.random() < 0.3:
                basket.take(article)
                del model[article]
            else:
                basket.take(article, number)
                model[article] -= number
                if model[article] <= 0:
                    del model[article]
            assert list(basket.counts().items()) == sorted(model.items())
        other = Basket()
        other.put("a", 2)
        other.put("z", 50)
        before = basket.counts()
        basket.merge(other)
        assert basket.counts() == {**before, "a": min(before.get("a", 0) + 2, most), "z": most}
        assert other.counts() == {"a": 2, "z": 50}


def test_offers_one_by_one():
    for buy in range(1, 6):
        for pay in range(1, buy + 1):
            paid = 0
            for number in range(20):
                assert Offer(buy, pay).paid(number) == paid
                paid += number % buy < pay


def test_steps():
    price = Price(50, {20: 30, 5: 40})
    for number in range(30):
        cents = 30 if number >= 20 else 40 if number >= 5 else 50
        assert price.of(number) == number * cents
    both = Price(10, {4: 9}, Offer(2, 1))
    assert [both.of(n) for n in (1, 2, 3, 4, 5)] == [10, 10, 20, 18, 27]
    assert Price(7).of(3) == 21


def test_shipping():
    prices = {"a": Price(1), "gift": Price(0)}
    assert total({"a": 4999}, prices) == (4999, 495)
    assert total({"a": 5000}, prices) == (5000, 0)
    assert total({"gift": 3}, prices) == (0, 0)
    assert total({"a": 10}, prices, free_from=10) == (10, 0)
    assert total({"a": 9}, prices, 10, shipping=1) == (9, 1)
    with pytest.raises(KeyError):
        total({"b": 1}, prices)


def order():
    basket = Basket()
    basket.put("a", 10)
    return Order(basket, {"a": Price(100)})


def test_all_ways():
    ways = {
        ("cancel",): ("cancelled", 0),
        ("pay", "cancel"): ("refunded", 1495),
        ("pay", "send", "arrive"): ("done", 0),
        ("pay", "send", "return"): ("refunded", 1000),
        ("pay",): ("paid", 0),
        ("pay", "send"): ("sent", 0),
        (): ("new", 0),
    }
    for way, (state, refund) in ways.items():
        one = order()
        for name in way:
            assert name in one.steps()
            one.step(name)
        assert (one.state, one.refund()) == (state, refund)
        assert one.log[0] == "new" and one.log[-1] == state and len(one.log) == len(way) + 1
        for name in {"pay", "cancel", "send", "arrive", "return", "x"} - set(one.steps()):
            with pytest.raises(WrongState, match=f"{name} of an order that is {state}"):
                one.step(name)
        assert one.state == state


def test_orders_keep_what_was_ordered():
    basket, prices = Basket(), {"a": Price(100), "b": Price(1)}
    basket.put("a")
    one = Order(basket, prices)
    basket.put("b")
    prices["a"] = Price(999)
    assert one.counts == {"a": 1}
    assert (one.goods, one.shipping, one.sum) == (100, 495, 595)
    with pytest.raises(ValueError, match="nothing"):
        Order(Basket(), prices)
    for number in (0, -1):
        with pytest.raises(ValueError, match="one in"):
            basket.put("a", number)
    assert Basket().put("q", 500) == 99
