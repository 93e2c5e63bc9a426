from subject import Cable, cheapest_network, is_joined, total_length

CABLES = [Cable("a", "b", 5), Cable("b", "c", 3), Cable("a", "c", 4), Cable("c", "d", 7), Cable("b", "d", 9)]


def test_network():
    assert cheapest_network(CABLES) == [Cable("b", "c", 3), Cable("a", "c", 4), Cable("c", "d", 7)]


def test_two_groups():
    cables = [Cable("x", "y", 2), Cable("p", "q", 1)]
    assert cheapest_network(cables) == [Cable("p", "q", 1), Cable("x", "y", 2)]


def test_same_length():
    ring = [Cable("a", "c", 1), Cable("b", "c", 1), Cable("a", "b", 1)]
    assert cheapest_network(ring) == [Cable("a", "b", 1), Cable("a", "c", 1)]


def test_no_cables():
    assert cheapest_network([]) == []


def test_total_length():
    assert total_length(cheapest_network(CABLES)) == 16
    assert total_length([Cable("a", "b", 100)], spare_percent=0) == 100


def test_is_joined():
    assert is_joined(set("abcd"), cheapest_network(CABLES))
    assert not is_joined({"a", "z"}, CABLES)
    assert is_joined(set(), [])
    assert is_joined({"a"}, [])
