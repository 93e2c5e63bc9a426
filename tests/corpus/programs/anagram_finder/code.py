"""Anagrams: words of the same letters."""

from collections import Counter, defaultdict


def letters(word):
    """The letters of a word, sorted, without regard to case."""
    return "".join(sorted(c for c in word.lower() if c.isalpha()))


class AnagramFinder:
    """A vocabulary in which anagrams are looked up."""

    def __init__(self, words=()):
        self._by_letters = defaultdict(set)
        for word in words:
            self.add(word)

    def add(self, word):
        """Take a word in; False if it is known or has no letters."""
        key = letters(word)
        if not key or word in self._by_letters[key]:
            return False
        self._by_letters[key].add(word)
        return True

    def anagrams(self, word):
        """The other words of the same letters, sorted."""
        return sorted(self._by_letters.get(letters(word), set()) - {word})

    def families(self, smallest=2):
        """All groups of anagrams, largest first, then by the alphabet."""
        groups = [sorted(words) for words in self._by_letters.values() if len(words) >= smallest]
        return sorted(groups, key=lambda words: (-len(words), words))

    def spellable(self, tiles, shortest=2):
        """The words that can be laid with some of the tiles, longest first, then by the alphabet; ? is any letter."""
        available = Counter(tiles.lower())
        jokers = available.pop("?", 0)
        found = []
        for key, words in self._by_letters.items():
            missing = Counter(key) - available
            if len(key) >= shortest and sum(missing.values()) <= jokers:
                found.extend(words)
        return sorted(found, key=lambda word: (-len(word), word))
