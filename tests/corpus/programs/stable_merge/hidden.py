import random

from subject import inversions, merge, merge_sort


def test_against_sorted():
    rng = random.Random(0)
    for _ in range(80):
        items = [(rng.randint(0, 4), i) for i in range(rng.randint(0, 13))]
        copy = items.copy()
        for reverse in (False, True):
            expected = sorted(items, key=lambda item: item[0], reverse=reverse)
            assert merge_sort(items, key=lambda item: item[0], reverse=reverse) == expected
        assert merge_sort(iter(items)) == sorted(items)
        numbers = [number for number, _ in items]
        pairs = sum(numbers[i] > numbers[j] for j in range(len(numbers)) for i in range(j))
        assert inversions(numbers) == pairs
        assert items == copy


def test_merge_prefers_the_left():
    left, right = [(1, "l"), (2, "l")], [(1, "r"), (2, "r")]
    key = lambda pair: pair[0]  # noqa: E731
    assert merge(left, right, key) == [(1, "l"), (1, "r"), (2, "l"), (2, "r")]
    assert merge([3], [1, 2]) == [1, 2, 3]
    assert merge([], []) == []


def test_odd_numbers_of_runs():
    for n in range(12):
        assert merge_sort(range(n, 0, -1)) == list(range(1, n + 1))
        assert inversions(list(range(n, 0, -1))) == n * (n - 1) // 2


def test_result_is_new():
    items = [1]
    assert merge_sort(items) is not items
    assert merge_sort("hello") == ["e", "h", "l", "l", "o"]
    assert inversions([1, 1, 1]) == 0
    assert inversions([]) == 0
