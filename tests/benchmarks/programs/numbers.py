"""Programs about numbers."""

import cmath
import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def digit_product(number: int) -> int:
    """Multiply the digits of a number, whatever its sign."""
    return math.prod(int(digit) for digit in str(abs(number)))


def check_digit_product(candidate):
    assert candidate(234) == 24
    assert candidate(-52) == 10
    assert candidate(7) == 7
    assert candidate(0) == 0
    assert candidate(1203) == 0


def persistence(number: int) -> int:
    """How many times the digits must be multiplied until one digit is left."""
    steps = 0
    while number > 9:
        number = math.prod(map(int, str(number)))
        steps += 1
    return steps


def check_persistence(candidate):
    assert candidate(4) == 0
    assert candidate(10) == 1
    assert candidate(39) == 3
    assert candidate(999) == 4
    assert candidate(77) == 4


def clamp(value: float, low: float, high: float) -> float:
    """The value, or the end of the range that it goes beyond. Raises ValueError for a range turned around."""
    if low > high:
        raise ValueError("the range is empty")
    return max(low, min(value, high))


def check_clamp(candidate):
    assert candidate(5, 0, 10) == 5
    assert candidate(-1, 0, 10) == 0
    assert candidate(11, 0, 10) == 10
    assert candidate(0.5, 0.5, 0.5) == 0.5
    try:
        candidate(1, 2, 0)
    except ValueError:
        pass
    else:
        raise AssertionError("an empty range was accepted")


