from subject import TopScores


def board():
    scores = TopScores(3)
    scores.add_all([("ann", 50), ("bob", 70), ("cid", 60), ("dan", 40), ("eve", 65)])
    return scores


def test_best():
    assert board().best() == [("bob", 70), ("eve", 65), ("cid", 60)]


def test_add_tells():
    scores = TopScores(1)
    assert scores.add("ann", 5) is True
    assert scores.add("bob", 4) is False
    assert scores.add("cid", 6) is True


def test_add_all_counts():
    assert TopScores(2).add_all([("a", 1), ("b", 2), ("c", 1), ("d", 3)]) == 3


def test_equal_scores():
    scores = TopScores(2)
    scores.add_all([("ann", 5), ("bob", 5), ("cid", 5)])
    assert scores.best() == [("ann", 5), ("bob", 5)]


def test_needed():
    assert board().needed() == 61
    assert TopScores(2).needed() == 0


def test_place():
    assert board().place_of("eve") == 2
    assert board().place_of("dan") is None


def test_seen():
    assert board().seen == 5
