"""Whole numbers in English words."""

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
SMALL = ONES + TEENS
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = ["", "thousand", "million", "billion"]


def _below_thousand(number):
    words = []
    hundreds, rest = divmod(number, 100)
    if hundreds:
        words.append(f"{SMALL[hundreds]} hundred")
    if rest and hundreds:
        words.append("and")
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(TENS[tens] + (f"-{SMALL[ones]}" if ones else ""))
    elif rest:
        words.append(SMALL[rest])
    return " ".join(words)


def in_words(number):
    """The number in words, such as 'two thousand and five'; OverflowError from a trillion on."""
    if number == 0:
        return SMALL[0]
    if number < 0:
        return f"minus {in_words(-number)}"
    if number >= 1000 ** len(SCALES):
        raise OverflowError(f"{number} is too large")
    parts = []
    rest, scale = number, 0
    while rest:
        rest, group = divmod(rest, 1000)
        if group:
            parts.append(f"{_below_thousand(group)} {SCALES[scale]}".strip())
        scale += 1
    parts.reverse()
    if 0 < number % 1000 < 100 and len(parts) > 1:
        parts.insert(-1, "and")
    return " ".join(parts)


def ordinal(number):
    """1st, 2nd, 3rd, 4th and so on."""
    if 10 <= number % 100 <= 20:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def counted(number, noun, plural=None):
    """A number of things: no apples, one apple, 13 apples; numbers up to twelve are words."""
    if number == 1:
        return f"one {noun}"
    word = "no" if number == 0 else in_words(number) if number <= 12 else str(number)
    return f"{word} {plural or noun + 's'}"
