import pytest
from subject import correlation, deviation, filled, outliers, quantile, summary


def test_quantile():
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1, 2, 3, 4], 0.5) == 2.5
    assert quantile([10, 20], 0.25) == 12.5


def test_quantile_errors():
    for values, part in (([], 0.5), ([1], 1.1)):
        with pytest.raises(ValueError):
            quantile(values, part)


def test_summary():
    assert summary([1, 2, 3, 4, 5]) == (1, 2, 3, 4, 5)


def test_outliers():
    assert outliers([5, 6, 7, 50, 6, 5, -40]) == [50, -40]
    assert outliers([1, 100, 1]) == []


def test_deviation():
    assert deviation([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(2.138, abs=0.001)
    assert deviation([5]) == 0


def test_correlation():
    assert correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    assert correlation([(1, 6), (2, 4), (3, 2)]) == pytest.approx(-1)
    assert correlation([(1, 1), (1, 2)]) is None


def test_filled():
    assert filled([None, 1, None, None, 4, None]) == [1, 1, 2, 3, 4, 4]
    with pytest.raises(ValueError):
        filled([None])
