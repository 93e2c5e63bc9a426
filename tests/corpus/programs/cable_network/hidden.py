import itertools
import random

from subject import Cable, cheapest_network, is_joined, total_length


def joined(names, cables):
    groups = [{n} for n in names]
    for cable in cables:
        one = next(g for g in groups if cable.one in g)
        other = next(g for g in groups if cable.other in g)
        if one is not other:
            groups.remove(other)
            one |= other
    return sorted(sorted(g) for g in groups)


def test_against_all_choices():
    rng = random.Random(0)
    for _ in range(30):
        cables = [Cable(*rng.sample("abcde", 2), rng.randint(1, 9)) for _ in range(rng.randint(1, 7))]
        names = {n for c in cables for n in (c.one, c.other)}
        whole = joined(names, cables)
        needed = len(names) - len(whole)
        best = min(
            sum(c.length for c in choice)
            for choice in itertools.combinations(cables, needed)
            if joined(names, choice) == whole
        )
        network = cheapest_network(cables)
        assert len(network) == needed
        assert joined(names, network) == whole
        assert sum(c.length for c in network) == best
        assert [c.length for c in network] == sorted(c.length for c in network)
        assert is_joined(names, network) == (len(whole) == 1)
        assert all(is_joined(set(group), network) for group in whole)


def test_rounds_up():
    assert total_length([Cable("a", "b", 1)]) == 2
    assert total_length([Cable("a", "b", 10)]) == 11
    assert total_length([Cable("a", "b", 3), Cable("b", "c", 4)], 50) == 11
    assert total_length([]) == 0
    assert is_joined(set(), [Cable("a", "b", 1)])


def test_order_of_cables_does_not_matter():
    chain = [Cable("c", "d", 1), Cable("b", "c", 1), Cable("a", "b", 1)]
    assert is_joined(set("abcd"), chain)
    assert is_joined(set("abcd"), chain[::-1])
    assert not is_joined(set("abcd"), chain[:2])


def test_cable_to_itself():
    assert cheapest_network([Cable("a", "a", 1)]) == []
