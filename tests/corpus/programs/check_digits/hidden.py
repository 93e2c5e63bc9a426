import random

import pytest
from subject import card_is_valid, digits_of, ean_digit, isbn13, luhn_sum


def test_luhn_finds_each_wrong_digit():
    rng = random.Random(0)
    for _ in range(30):
        body = [rng.randint(0, 9) for _ in range(rng.randint(11, 18))]
        last = next(d for d in range(10) if luhn_sum([*body, d]) % 10 == 0)
        number = "".join(map(str, [*body, last]))
        assert card_is_valid(number)
        place = rng.randrange(len(number))
        wrong = str((int(number[place]) + rng.randint(1, 9)) % 10)
        assert not card_is_valid(number[:place] + wrong + number[place + 1 :])


def test_luhn_by_strings():
    rng = random.Random(1)
    for _ in range(50):
        digits = [rng.randint(0, 9) for _ in range(rng.randint(0, 9))]
        parts = "".join(str(d * 2) if i % 2 else str(d) for i, d in enumerate(digits[::-1]))
        assert luhn_sum(digits) == sum(map(int, parts))


def test_lengths():
    assert card_is_valid("0" * 12)
    assert card_is_valid("0" * 19)
    assert not card_is_valid("0" * 11)
    assert not card_is_valid("0" * 20)
    assert not card_is_valid("")
    assert not card_is_valid("000000-000000x")


def test_ean_property():
    rng = random.Random(2)
    for _ in range(50):
        digits = [rng.randint(0, 9) for _ in range(12)]
        whole = [*digits, ean_digit(digits)]
        assert (sum(whole[::2]) + 3 * sum(whole[1::2])) % 10 == 0
    assert ean_digit([0] * 12) == 0
    with pytest.raises(ValueError, match="twelve"):
        ean_digit([0] * 13)


def test_isbns():
    assert isbn13("3-16-148410-X") == "9783161484100"
    assert isbn13("0-8044-2957-x") == "9780804429573"
    with pytest.raises(ValueError, match="the last digit is 1, not X"):
        isbn13("0804429571")
    with pytest.raises(ValueError, match="nine"):
        isbn13("12345")
    with pytest.raises(ValueError, match="is no digit"):
        isbn13("08044X957X")


def test_digits_alone():
    assert digits_of(" - ") == []
    with pytest.raises(ValueError, match="'²'"):
        digits_of("1²")
