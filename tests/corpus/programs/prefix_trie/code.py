"""A tree of letters for completing words."""


class _Node:
    __slots__ = ("children", "weight")

    def __init__(self):
        self.children = {}
        self.weight = None


class Trie:
    """Words with a weight: how often they are used."""

    def __init__(self):
        self._root = _Node()
        self._size = 0

    def __len__(self):
        return self._size

    def add(self, word, weight=1):
        """Take a word in, or add to the weight of a known one."""
        node = self._root
        for letter in word:
            node = node.children.setdefault(letter, _Node())
        if node.weight is None:
            node.weight = 0
            self._size += 1
        node.weight += weight

    def _find(self, prefix):
        node = self._root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def weight(self, word):
        """The weight of a word, 0 if it isn't there."""
        node = self._find(word)
        if node is None or node.weight is None:
            return 0
        return node.weight

    def words(self, prefix=""):
        """(word, weight) of all words with the prefix, in the order of the alphabet."""
        start = self._find(prefix)
        if start is None:
            return
        stack = [(prefix, start)]
        while stack:
            word, node = stack.pop()
            if node.weight is not None:
                yield word, node.weight
            for letter in sorted(node.children, reverse=True):
                stack.append((word + letter, node.children[letter]))

    def complete(self, prefix, limit=3):
        """The words with the prefix that are used most, at most `limit` of them."""
        ranked = sorted(self.words(prefix), key=lambda pair: (-pair[1], pair[0]))
        return [word for word, _ in ranked[:limit]]

    def longest_prefix_of(self, text):
        """The longest word with which the text begins; None if there is none."""
        best = None
        node = self._root
        for index, letter in enumerate(text):
            if node.weight is not None:
                best = text[:index]
            node = node.children.get(letter)
            if node is None:
                return best
        return text if node.weight is not None else best

    def remove(self, word):
        """Take a word out, with the letters that only it needs; False if it isn't there."""
        path = [self._root]
        for letter in word:
            if letter not in path[-1].children:
                return False
            path.append(path[-1].children[letter])
        if path[-1].weight is None:
            return False
        path[-1].weight = None
        self._size -= 1
        for depth in range(len(word), 0, -1):
            node = path[depth]
            if node.children or node.weight is not None:
                break
            del path[depth - 1].children[word[depth - 1]]
        return True
