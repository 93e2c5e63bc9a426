import random

from subject import between, is_palindrome, longest_palindrome, next_palindrome


def test_texts():
    rng = random.Random(0)
    for _ in range(200):
        text = "".join(rng.choice("abA ,") for _ in range(rng.randint(0, 6)))
        letters = [c.lower() for c in text if c.isalnum()]
        assert is_palindrome(text) == (letters != [] and letters == letters[::-1])
        runs = [text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)]
        expected = max((r for r in runs if r == r[::-1]), key=len, default="")
        assert longest_palindrome(text) == expected


def test_numbers():
    palindromes = [n for n in range(12500) if str(n) == str(n)[::-1]]
    found = -1
    for expected in palindromes:
        found = next_palindrome(found)
        assert found == expected
    rng = random.Random(1)
    for _ in range(100):
        low = rng.randint(-5, 2000)
        high = rng.randint(low - 3, low + 200)
        assert list(between(low, high)) == [n for n in palindromes if low <= n < high]


def test_nines():
    for size in range(1, 8):
        assert next_palindrome(10**size - 1) == 10**size + 1
        assert next_palindrome(10**size - 2) == 10**size - 1


def test_below_zero():
    assert next_palindrome(-1) == 0
    assert next_palindrome(-50) == 0
    assert next_palindrome(0) == 1
    assert next_palindrome(10) == 11
    assert list(between(5, 5)) == []
    assert next(between(-3, 3)) == 0
