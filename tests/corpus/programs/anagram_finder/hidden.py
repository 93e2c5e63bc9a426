import itertools
import random

from subject import AnagramFinder, letters


def test_against_pairs():
    rng = random.Random(0)
    for _ in range(40):
        words = ["".join(rng.choice("abC") for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(0, 9))]
        finder = AnagramFinder(words)
        known = set(words)
        same = lambda a, b: sorted(a.lower()) == sorted(b.lower())  # noqa: E731
        for word in known | {"abc", "cab"}:
            assert finder.anagrams(word) == sorted(w for w in known if w != word and same(w, word))
        families = finder.families(1)
        assert sorted(w for family in families for w in family) == sorted(known)
        assert all(same(a, b) for family in families for a, b in itertools.combinations(family, 2))
        assert families == sorted(families, key=lambda f: (-len(f), f))
        assert finder.families(3) == [f for f in families if len(f) >= 3]
        tiles = "".join(rng.choice("abc?") for _ in range(3))
        for shortest in (1, 2):
            expected = set()
            for fill in itertools.product("abc", repeat=tiles.count("?")):
                laid = list(tiles.replace("?", "")) + list(fill)
                for n in range(shortest, len(laid) + 1):
                    choices = [sorted(choice) for choice in itertools.combinations(laid, n)]
                    expected |= {word for word in known if sorted(word.lower()) in choices}
            assert finder.spellable(tiles, shortest) == sorted(expected, key=lambda w: (-len(w), w))


def test_looking_up_adds_nothing():
    finder = AnagramFinder()
    assert finder.anagrams("abc") == []
    assert finder.families(1) == []
    assert finder.add("...") is False


def test_case_and_marks():
    assert letters("") == letters("12 -") == ""
    finder = AnagramFinder(["Dirty room", "dormitory"])
    assert finder.anagrams("dormitory") == ["Dirty room"]
    assert finder.anagrams("DORMITORY") == ["Dirty room", "dormitory"]


def test_jokers():
    finder = AnagramFinder(["aa", "ab", "abc", "i"])
    assert finder.spellable("??") == ["aa", "ab"]
    assert finder.spellable("A?") == ["aa", "ab"]
    assert finder.spellable("bC?") == ["abc", "ab"]
    assert finder.spellable("i", shortest=1) == ["i"]
    assert finder.spellable("") == []


def test_defaults():
    finder = AnagramFinder(["ab", "ba", "a", "c"])
    assert finder.families() == [["ab", "ba"]]
    assert finder.spellable("abc") == ["ab", "ba"]
