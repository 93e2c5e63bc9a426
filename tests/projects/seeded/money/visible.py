from subject import Cart, Item


def cart(**kw):
    c = Cart(**kw)
    c.add(Item("novel", 1000, "book", 2))
    c.add(Item("bread", 300, "food"))
    c.add(Item("lamp", 2000))
    return c


def test_cost():
    assert Item("x", 250, count=3).cost() == 750


def test_add_same():
    c = cart()
    c.add(Item("bread", 300, "food", 2))
    assert [(i.name, i.count) for i in c.items] == [("novel", 2), ("bread", 3), ("lamp", 1)]


def test_add_other_price():
    c = cart()
    c.add(Item("bread", 350, "food"))
    assert len(c.items) == 4


def test_remove():
    c = cart()
    c.remove("lamp")
    assert [i.name for i in c.items] == ["novel", "bread"]


def test_net():
    assert cart().net() == 4300
    assert cart(coupon=10).net() == 3870


def test_tax():
    assert cart().tax() == 500
    c = Cart()
    c.add(Item("thing", 100, "unknown"))
    assert c.tax() == 20


def test_shipping():
    assert cart().shipping() == 399
    assert Cart().shipping() == 0
    c = Cart()
    c.add(Item("desk", 5000))
    assert c.shipping() == 0


def test_total():
    assert cart().total() == 5199


def test_carts_are_apart():
    a, b = Cart(), Cart()
    a.add(Item("x", 1))
    assert b.items == []
