"""Amounts of money as text."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

STYLES = {
    "EUR": ("€", ".", ",", True),
    "USD": ("$", ",", ".", False),
    "GBP": ("£", ",", ".", False),
    "CHF": ("CHF ", "'", ".", False),
}


def grouped(digits: str, mark: str, size: int = 3) -> str:
    """Digits in groups, counted from the right."""
    groups = []
    while len(digits) > size:
        groups.insert(0, digits[-size:])
        digits = digits[:-size]
    return mark.join([digits, *groups])


def show(amount: Decimal | str, currency: str = "EUR", signed: bool = False) -> str:
    """The amount as written for the currency, with two places; the sign comes first, a plus only with `signed`."""
    symbol, group_mark, point, behind = STYLES[currency]
    value = Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    whole, cents = str(abs(value)).split(".")
    text = grouped(whole, group_mark) + point + cents
    text = f"{text} {symbol}" if behind else f"{symbol}{text}"
    if value < 0:
        return "-" + text
    return "+" + text if signed and value > 0 else text


def read(text: str, currency: str = "EUR") -> Decimal:
    """The amount of a text in the currency's style; ValueError for what is none."""
    symbol, group_mark, point, _ = STYLES[currency]
    body = text.replace(symbol.strip(), "").replace(" ", "")
    form = rf"[+-]?\d{{1,3}}(?:{re.escape(group_mark)}?\d{{3}})*(?:{re.escape(point)}\d{{1,2}})?"
    if not re.fullmatch(form, body):
        raise ValueError(f"{text!r} is no amount in {currency}")
    return Decimal(body.replace(group_mark, "").replace(point, "."))


def short(amount: int) -> str:
    """A large amount in short: 950, 1.2k, 3.4M; cut off, not rounded."""
    sign, size = ("-" if amount < 0 else ""), abs(amount)
    for limit, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if size >= limit:
            whole, tenth = divmod(size * 10 // limit, 10)
            return f"{sign}{whole}.{tenth}{letter}" if tenth else f"{sign}{whole}{letter}"
    return f"{sign}{size}"
