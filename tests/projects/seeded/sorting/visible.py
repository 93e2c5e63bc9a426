from subject import binary_search, insertion_sort, merge_sorted, quick_sort, rotate, second_largest


def test_binary_search():
    items = [1, 3, 5, 7, 9]
    assert [binary_search(items, x) for x in items] == [0, 1, 2, 3, 4]
    assert binary_search(items, 4) == -1
    assert binary_search(items, 10) == -1
    assert binary_search([], 1) == -1


def test_insertion_sort():
    assert insertion_sort([3, 1, 2]) == [1, 2, 3]
    assert insertion_sort([1]) == [1]
    assert insertion_sort([2, 2, 1]) == [1, 2, 2]


def test_quick_sort():
    assert quick_sort([3, 1, 2, 3, 1]) == [1, 1, 2, 3, 3]
    assert quick_sort([]) == []


def test_merge():
    assert merge_sorted([1, 4], [2, 3, 5]) == [1, 2, 3, 4, 5]
    assert merge_sorted([], [1]) == [1]
    assert merge_sorted([1, 9], []) == [1, 9]


def test_rotate():
    assert rotate([1, 2, 3, 4], 1) == [4, 1, 2, 3]
    assert rotate([1, 2, 3], 3) == [1, 2, 3]
    assert rotate([1, 2, 3], 5) == [2, 3, 1]
    assert rotate([], 2) == []


def test_second():
    assert second_largest([1, 5, 5, 3]) == 3
    assert second_largest([2, 2]) is None
