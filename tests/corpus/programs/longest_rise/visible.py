from subject import largest_gain, longest_rise, streaks


def test_longest_rise():
    assert longest_rise([3, 1, 4, 1, 5, 9, 2, 6]) == [1, 4, 5, 6]


def test_equal_values_are_no_rise():
    assert longest_rise([2, 2, 2]) == [2]


def test_falling():
    assert longest_rise([3, 2, 1]) == [1]
    assert longest_rise([]) == []


def test_streaks():
    assert streaks([1, 2, 3, 2, 5, 4]) == [(0, 3), (3, 5)]


def test_shortest_streak():
    assert streaks([1, 2, 3, 2, 5, 4], shortest=3) == [(0, 3)]
    assert streaks([]) == []


def test_streak_at_the_end():
    assert streaks([5, 1, 2]) == [(1, 3)]


def test_largest_gain():
    assert largest_gain([7, 1, 5, 3, 6, 4]) == 5
    assert largest_gain([5, 3, 1]) == 0
