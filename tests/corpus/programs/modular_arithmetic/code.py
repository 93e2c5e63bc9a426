"""Arithmetic modulo a number: powers, inverses and systems of remainders."""


def power(base: int, exponent: int, modulus: int) -> int:
    """base ** exponent % modulus by squaring; a negative exponent means the inverse's power."""
    if exponent < 0:
        return power(inverse(base, modulus), -exponent, modulus)
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


def extended_gcd(a: int, b: int) -> tuple[int, int, int]:
    """(g, x, y) where g is the greatest common divisor and a * x + b * y == g."""
    old_r, r = a, b
    old_x, x = 1, 0
    old_y, y = 0, 1
    while r != 0:
        quotient = old_r // r
        old_r, r = r, old_r - quotient * r
        old_x, x = x, old_x - quotient * x
        old_y, y = y, old_y - quotient * y
    return old_r, old_x, old_y


def inverse(number: int, modulus: int) -> int:
    """The number from 0 to modulus - 1 that, multiplied, leaves 1; ZeroDivisionError if there is none."""
    divisor, x, _ = extended_gcd(number % modulus, modulus)
    if divisor != 1:
        raise ZeroDivisionError(f"{number} has no inverse modulo {modulus}")
    return x % modulus


def solve(remainders: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The smallest n with n % modulus == remainder for all (remainder, modulus), and the step to the next one.

    None when they contradict each other.
    """
    answer, step = 0, 1
    for remainder, modulus in remainders:
        divisor, x, _ = extended_gcd(step, modulus)
        difference = remainder - answer
        if difference % divisor != 0:
            return None
        answer += difference // divisor * x % (modulus // divisor) * step
        step *= modulus // divisor
        answer %= step
    return answer, step
