"""Words and texts."""

VOWELS = "aeiou"


def is_palindrome(text):
    """Whether the letters read the same both ways."""
    letters = [c.lower() for c in text if c.isalnum()]
    return letters == letters[::-1]


def count_vowels(text):
    """How many vowels the text holds."""
    return sum(1 for c in text.lower() if c in VOWELS)


def pig_latin(word):
    """The word in Pig Latin."""
    if word[0] in VOWELS:
        return word + "way"
    for index, letter in enumerate(word):
        if letter in VOWELS:
            return word[index:] + word[:index] + "ay"
    return word + "ay"


def wrap(text, width):
    """The text in lines of at most `width` characters, broken at spaces."""
    lines = []
    current = ""
    for word in text.split():
        if current and len(current) + 1 + len(word) > width:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    if current:
        lines.append(current)
    return lines


def caesar(text, shift):
    """The text with each letter moved along the alphabet."""
    out = []
    for c in text:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            out.append(chr((ord(c) - base + shift) % 26 + base))
        else:
            out.append(c)
    return "".join(out)


def most_common(text):
    """The word that is used most, the first of them in the alphabet."""
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return min(counts, key=lambda word: (-counts[word], word))
