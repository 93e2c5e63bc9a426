import pytest
from subject import extended_gcd, inverse, power, solve


def test_power():
    assert power(3, 5, 7) == 5
    assert power(2, 10, 1000) == 24
    assert power(5, 0, 9) == 1


def test_negative_power():
    assert power(3, -2, 7) == 4


def test_extended_gcd():
    assert extended_gcd(240, 46) == (2, -9, 47)
    assert extended_gcd(5, 0) == (5, 1, 0)


def test_inverse():
    assert inverse(3, 11) == 4
    assert inverse(-3, 11) == 7


def test_no_inverse():
    with pytest.raises(ZeroDivisionError):
        inverse(4, 6)


def test_solve():
    assert solve([(2, 3), (3, 5), (2, 7)]) == (23, 105)


def test_solve_with_common_factors():
    assert solve([(1, 4), (3, 6)]) == (9, 12)
    assert solve([(1, 4), (2, 6)]) is None
