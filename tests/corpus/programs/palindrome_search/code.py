"""Palindromes in texts and numbers."""

from collections.abc import Iterator


def is_palindrome(text: str) -> bool:
    """Whether the letters and digits read the same both ways, whatever their case; False if there are none."""
    left, right = 0, len(text) - 1
    seen = False
    while left <= right:
        if not text[left].isalnum():
            left += 1
        elif not text[right].isalnum():
            right -= 1
        elif text[left].lower() != text[right].lower():
            return False
        else:
            seen = True
            left += 1
            right -= 1
    return seen


def longest_palindrome(text: str) -> str:
    """The longest run of characters that reads the same both ways, of several the first."""
    best = ""
    for center in range(len(text)):
        for left, right in ((center, center), (center, center + 1)):
            while left >= 0 and right < len(text) and text[left] == text[right]:
                left -= 1
                right += 1
            if right - left - 1 > len(best):
                best = text[left + 1 : right]
    return best


def next_palindrome(number: int) -> int:
    """The smallest number above the given one whose digits read the same both ways."""
    if number < 9:
        return max(number + 1, 0)
    digits = str(number + 1)
    half = digits[: (len(digits) + 1) // 2]
    candidate = half + half[: len(digits) // 2][::-1]
    if int(candidate) > number:
        return int(candidate)
    half = str(int(half) + 1)
    return int(half + half[: len(digits) // 2][::-1])


def between(low: int, high: int) -> Iterator[int]:
    """The palindromes of low <= n < high."""
    number = next_palindrome(low - 1)
    while number < high:
        yield number
        number = next_palindrome(number)
