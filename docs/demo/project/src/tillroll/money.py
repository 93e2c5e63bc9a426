"""Amounts of money as whole cents."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal


def parse_amount(text: str) -> int:
    """The cents of an amount such as "12", "12.5" or "1,299.00"."""
    cleaned = text.strip().replace(",", "")
    try:
        amount = Decimal(cleaned)
    except ArithmeticError:
        raise ValueError(f"not an amount: {text!r}") from None
    cents = amount * 100
    if not amount.is_finite() or cents != cents.to_integral_value():
        raise ValueError(f"not a whole number of cents: {text!r}")
    return int(cents)


def format_amount(cents: int) -> str:
    """The amount with thousands separated: 129900 is "1,299.00"."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02d}"


def percent_of(cents: int, percent: Decimal) -> int:
    """That share of the amount, rounded to whole cents, halves to the even one."""
    share = Decimal(cents) * percent / 100
    return int(share.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def split(cents: int, weights: list[int]) -> list[int]:
    """The amount in parts by weight, to the cent; the cents left over go to the parts that were cut most."""
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative, and one must be above zero")
    parts = [cents * weight // total for weight in weights]
    cut = [cents * weight % total for weight in weights]
    left = cents - sum(parts)
    for index in sorted(range(len(weights)), key=lambda i: (-cut[i], i))[:left]:
        parts[index] += 1
    return parts
