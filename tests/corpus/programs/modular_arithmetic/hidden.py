import random
from math import gcd, lcm

import pytest
from subject import extended_gcd, inverse, power, solve


def test_power_against_pow():
    for base in range(-4, 8):
        for exponent in range(10):
            for modulus in (1, 2, 5, 9, 12):
                assert power(base, exponent, modulus) == pow(base, exponent, modulus)
    assert power(7, 10**12, 10**9 + 7) == pow(7, 10**12, 10**9 + 7)
    assert power(4, -3, 9) == pow(4, -3, 9)


def test_extended_gcd_holds():
    for a in range(15):
        for b in range(15):
            g, x, y = extended_gcd(a, b)
            assert g == gcd(a, b)
            assert a * x + b * y == g


def test_inverses():
    for modulus in range(2, 14):
        for number in range(-modulus, 2 * modulus):
            if gcd(number, modulus) == 1:
                assert inverse(number, modulus) == pow(number, -1, modulus)
            else:
                with pytest.raises(ZeroDivisionError, match=f"modulo {modulus}"):
                    inverse(number, modulus)


def test_solve_against_trying():
    rng = random.Random(0)
    solved = 0
    for _ in range(80):
        system = [(rng.randrange(m), m) for m in rng.choices(range(1, 9), k=rng.randint(0, 3))]
        step = lcm(*(m for _, m in system))
        tried = [n for n in range(step) if all(n % m == r for r, m in system)]
        assert solve(system) == ((tried[0], step) if tried else None)
        solved += bool(tried)
    assert 20 < solved < 80


def test_no_conditions():
    assert solve([]) == (0, 1)
    assert solve([(9, 4)]) == (1, 4)
    assert power(0, 0, 5) == 1
    with pytest.raises(ZeroDivisionError):
        power(2, -1, 4)
