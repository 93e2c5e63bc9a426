import itertools
import random

from subject import Passage, longest_passage, overlap, passages


def common_length(a, b):
    runs = {tuple(b[j : j + n]) for j in range(len(b)) for n in range(1, len(b) - j + 1)}
    for n in range(len(a), 0, -1):
        for i in range(len(a) - n + 1):
            if tuple(a[i : i + n]) in runs:
                return n, i
    return 0, None


def test_random_texts():
    rng = random.Random(0)
    for _ in range(60):
        a = [rng.choice("abcd") for _ in range(rng.randint(0, 9))]
        b = [rng.choice("abcd") for _ in range(rng.randint(0, 9))]
        n, start = common_length(a, b)
        found = longest_passage(a, b)
        if n == 0:
            assert found is None
        else:
            assert (found.length, found.first) == (n, start)
            assert a[found.first : found.first + n] == b[found.second : found.second + n]
        for shortest in (1, 2, 3):
            all_found = passages(a, b, shortest)
            assert all(p.length >= shortest for p in all_found)
            assert all(a[p.first : p.first + p.length] == b[p.second : p.second + p.length] for p in all_found)
            for p, q in itertools.pairwise(all_found):
                assert p.first + p.length <= q.first
                assert p.second + p.length <= q.second
            assert (max((p.length for p in all_found), default=0) == n) or n < shortest


def test_third_passage():
    assert passages(list("ab1cde2fg"), list("ab3cde4fg")) == [(0, 0, 2), (3, 3, 3), (7, 7, 2)]
    assert passages(list("xabyzcd"), list("abcd")) == [Passage(1, 0, 2), Passage(5, 2, 2)]


def test_overlap_values():
    assert overlap("a b c d", "a b c d") == 1.0
    assert overlap("a b", "c d a b e f g h") == 1.0
    assert overlap("a x b y", "a z b w") == 0.0
    assert overlap("one two three four", "") == 0.0
    assert overlap("  ", "a") == 0.0
    assert overlap("A B z", "q a b w") == 2 / 3
