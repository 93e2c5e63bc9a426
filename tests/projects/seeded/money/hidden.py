from subject import Cart, Item


def test_all():
    c = Cart(coupon=25)
    for n in range(1, 8):
        c.add(Item(f"i{n % 3}", 100 * (n % 4 + 1), ("book", "food", "other", "toy")[n % 4], n))
    merged = {}
    for n in range(1, 8):
        key = (f"i{n % 3}", 100 * (n % 4 + 1))
        merged[key] = merged.get(key, 0) + n
    assert {(i.name, i.price): i.count for i in c.items} == merged
    full = sum(i.price * i.count for i in c.items)
    assert c.net() == full * 75 // 100
    rates = {"book": 5, "food": 0}
    assert c.tax() == sum(i.price * i.count * rates.get(i.kind, 20) // 100 for i in c.items)
    assert c.total() == c.net() + c.tax() + (0 if c.net() >= 5000 else 399)
    c.remove("i0")
    assert all(i.name != "i0" for i in c.items) and c.items
    d = Cart()
    d.add(Item("a", 4999))
    assert d.shipping() == 399
    d.add(Item("b", 1))
    assert d.shipping() == 0
