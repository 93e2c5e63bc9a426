"""A cipher with a key word: each letter is moved along the alphabet by the key's next letter."""

from itertools import cycle
from string import ascii_lowercase


class BadKey(ValueError):
    """A key without letters, or with anything else in it."""


def _shift(letter: str, by: int) -> str:
    base = ord("a") if letter.islower() else ord("A")
    return chr((ord(letter) - base + by) % 26 + base)


def _shifts(key: str) -> list[int]:
    if not key or not (key.isascii() and key.isalpha()):
        raise BadKey(f"{key!r} is no word")
    return [ascii_lowercase.index(letter) for letter in key.lower()]


def encrypt(text: str, key: str) -> str:
    """The secret text; whatever is no letter of the English alphabet stays, and uses up none of the key."""
    shifts = cycle(_shifts(key))
    return "".join(_shift(c, next(shifts)) if c.isascii() and c.isalpha() else c for c in text)


def decrypt(secret: str, key: str) -> str:
    """The text of a secret."""
    opposite = "".join(_shift("a", -by) for by in _shifts(key))
    return encrypt(secret, opposite)


def find_key(text: str, secret: str) -> str:
    """The shortest key that makes the secret of the text; BadKey if there is none."""
    letters = [
        ascii_lowercase[(ord(s.lower()) - ord(t.lower())) % 26]
        for t, s in zip(text, secret, strict=True)
        if t.isascii() and t.isalpha()
    ]
    for size in range(1, len(letters) + 1):
        key = "".join(letters[:size])
        if encrypt(text, key) == secret:
            return key
    raise BadKey("no key makes this of the text")
