from subject import SearchTree


def tree():
    return SearchTree([(5, "e"), (2, "b"), (8, "h"), (1, "a"), (3, "c"), (9, "i")])


def test_get():
    assert tree().get(3) == "c"
    assert tree().get(4) is None
    assert tree().get(4, "-") == "-"


def test_set_again():
    known = tree()
    known.set(5, "five")
    assert known.get(5) == "five"
    assert len(known) == 6


def test_items():
    assert list(tree().items()) == [(1, "a"), (2, "b"), (3, "c"), (5, "e"), (8, "h"), (9, "i")]
    assert list(SearchTree().items()) == []


def test_items_in_a_range():
    assert [key for key, _ in tree().items(2, 8)] == [2, 3, 5, 8]
    assert [key for key, _ in tree().items(low=4)] == [5, 8, 9]


def test_floor():
    assert tree().floor(7) == 5
    assert tree().floor(8) == 8
    assert tree().floor(0) is None


def test_height():
    assert tree().height() == 3
    assert SearchTree().height() == 0


def test_balance():
    chain = SearchTree((n, str(n)) for n in range(7))
    assert chain.height() == 7
    chain.balance()
    assert chain.height() == 3
    assert chain.get(6) == "6"
