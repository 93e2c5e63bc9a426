from subject import gaps, merge, overlaps, total


def test_overlaps():
    assert overlaps((1, 5), (5, 9))
    assert overlaps((5, 9), (1, 5))
    assert not overlaps((1, 4), (5, 9))


def test_merge_apart():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_merge_touching():
    assert merge([(1, 2), (3, 4)]) == [(1, 4)]


def test_merge_inside():
    assert merge([(1, 9), (2, 3), (8, 12)]) == [(1, 12)]


def test_total():
    assert total([(1, 3), (2, 5), (10, 10)]) == 6


def test_gaps():
    assert gaps([(1, 2), (5, 6), (9, 9)]) == [(3, 4), (7, 8)]
    assert gaps([]) == []
