import random

from subject import binary_search, insertion_sort, merge_sorted, quick_sort, rotate, second_largest


def test_against_builtins():
    rng = random.Random(1)
    for _ in range(200):
        items = [rng.randrange(10) for _ in range(rng.randrange(9))]
        s = sorted(items)
        assert insertion_sort(items) == s and quick_sort(items) == s
        other = sorted(rng.randrange(10) for _ in range(rng.randrange(9)))
        assert merge_sorted(s, other) == sorted(s + other)
        d = sorted(set(items))
        for x in range(-1, 11):
            assert binary_search(d, x) == (d.index(x) if x in d else -1)
        assert second_largest(items) == (d[-2] if len(d) > 1 else None)
        for k in range(12):
            n = len(items)
            assert rotate(items, k) == [items[(i - k) % n] for i in range(n)]
