"""Check digits, which show that a number was mistyped."""


def digits_of(text: str) -> list[int]:
    """The digits of a number in which spaces and dashes may stand; ValueError for anything else."""
    digits = []
    for character in text:
        if character in " -":
            continue
        if not ("0" <= character <= "9"):
            raise ValueError(f"{character!r} is no digit")
        digits.append(int(character))
    return digits


def luhn_sum(digits: list[int]) -> int:
    """The sum of the digits, where each second one from the right is doubled, less 9 when it's above 9."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        if position % 2 == 1:
            doubled = digit * 2
            total += doubled - 9 if doubled > 9 else doubled
        else:
            total += digit
    return total


def card_is_valid(number: str) -> bool:
    """Whether a card's number, of 12 to 19 digits, passes the Luhn check."""
    try:
        digits = digits_of(number)
    except ValueError:
        return False
    return 12 <= len(digits) <= 19 and luhn_sum(digits) % 10 == 0


def ean_digit(digits: list[int]) -> int:
    """The thirteenth digit of an EAN from its first twelve."""
    if len(digits) != 12:
        raise ValueError("an EAN has twelve digits before the last")
    total = sum(digit * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return -total % 10


def isbn13(isbn10: str) -> str:
    """The ISBN with 13 digits of one with 10; its own check digit may be an X."""
    body, last = isbn10.replace("-", "")[:-1], isbn10[-1]
    digits = digits_of(body)
    if len(digits) != 9:
        raise ValueError("an ISBN has nine digits before the last")
    weighted = sum((10 - index) * digit for index, digit in enumerate(digits))
    expected = "0123456789X"[-weighted % 11]
    if last.upper() != expected:
        raise ValueError(f"the last digit is {last}, not {expected}")
    digits = [9, 7, 8, *digits]
    return "".join(map(str, digits)) + str(ean_digit(digits))
