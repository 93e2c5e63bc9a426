import itertools
import random

import pytest
from subject import Version, fits, newest

V = Version.parse
ORDERED = [
    "0.9.9",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "10.0.0",
]


def test_order_of_all_pairs():
    for a, b in itertools.combinations(ORDERED, 2):
        assert V(a) < V(b) and V(b) > V(a) and V(a) != V(b)
        assert not V(b) <= V(a)
    shuffled = ORDERED.copy()
    random.Random(0).shuffle(shuffled)
    assert sorted(shuffled, key=V) == ORDERED


def test_conditions_by_place():
    for i, version in enumerate(ORDERED):
        for j in range(i % 3, len(ORDERED), 3):
            wanted = ORDERED[j]
            holds = {"<": i < j, "<=": i <= j, ">": i > j, ">=": i >= j, "==": i == j, "!=": i != j}
            for sign, expected in holds.items():
                assert fits(V(version), f" {sign} {wanted} ,!=7.7") is expected


def test_carets_and_tildes():
    for text in ORDERED:
        version = V(text)
        assert fits(version, "^1.0") == (V("1.0.0") <= version < V("2.0.0"))
        assert fits(version, "~1.0.1") == (V("1.0.1") <= version < V("1.1.0"))
    assert fits(V("1.2.3"), "~1.2.3, ^1.2.3")
    assert fits(V("0.2.0"), "^0.1")


def test_there_and_back():
    for text in ORDERED:
        assert str(V(text)) == text
        assert V(f" v{text}\n") == V(text)
    for text in ("1.2.", "1.-2.3", "v", "1.2-", "1.2.3 4", "1.2.3-a_b"):
        with pytest.raises(ValueError, match="is no version"):
            V(text)
    assert V("1.2-rc") == Version(1, 2, 0, "rc")


def test_raised():
    assert V("1.2.3-rc.1").raised("minor") == V("1.3.0")
    assert V("0.0.9").raised("patch") == V("0.0.10")
    assert V("9.9.9").raised("major") == V("10.0.0")
    with pytest.raises(ValueError, match="no part x"):
        V("1.0.0").raised("x")


def test_newest():
    assert newest(ORDERED, "<=1.0") == "1.0.0"
    assert newest(ORDERED, "<1.0") == "0.9.9"
    assert newest(ORDERED, "<1.0", previews=True) == "1.0.0-rc.1"
    assert newest(["v1.0", "0.9.0"], ">0.1") == "v1.0"
    assert newest([], ">0.1") is None
    for requirement in ("", ">=1.0,", "=1.0.0", ">=x"):
        with pytest.raises(ValueError):
            newest(["1.0.0"], requirement)
