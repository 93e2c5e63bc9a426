"""Numbers written in other bases."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class BadDigit(ValueError):
    """A character that is no digit of the base, and where it stands."""

    def __init__(self, digit, place, base):
        super().__init__(f"{digit!r} at {place} is no digit in base {base}")
        self.digit = digit
        self.place = place


def check_base(base):
    """ValueError for a base for which there are no digits."""
    if not 2 <= base <= len(DIGITS):
        raise ValueError(f"base {base} is not between 2 and {len(DIGITS)}")


def write(number, base, width=0, group=None):
    """The number's digits, filled with zeros to the width and parted by _ into groups, counted from the right."""
    check_base(base)
    negative, number = number < 0, abs(number)
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(DIGITS[digit])
    text = "".join(reversed(digits)).rjust(max(width, 1), "0")
    if group:
        first = len(text) % group
        groups = [text[:first]] if first else []
        groups += [text[i : i + group] for i in range(first, len(text), group)]
        text = "_".join(groups)
    return "-" + text if negative else text


def read(text, base):
    """The number; letters may be large or small, and _ may part the digits."""
    check_base(base)
    body = text.strip().lower()
    sign = -1 if body.startswith("-") else 1
    body = body.removeprefix("-").replace("_", "")
    if not body:
        raise ValueError("no digits")
    number = 0
    for place, digit in enumerate(body):
        value = DIGITS.find(digit)
        if value < 0 or value >= base:
            raise BadDigit(digit, place, base)
        number = number * base + value
    return sign * number


def convert(text, source, target):
    """The same number in another base."""
    return write(read(text, source), target)