def round_to_cents(amount: str) -> str:
    """Round an amount of money to two places, halves away from zero."""
    return str(Decimal(amount).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def check_round_to_cents(candidate):
    assert candidate("1") == "1.00"
    assert candidate("2.345") == "2.35"
    assert candidate("2.344") == "2.34"
    assert candidate("-0.005") == "-0.01"
    assert candidate("1.005") == "1.01"


def divisors(number: int) -> list[int]:
    """All divisors of a positive number in ascending order."""
    low = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    high = [number // d for d in reversed(low) if d * d != number]
    return low + high


def check_divisors(candidate):
    assert candidate(1) == [1]
    assert candidate(12) == [1, 2, 3, 4, 6, 12]
    assert candidate(16) == [1, 2, 4, 8, 16]
    assert candidate(97) == [1, 97]
    assert sum(candidate(28)) == 56


def prime_powers(number: int) -> dict[int, int]:
    """Each prime factor of a number above zero, and its exponent."""
    found: dict[int, int] = {}
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            found[factor] = found.get(factor, 0) + 1
            number //= factor
        factor += 1
    if number > 1:
        found[number] = found.get(number, 0) + 1
    return found


def check_prime_powers(candidate):
    assert candidate(1) == {}
    assert candidate(2) == {2: 1}
    assert candidate(360) == {2: 3, 3: 2, 5: 1}
    assert candidate(49) == {7: 2}
    assert candidate(9973) == {9973: 1}
    assert candidate(1024) == {2: 10}


def in_base(number: int, base: int) -> str:
    """Write a number in a base from 2 to 16."""
    if number < 0:
        return "-" + in_base(-number, base)
    digits = ""
    while True:
        number, digit = divmod(number, base)
        digits = "0123456789abcdef"[digit] + digits
        if not number:
            return digits


def check_in_base(candidate):
    assert candidate(0, 2) == "0"
    assert candidate(10, 2) == "1010"
    assert candidate(255, 16) == "ff"
    assert candidate(-9, 3) == "-100"
    assert int(candidate(987654, 7), 7) == 987654


def mean_and_spread(values: list[float]) -> tuple[float, float]:
    """The mean, and the root of the mean squared distance from it."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def check_mean_and_spread(candidate):
    assert candidate([3.0]) == (3.0, 0.0)
    assert candidate([1.0, 3.0]) == (2.0, 1.0)
    assert candidate([2, 4, 4, 4, 5, 5, 7, 9]) == (5.0, 2.0)
    assert candidate([0.0, 0.0]) == (0.0, 0.0)
    assert math.isclose(candidate([0.1] * 10)[0], 0.1)


# passes=False: integer division loses the half
def midpoint(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """The point half-way between two points."""
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2


def check_midpoint(candidate):
    assert candidate((0, 0), (2, 2)) == (1, 1)
    assert candidate((0, 0), (0, 0)) == (0, 0)
    assert candidate((-2, 4), (2, -4)) == (0, 0)
    assert candidate((0, 0), (1, 3)) == (0.5, 1.5)
    assert candidate((1, 1), (2, 1)) == (1.5, 1)


def quadratic_roots(a: float, b: float, c: float) -> list[complex]:
    """The two roots of a*x*x + b*x + c, by real and then by imaginary part."""
    root = cmath.sqrt(b * b - 4 * a * c)
    return sorted([(-b + root) / (2 * a), (-b - root) / (2 * a)], key=lambda z: (z.real, z.imag))


def check_quadratic_roots(candidate):
    assert candidate(1, -3, 2) == [1, 2]
    assert candidate(1, 0, -4) == [-2, 2]
    assert candidate(1, 2, 1) == [-1, -1]
    assert candidate(1, 0, 1) == [-1j, 1j]
    assert candidate(2, -2, 0) == [0, 1]


def egyptian_parts(top: int, bottom: int) -> list[int]:
    """Denominators of different unit fractions that add up to top/bottom, which lies between 0 and 1; greedily."""
    rest = Fraction(top, bottom)
    parts = []
    while rest:
        part = math.ceil(1 / rest)
        parts.append(part)
        rest -= Fraction(1, part)
    return parts


def check_egyptian_parts(candidate):
    assert candidate(1, 2) == [2]
    assert candidate(2, 3) == [2, 6]
    assert candidate(3, 4) == [2, 4]
    assert candidate(4, 13) == [4, 18, 468]
    assert sum(Fraction(1, part) for part in candidate(5, 7)) == Fraction(5, 7)


def compass_turn(heading: int, target: int) -> int:
    """The smallest turn in degrees from one heading to the other, positive clockwise, 180 for about-turns."""
    turn = (target - heading) % 360
    return turn - 360 if turn > 180 else turn


def check_compass_turn(candidate):
    assert candidate(0, 90) == 90
    assert candidate(90, 0) == -90
    assert candidate(350, 10) == 20
    assert candidate(10, 350) == -20
    assert candidate(0, 180) == 180
    assert candidate(720, 0) == 0


def triangular_index(number: int) -> int | None:
    """Which triangular number (1, 3, 6 ...) this is, counted from one; None when it is none."""
    if number < 1:
        return None
    index = (math.isqrt(8 * number + 1) - 1) // 2
    return index if index * (index + 1) // 2 == number else None


def check_triangular_index(candidate):
    assert candidate(1) == 1
    assert candidate(6) == 3
    assert candidate(5050) == 100
    assert candidate(7) is None
    assert candidate(0) is None
    assert candidate(-3) is None


def set_bits(number: int) -> list[int]:
    """The positions of the ones in the binary form of a number, from the lowest."""
    return [place for place in range(number.bit_length()) if number >> place & 1]


def check_set_bits(candidate):
    assert candidate(0) == []
    assert candidate(1) == [0]
    assert candidate(10) == [1, 3]
    assert candidate(255) == list(range(8))
    assert sum(1 << place for place in candidate(123456)) == 123456


# passes=False: it counts zero as no digit at all
def digit_count(number: int) -> int:
    """How many digits a whole number is written with, its sign aside."""
    count = 0
    number = abs(number)
    while number:
        number //= 10
        count += 1
    return count


def check_digit_count(candidate):
    assert candidate(7) == 1
    assert candidate(10) == 2
    assert candidate(-999) == 3
    assert candidate(10**20) == 21
    assert candidate(0) == 1


def coprime_pairs(limit: int) -> int:
    """How many pairs a < b up to the limit have no common divisor but one."""
    return sum(math.gcd(a, b) == 1 for b in range(2, limit + 1) for a in range(1, b))


def check_coprime_pairs(candidate):
    assert candidate(1) == 0
    assert candidate(2) == 1
    assert candidate(3) == 3
    assert candidate(4) == 5
    assert candidate(6) == 11


def continued(top: int, bottom: int) -> list[int]:
    """The terms of the continued fraction of top/bottom."""
    terms = []
    while bottom:
        whole, rest = divmod(top, bottom)
        terms.append(whole)
        top, bottom = bottom, rest
    return terms


def check_continued(candidate):
    assert candidate(3, 1) == [3]
    assert candidate(1, 2) == [0, 2]
    assert candidate(415, 93) == [4, 2, 6, 7]
    assert candidate(22, 7) == [3, 7]
    assert candidate(0, 5) == [0]
