import random

import pytest
from subject import OutOfStock, Stock


def test_against_single_pieces():
    rng = random.Random(0)
    for _ in range(40):
        stock, pieces, profit = Stock(low=4), {}, 0
        for _ in range(25):
            article, count = rng.choice("abc"), rng.randint(1, 5)
            own = pieces.get(article, [])
            if rng.random() < 0.5:
                price = rng.randint(1, 4)
                stock.receive(article, count, price)
                pieces[article] = own + [price] * count
            elif count > len(own):
                with pytest.raises(OutOfStock, match=f"{count} {article} wanted, {len(own)} there") as caught:
                    stock.sell(article, count, 9)
                assert caught.value.missing == count - len(own)
            else:
                assert stock.sell(article, count, 9) == sum(own[:count])
                profit += 9 * count - sum(own[:count])
                pieces[article] = own[count:]
            assert stock.profit == profit
            assert stock.value() == sum(map(sum, pieces.values()))
            assert [stock.count(a) for a in "abc"] == [len(pieces.get(a, [])) for a in "abc"]
            low = [(a, 8 - len(p)) for a, p in sorted(pieces.items()) if len(p) < 4]
            assert stock.to_order() == low


def test_batches_join():
    stock = Stock()
    for count, price in ((2, 5), (3, 5), (1, 6), (4, 5)):
        stock.receive("a", count, price)
    assert [(b.count, b.price) for b in stock._batches["a"]] == [(5, 5), (1, 6), (4, 5)]
    stock.sell("a", 5, 1)
    assert [(b.count, b.price) for b in stock._batches["a"]] == [(1, 6), (4, 5)]
    assert stock.profit == -20


def test_low_mark():
    stock = Stock(low=3)
    stock.receive("a", 3, 1)
    assert stock.to_order() == []
    stock.sell("a", 1, 1)
    assert stock.to_order() == [("a", 4)]
    assert Stock().to_order() == []


def test_edges():
    stock = Stock()
    assert stock.sell("a", 0, 5) == 0
    assert stock.value() == stock.profit == 0
    with pytest.raises(OutOfStock):
        stock.sell("a", 1, 5)
    for count in (0, -1):
        with pytest.raises(ValueError, match="nothing"):
            stock.receive("a", count, 5)
    assert stock.to_order() == []


def test_five_by_default():
    stock = Stock()
    stock.receive("a", 5, 1)
    stock.receive("b", 4, 1)
    assert stock.to_order() == [("b", 6)]
