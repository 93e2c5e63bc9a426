import random

from subject import TopScores


def test_against_sorting():
    rng = random.Random(0)
    for _ in range(40):
        size = rng.randint(1, 5)
        scores, entries = TopScores(size), []
        for index in range(rng.randint(0, 14)):
            entry = (rng.choice("abcdef"), rng.randint(0, 6))
            entries.append((*entry, index))
            ranked = sorted(entries, key=lambda e: (-e[1], e[2]))[:size]
            needed = scores.needed()
            assert scores.add(*entry) is (entries[-1] in ranked)
            assert (entries[-1] in ranked) == (entry[1] >= needed)
            assert scores.best() == [e[:2] for e in ranked]
            names = [e[0] for e in ranked]
            for name in "abcdef":
                assert scores.place_of(name) == (names.index(name) + 1 if name in names else None)
        assert scores.seen == len(entries)


def test_no_size():
    scores = TopScores(0)
    assert scores.add("a", 9) is False
    assert scores.best() == []
    assert scores.seen == 1


def test_default_size():
    scores = TopScores()
    assert scores.add_all(("p", n) for n in range(25)) == 25
    assert [score for _, score in scores.best()] == list(range(24, 14, -1))
    assert scores.needed() == 16


def test_boards_are_apart():
    one, other = TopScores(2), TopScores(2)
    one.add("a", 1)
    assert other.best() == []
    assert other.place_of("a") is None


def test_negative_scores():
    scores = TopScores(1)
    scores.add_all([("a", -5), ("b", -3)])
    assert scores.best() == [("b", -3)]
    assert scores.needed() == -2
