import pytest
from subject import divisors, factors, prime_gaps, primes_below, totient


def test_primes():
    assert primes_below(30) == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert primes_below(2) == []
    assert primes_below(3) == [2]


def test_factors():
    assert factors(360) == {2: 3, 3: 2, 5: 1}
    assert factors(97) == {97: 1}
    assert factors(1) == {}


def test_no_factors():
    with pytest.raises(ValueError):
        factors(0)


def test_divisors():
    assert divisors(12) == [1, 2, 3, 4, 6, 12]
    assert divisors(1) == [1]


def test_totient():
    assert totient(9) == 6
    assert totient(10) == 4
    assert totient(1) == 1


def test_gaps():
    assert list(prime_gaps(14)) == [(2, 1), (3, 2), (5, 2), (7, 4), (11, 2)]
