"""A binary search tree that keeps values by key."""


class SearchTree:
    """Keys with values, in the order of the keys."""

    def __init__(self, pairs=()):
        self._root = None
        self._size = 0
        for key, value in pairs:
            self.set(key, value)

    def __len__(self):
        return self._size

    def set(self, key, value):
        """Keep a value by a key."""
        node, side = None, None
        child = self._root
        while child is not None:
            if key == child["key"]:
                child["value"] = value
                return
            node, side = child, "left" if key < child["key"] else "right"
            child = node[side]
        fresh = {"key": key, "value": value, "left": None, "right": None}
        if node is None:
            self._root = fresh
        else:
            node[side] = fresh
        self._size += 1

    def get(self, key, default=None):
        """The value of a key."""
        node = self._root
        while node is not None and node["key"] != key:
            node = node["left"] if key < node["key"] else node["right"]
        return default if node is None else node["value"]

    def items(self, low=None, high=None):
        """(key, value) pairs in order, of the keys from low to high, both included."""

        def walk(node):
            if node is None:
                return
            if low is None or node["key"] > low:
                yield from walk(node["left"])
            if (low is None or node["key"] >= low) and (high is None or node["key"] <= high):
                yield node["key"], node["value"]
            if high is None or node["key"] < high:
                yield from walk(node["right"])

        return walk(self._root)

    def floor(self, key):
        """The largest key that isn't above the given one; None if there is none."""
        best, node = None, self._root
        while node is not None:
            if node["key"] == key:
                return key
            if node["key"] < key:
                best, node = node["key"], node["right"]
            else:
                node = node["left"]
        return best

    def height(self):
        """The number of levels."""
        level, levels = [self._root] if self._root else [], 0
        while level:
            levels += 1
            level = [child for node in level for child in (node["left"], node["right"]) if child is not None]
        return levels

    def balance(self):
        """Build the tree anew so that its height is as small as it can be."""
        pairs = list(self.items())

        def build(start, end):
            if start >= end:
                return None
            middle = (start + end) // 2
            key, value = pairs[middle]
            return {"key": key, "value": value, "left": build(start, middle), "right": build(middle + 1, end)}

        self._root = build(0, len(pairs))
