"""Recipes for more or fewer people, with amounts as cooks write them."""

from __future__ import annotations

import re
from fractions import Fraction

NICE = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔"}
_LINE = re.compile(r"(\d+ \d+/\d+|\d+/\d+|\d+(?:\.\d+)?)?\s*(g|kg|ml|l|tsp|tbsp)?\s+(.+)")
LARGER = {"g": ("kg", 1000), "ml": ("l", 1000), "tsp": ("tbsp", 3)}


def amount(text: str) -> Fraction:
    """The value of 2, 1.5, 3/4 or 1 1/2."""
    return sum((Fraction(part) for part in text.split()), Fraction(0))


def show(value: Fraction) -> str:
    """The value with a sign for common fractions, or with at most two decimals."""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    if rest in NICE:
        return f"{whole or ''}{NICE[rest]}"
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def scale(line: str, factor: Fraction) -> str:
    """A line of a recipe for another number of people; one without an amount stays as it is.

    Grams, millilitres and teaspoons become the next larger unit when there are enough of them.
    """
    match = _LINE.fullmatch(f" {line.strip()}" if not line.strip()[:1].isdigit() else line.strip())
    if match is None or match[1] is None:
        return line.strip()
    value = amount(match[1]) * factor
    unit = match[2]
    if unit in LARGER and value >= LARGER[unit][1]:
        unit, size = LARGER[unit]
        value /= size
    parts = [show(value), unit, match[3]]
    return " ".join(part for part in parts if part)


def for_people(recipe: dict, people: int) -> dict:
    """The recipe for so many people; the given one isn't changed. ValueError for nobody."""
    if people < 1:
        raise ValueError("a recipe is for one at least")
    factor = Fraction(people, recipe["people"])
    return {**recipe, "people": people, "lines": [scale(line, factor) for line in recipe["lines"]]}


def shopping_list(recipes: list[dict]) -> list[str]:
    """The lines of all recipes; amounts of the same thing in the same unit are added up, in order of the things."""
    totals: dict[tuple[str, str], Fraction] = {}
    for recipe in recipes:
        for line in recipe["lines"]:
            match = _LINE.fullmatch(line)
            number, unit, thing = match.groups() if match else (None, None, line)
            key = (thing, unit or "")
            totals[key] = totals.get(key, Fraction(0)) + (amount(number) if number else 0)
    return [
        " ".join(filter(None, [show(value) if value else "", unit, thing]))
        for (thing, unit), value in sorted(totals.items())
    ]
