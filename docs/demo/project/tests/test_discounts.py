from decimal import Decimal

import pytest

from tillroll.discounts import Tier, discount_for, parse_tiers, pieces_to_next

TIERS = (Tier(12, Decimal(5)), Tier(48, Decimal("7.5")))


def test_tiers_are_sorted_by_their_minimum():
    assert parse_tiers("48:7.5 12:5") == TIERS


@pytest.mark.parametrize("text", ["12", "x:5", ":5"])
def test_what_is_no_tier_is_refused(text):
    with pytest.raises(ValueError):
        parse_tiers(text)


def test_few_pieces_get_no_discount():
    assert discount_for(TIERS, 1) == 0
    assert discount_for(TIERS, 11) == 0


def test_more_pieces_get_more_discount():
    assert discount_for(TIERS, 20) == 5
    assert discount_for(TIERS, 100) == Decimal("7.5")


def test_no_tiers_no_discount():
    assert discount_for((), 1000) == 0


def test_pieces_to_next():
    assert pieces_to_next(TIERS, 10) == 2
    assert pieces_to_next(TIERS, 12) == 36
    assert pieces_to_next(TIERS, 48) is None
