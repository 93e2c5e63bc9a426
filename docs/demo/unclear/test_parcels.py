from parcels import parcels_for


def test_two_parcels() -> None:
    assert parcels_for(12) == 2
