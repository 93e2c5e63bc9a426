import pytest
from subject import from_roman, to_roman


def test_to_roman():
    assert to_roman(1994) == "MCMXCIV"
    assert to_roman(2024) == "MMXXIV"


def test_small_ones():
    assert [to_roman(n) for n in (1, 3, 4, 5, 9, 10)] == ["I", "III", "IV", "V", "IX", "X"]


def test_limits():
    assert to_roman(3999) == "MMMCMXCIX"
    for number in (0, 4000, -1):
        with pytest.raises(ValueError):
            to_roman(number)


def test_from_roman():
    assert from_roman("MCMXCIV") == 1994
    assert from_roman("XLII") == 42


def test_small_letters():
    assert from_roman(" xiv ") == 14


def test_not_roman():
    for text in ("ABC", "IIII", "IC", ""):
        with pytest.raises(ValueError):
            from_roman(text)
