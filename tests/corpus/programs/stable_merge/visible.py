from subject import inversions, merge, merge_sort


def test_merge():
    assert merge([1, 4, 6], [2, 3, 7, 8]) == [1, 2, 3, 4, 6, 7, 8]


def test_merge_with_nothing():
    assert merge([], [1]) == [1]
    assert merge([1], []) == [1]


def test_sort():
    assert merge_sort([5, 2, 9, 1, 5, 6, 0]) == [0, 1, 2, 5, 5, 6, 9]
    assert merge_sort([]) == []


def test_key():
    assert merge_sort(["ccc", "a", "bb"], key=len) == ["a", "bb", "ccc"]


def test_stable():
    assert merge_sort(["bb", "aa", "c"], key=len) == ["c", "bb", "aa"]


def test_reverse():
    assert merge_sort(["bb", "c", "aa"], key=len, reverse=True) == ["bb", "aa", "c"]


def test_inversions():
    assert inversions([1, 2, 3]) == 0
    assert inversions([3, 2, 1]) == 3
    assert inversions([2, 4, 1, 3]) == 3
