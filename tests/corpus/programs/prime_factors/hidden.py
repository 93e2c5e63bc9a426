from math import gcd, prod

import pytest
from subject import divisors, factors, prime_gaps, primes_below, totient


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, n))


def test_primes_below_all_limits():
    for limit in range(-1, 60):
        assert primes_below(limit) == [n for n in range(limit) if is_prime(n)]
    assert len(primes_below(1000)) == 168


def test_factors_and_divisors():
    for number in range(1, 260):
        found = factors(number)
        assert prod(p**e for p, e in found.items()) == number
        assert all(is_prime(p) and e > 0 for p, e in found.items())
        assert divisors(number) == [d for d in range(1, number + 1) if number % d == 0]


def test_totients():
    for number in range(1, 80):
        assert totient(number) == sum(gcd(n, number) == 1 for n in range(1, number + 1))


def test_large_numbers():
    assert factors(2**20 * 3**5 * 10007) == {2: 20, 3: 5, 10007: 1}
    assert factors(10007 * 10009) == {10007: 1, 10009: 1}
    assert factors(10007**2) == {10007: 2}


def test_negative():
    for number in (0, -1, -12):
        with pytest.raises(ValueError, match="positive"):
            divisors(number)


def test_gaps():
    gaps = list(prime_gaps(100))
    assert len(gaps) == 24
    assert max(gaps, key=lambda pair: pair[1]) == (89, 8)
    assert list(prime_gaps(3)) == []
    assert list(prime_gaps(0)) == []
