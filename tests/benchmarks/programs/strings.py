"""Programs about text."""

import string
import textwrap
import unicodedata
from collections import Counter


def squeeze_blanks(text: str) -> str:
    """Replace every run of spaces and tabs by one space, and drop those at both ends."""
    return " ".join(text.split())


def check_squeeze_blanks(candidate):
    assert candidate("") == ""
    assert candidate("   ") == ""
    assert candidate("one") == "one"
    assert candidate("  one   two ") == "one two"
    assert candidate("a\t\tb \t c") == "a b c"


def initials(full_name: str) -> str:
    """The first letter of each part of a name in upper case, each followed by a dot; hyphens part names as well."""
    return "".join(f"{part[0].upper()}." for part in full_name.replace("-", " ").split())


def check_initials(candidate):
    assert candidate("mara okafor") == "M.O."
    assert candidate("Jean-Luc Brandt") == "J.L.B."
    assert candidate("  solo ") == "S."
    assert candidate("") == ""
    assert candidate("a b c d") == "A.B.C.D."


def mirror_case(text: str) -> str:
    """Swap the case of each letter and turn the whole text around."""
    return text.swapcase()[::-1]


def check_mirror_case(candidate):
    assert candidate("abC") == "cBA"
    assert candidate("") == ""
    assert candidate("Hello 1") == "1 OLLEh"
    assert candidate("xX") == "xX"
    assert candidate(candidate("Any Text")) == "Any Text"


def longest_run(text: str) -> tuple[str, int]:
    """The character that is repeated most often without a break, and how often; the first of equals."""
    best, length, start = "", 0, 0
    for index in range(1, len(text) + 1):
        if index == len(text) or text[index] != text[start]:
            if index - start > length:
                best, length = text[start], index - start
            start = index
    return best, length


def check_longest_run(candidate):
    assert candidate("") == ("", 0)
    assert candidate("a") == ("a", 1)
    assert candidate("aabbbcc") == ("b", 3)
    assert candidate("xxyy") == ("x", 2)
    assert candidate("abcddd") == ("d", 3)
    assert candidate("1112111") == ("1", 3)


def hide_middle(word: str, mark: str = "*") -> str:
    """Put a mark in place of each letter but the first and the last."""
    if len(word) < 3:
        return word
    return word[0] + mark * (len(word) - 2) + word[-1]


def check_hide_middle(candidate):
    assert candidate("secret") == "s****t"
    assert candidate("ab") == "ab"
    assert candidate("a") == "a"
    assert candidate("") == ""
    assert candidate("abc", "#") == "a#c"


def shift_letters(text: str, by: int) -> str:
    """Move each ASCII letter along the alphabet, around its end, and leave the rest as it is."""
    moved = []
    for letter in text:
        alphabet = string.ascii_uppercase if letter.isupper() else string.ascii_lowercase
        place = alphabet.find(letter)
        moved.append(alphabet[(place + by) % 26] if place >= 0 else letter)
    return "".join(moved)


def check_shift_letters(candidate):
    assert candidate("abc", 1) == "bcd"
    assert candidate("xyz", 3) == "abc"
    assert candidate("Zebra!", 1) == "Afcsb!"
    assert candidate("same", 0) == "same"
    assert candidate("same", 26) == "same"
    assert candidate(candidate("There and back", 7), -7) == "There and back"


