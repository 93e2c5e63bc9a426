import random
import statistics

import pytest
from subject import correlation, deviation, filled, outliers, quantile, summary


def test_against_statistics():
    rng = random.Random(0)
    for _ in range(80):
        values = [rng.randint(-20, 20) for _ in range(rng.randint(2, 12))]
        copy = list(values)
        assert list(summary(values)[1:4]) == pytest.approx(statistics.quantiles(values, n=4, method="inclusive"))
        assert summary(values).low == min(values) and summary(values).high == max(values)
        assert summary(values).median == statistics.median(values)
        assert deviation(values) == pytest.approx(statistics.stdev(values))
        other = [rng.randint(-20, 20) for _ in values]
        found = correlation(list(zip(values, other, strict=True)))
        if len(set(values)) > 1 and len(set(other)) > 1:
            assert found == pytest.approx(statistics.correlation(values, other))
        else:
            assert found is None
        for factor in (0, 0.5, 1.5):
            expected = []
            if len(values) >= 4:
                a, _, c = statistics.quantiles(values, n=4, method="inclusive")
                expected = [v for v in values if v < a - factor * (c - a) or v > c + factor * (c - a)]
            assert outliers(values, factor) == expected
        assert values == copy


def test_quantile_edges():
    assert quantile([7], 0) == quantile([7], 0.3) == quantile([7], 1) == 7
    assert quantile([1, 2, 3], 0) == 1
    assert quantile([1, 2, 3], 1) == 3
    assert quantile([0, 10, 100], 0.75) == 55
    for part in (-0.1, 1.0001):
        with pytest.raises(ValueError, match="between 0 and 1"):
            quantile([1], part)
    with pytest.raises(ValueError, match="no values"):
        summary([])


def test_small_samples():
    assert deviation([]) == deviation([3]) == 0
    assert deviation([1, 3]) == pytest.approx(2**0.5)
    assert correlation([]) is None
    assert correlation([(1, 2)]) is None
    assert outliers([0, 0, 0, 0]) == []
    assert outliers([0, 0, 0, 0, 1]) == [1]


def test_gaps():
    rng = random.Random(1)
    for _ in range(60):
        line = [3 * n - 7 for n in range(rng.randint(2, 10))]
        gapped = [v if rng.random() < 0.5 or n in (0, len(line) - 1) else None for n, v in enumerate(line)]
        assert filled(gapped) == pytest.approx(line)
    assert filled([None, None, 5]) == [5, 5, 5]
    assert filled([2, None]) == [2, 2]
    assert filled([0, None, 10, None, None, 1]) == [0, 5, 10, 7, 4, 1]
    assert filled([1, 2]) == [1, 2]
    given = [1, None, 3]
    filled(given)
    assert given == [1, None, 3]
    for values in ([], [None, None]):
        with pytest.raises(ValueError, match="but gaps"):
            filled(values)
