from subject import gaps, merge, overlaps, total


def numbers(intervals):
    return {n for a, b in intervals for n in range(a, b + 1)}


def test_against_sets():
    cases = [[(a, a + la), (b, b + lb), (7, 9)] for a in range(6) for b in range(0, 12, 2) for la in (0, 2) for lb in (0, 3)]
    for case in cases:
        got = merge(case)
        assert numbers(got) == numbers(case)
        assert all(x[1] + 1 < y[0] for x, y in zip(got, got[1:]))
        assert total(case) == len(numbers(case))
        inside = set(range(got[0][0], got[-1][1] + 1))
        assert numbers(gaps(case)) == inside - numbers(case)
        assert overlaps(case[0], case[1]) == bool(numbers(case[:1]) & numbers(case[1:2]))
