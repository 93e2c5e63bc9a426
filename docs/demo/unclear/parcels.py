"""Parcels for a shipment of bottles."""

PER_PARCEL = 6


def parcels_for(bottles: int) -> int:
    """How many parcels that many bottles are."""
    return bottles * PER_PARCEL
