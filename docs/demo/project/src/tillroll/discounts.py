"""Volume discounts: the more of one article is ordered, the more percent come off."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Tier:
    """From `minimum` pieces on, `percent` come off."""

    minimum: int
    percent: Decimal


def parse_tiers(text: str) -> tuple[Tier, ...]:
    """Tiers such as "12:5 48:7.5", sorted by their minimum."""
    tiers = []
    for word in text.split():
        minimum, colon, percent = word.partition(":")
        if not colon or not minimum.isdigit():
            raise ValueError(f"not a tier: {word!r}")
        tiers.append(Tier(int(minimum), Decimal(percent)))
    return tuple(sorted(tiers, key=lambda tier: tier.minimum))


def discount_for(tiers: tuple[Tier, ...], pieces: int) -> Decimal:
    """The percent that come off for that many pieces: those of the highest tier that is reached."""
    percent = Decimal(0)
    for tier in tiers:
        if pieces > tier.minimum:
            percent = tier.percent
    return percent


def pieces_to_next(tiers: tuple[Tier, ...], pieces: int) -> int | None:
    """How many pieces more reach the next tier; None when the highest is reached."""
    for tier in tiers:
        if pieces < tier.minimum:
            return tier.minimum - pieces
    return None
