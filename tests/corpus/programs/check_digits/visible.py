import pytest
from subject import card_is_valid, digits_of, ean_digit, isbn13, luhn_sum


def test_digits():
    assert digits_of("12-3 4") == [1, 2, 3, 4]
    with pytest.raises(ValueError):
        digits_of("12a")


def test_luhn_sum():
    assert luhn_sum([7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]) == 70
    assert luhn_sum([5, 9]) == 10


def test_card():
    assert card_is_valid("4111 1111 1111 1111")
    assert not card_is_valid("4111 1111 1111 1112")


def test_card_length_and_letters():
    assert not card_is_valid("0")
    assert not card_is_valid("4111x1111")


def test_ean():
    assert ean_digit([4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3]) == 1
    with pytest.raises(ValueError):
        ean_digit([1, 2])


def test_isbn():
    assert isbn13("0-306-40615-2") == "9780306406157"
    assert isbn13("097522980X") == "9780975229804"


def test_isbn_with_a_wrong_digit():
    with pytest.raises(ValueError):
        isbn13("0-306-40615-3")
