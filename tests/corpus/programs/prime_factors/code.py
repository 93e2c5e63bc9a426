"""Primes, factors and divisors."""

from collections.abc import Iterator
from math import isqrt, prod


def primes_below(limit: int) -> list[int]:
    """All primes below the limit, by a sieve."""
    if limit <= 2:
        return []
    is_prime = [True] * limit
    is_prime[0] = is_prime[1] = False
    for number in range(2, isqrt(limit) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit, number):
                is_prime[multiple] = False
    return [number for number, prime in enumerate(is_prime) if prime]


def factors(number: int) -> dict[int, int]:
    """The prime factors with their exponents; 1 has none."""
    if number < 1:
        raise ValueError("only positive numbers have prime factors")
    found: dict[int, int] = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found[divisor] = found.get(divisor, 0) + 1
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    if number > 1:
        found[number] = found.get(number, 0) + 1
    return found


def divisors(number: int) -> list[int]:
    """All divisors, sorted."""
    found = [1]
    for prime, exponent in factors(number).items():
        found = [d * prime**power for d in found for power in range(exponent + 1)]
    return sorted(found)


def totient(number: int) -> int:
    """How many of 1..number have no factor in common with it."""
    return prod((prime - 1) * prime ** (exponent - 1) for prime, exponent in factors(number).items())


def prime_gaps(limit: int) -> Iterator[tuple[int, int]]:
    """(prime, distance to the next prime) for the primes below the limit, other than the last."""
    primes = primes_below(limit)
    for index in range(len(primes) - 1):
        yield primes[index], primes[index + 1] - primes[index]