def strip_accents(text: str) -> str:
    """Leave out the marks above and below letters."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def check_strip_accents(candidate):
    assert candidate("plain") == "plain"
    assert candidate("\u00e9t\u00e9") == "ete"
    assert candidate("na\u00efve") == "naive"
    assert candidate("\u00c5ngstr\u00f6m") == "Angstrom"
    assert candidate("") == ""


def is_shuffle(one: str, other: str) -> bool:
    """Whether both texts are made of the same letters, whatever the case, the order and the blanks."""
    count = [Counter(text.lower().replace(" ", "")) for text in (one, other)]
    return count[0] == count[1]


def check_is_shuffle(candidate):
    assert candidate("listen", "Silent") is True
    assert candidate("dormitory", "dirty room") is True
    assert candidate("aab", "abb") is False
    assert candidate("", " ") is True
    assert candidate("abc", "abcd") is False


def snake_from_camel(name: str) -> str:
    """Turn aNameLikeThis into a_name_like_this."""
    out = []
    for index, letter in enumerate(name):
        if letter.isupper() and index:
            out.append("_")
        out.append(letter.lower())
    return "".join(out)


def check_snake_from_camel(candidate):
    assert candidate("camelCase") == "camel_case"
    assert candidate("CamelCase") == "camel_case"
    assert candidate("plain") == "plain"
    assert candidate("aBC") == "a_b_c"
    assert candidate("") == ""


# passes=False: the first letter of the whole is made large too
def camel_from_snake(name: str) -> str:
    """Turn a_name_like_this into aNameLikeThis."""
    return "".join(part.capitalize() for part in name.split("_"))


def check_camel_from_snake(candidate):
    assert candidate("snake_case") == "snakeCase"
    assert candidate("plain") == "plain"
    assert candidate("a_b_c") == "aBC"
    assert candidate("") == ""
    assert candidate("two__lines") == "twoLines"


def words_by_length(text: str) -> dict[int, list[str]]:
    """The words of a text under their length, in their order."""
    found: dict[int, list[str]] = {}
    for word in text.split():
        found.setdefault(len(word), []).append(word)
    return found


def check_words_by_length(candidate):
    assert candidate("") == {}
    assert candidate("a bb c") == {1: ["a", "c"], 2: ["bb"]}
    assert candidate("one two") == {3: ["one", "two"]}
    assert candidate("dup dup") == {3: ["dup", "dup"]}
    assert list(candidate("four six")) == [4, 3]


def vowel_share(text: str) -> float:
    """Which share of the letters are vowels; 0.0 for a text without letters."""
    letters = [letter for letter in text.lower() if letter.isalpha()]
    return sum(letter in "aeiou" for letter in letters) / len(letters) if letters else 0.0


def check_vowel_share(candidate):
    assert candidate("") == 0.0
    assert candidate("123 !") == 0.0
    assert candidate("aeiou") == 1.0
    assert candidate("Ab") == 0.5
    assert abs(candidate("tea for two") - 4 / 9) < 1e-9


def wrap_quote(text: str, width: int) -> list[str]:
    """Break a text into lines of at most this width, each with "> " before it."""
    return textwrap.wrap(text, width, initial_indent="> ", subsequent_indent="> ")


def check_wrap_quote(candidate):
    assert candidate("", 10) == []
    assert candidate("short", 20) == ["> short"]
    assert candidate("one two three", 9) == ["> one two", "> three"]
    assert all(len(line) <= 12 for line in candidate("many small words in a row make lines", 12))
    assert candidate("a b", 3) == ["> a", "> b"]


def interleave(one: str, other: str) -> str:
    """Take letters from both in turn; what is left of the longer comes last."""
    shorter = min(len(one), len(other))
    mixed = "".join(a + b for a, b in zip(one, other, strict=False))
    return mixed + one[shorter:] + other[shorter:]


def check_interleave(candidate):
    assert candidate("", "") == ""
    assert candidate("ace", "bdf") == "abcdef"
    assert candidate("a", "bcd") == "abcd"
    assert candidate("xyz", "") == "xyz"
    assert candidate("135", "2") == "1235"


def common_start(words: list[str]) -> str:
    """The longest text with which all of the words begin."""
    if not words:
        return ""
    low, high = min(words), max(words)
    for index, letter in enumerate(low):
        if letter != high[index]:
            return low[:index]
    return low


def check_common_start(candidate):
    assert candidate([]) == ""
    assert candidate(["alone"]) == "alone"
    assert candidate(["treadle", "tread", "treat"]) == "trea"
    assert candidate(["x", "y"]) == ""
    assert candidate(["same", "same"]) == "same"
    assert candidate(["", "a"]) == ""


def count_overlapping(text: str, part: str) -> int:
    """At how many places the part begins, places that overlap included."""
    return sum(text.startswith(part, index) for index in range(len(text) - len(part) + 1))


def check_count_overlapping(candidate):
    assert candidate("banana", "ana") == 2
    assert candidate("aaaa", "aa") == 3
    assert candidate("abc", "d") == 0
    assert candidate("", "x") == 0
    assert candidate("abc", "abcd") == 0


# passes=False: str.title also raises the small words that are to stay small
def headline(text: str, small: tuple[str, ...] = ("a", "and", "of", "the")) -> str:
    """Write words with a large first letter, but for small words that do not come first."""
    return text.title()


def check_headline(candidate):
    assert candidate("the end") == "The End"
    assert candidate("") == ""
    assert candidate("lord of the mills") == "Lord of the Mills"
    assert candidate("a and b") == "A and B"
    assert candidate("WARP AND WEFT") == "Warp and Weft"


def ladder(word: str) -> list[str]:
    """The word shortened from its end step by step, down to one letter."""
    return [word[:end] for end in range(len(word), 0, -1)]


def check_ladder(candidate):
    assert candidate("") == []
    assert candidate("a") == ["a"]
    assert candidate("abc") == ["abc", "ab", "a"]
    assert len(candidate("loom")) == 4
    assert candidate("loom")[-1] == "l"
