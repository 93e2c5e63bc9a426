import pytest
from subject import from_roman, to_roman

UNITS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]


def reference(number):
    tens = [u.translate(str.maketrans("IVX", "XLC")) for u in UNITS]
    hundreds = [u.translate(str.maketrans("IVX", "CDM")) for u in UNITS]
    return "M" * (number // 1000) + hundreds[number // 100 % 10] + tens[number // 10 % 10] + UNITS[number % 10]


def test_all_of_them():
    for number in [*range(1, 4000, 29), *range(1, 50), 400, 444, 500, 900, 949, 3888, 3999]:
        numeral = reference(number)
        assert to_roman(number) == numeral
        assert from_roman(numeral) == number
        assert from_roman(numeral.lower() + "\n") == number


def test_unusual_forms():
    for text in ("VV", "IXI", "IIX", "VX", "XCX", "LL", "CDC", "DM", "IVI", "MIM", "XXXX"):
        with pytest.raises(ValueError, match="no Roman numeral"):
            from_roman(text)


def test_too_large():
    with pytest.raises(ValueError):
        from_roman("MMMM")
    with pytest.raises(ValueError, match="4000 is not between 1 and 3999"):
        to_roman(4000)


def test_foreign_letters():
    with pytest.raises(ValueError, match="Z is no Roman sign"):
        from_roman("XZ")
    with pytest.raises(ValueError):
        from_roman("X V")
    with pytest.raises(ValueError):
        from_roman("   ")
    assert from_roman("i") == 1
