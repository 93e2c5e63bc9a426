"""Groups that grow together: a union-find structure."""


class DisjointSets:
    """Items in groups; two groups can become one, never the other way about."""

    def __init__(self, items=()):
        self._parent = {}
        self._size = {}
        self.count = 0
        for item in items:
            self.add(item)

    def add(self, item):
        """A new item in a group of its own; nothing happens to a known one."""
        if item in self._parent:
            return
        self._parent[item] = item
        self._size[item] = 1
        self.count += 1

    def find(self, item):
        """The item that stands for the group; KeyError for an unknown one."""
        root = item
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[item] != root:
            self._parent[item], item = root, self._parent[item]
        return root

    def join(self, one, other):
        """Make one group of two; False if it was one already. Unknown items are added."""
        self.add(one)
        self.add(other)
        large, small = self.find(one), self.find(other)
        if large == small:
            return False
        if self._size[large] < self._size[small]:
            large, small = small, large
        self._parent[small] = large
        self._size[large] += self._size.pop(small)
        self.count -= 1
        return True

    def together(self, one, other):
        """Whether both are in the same group."""
        return self.find(one) == self.find(other)

    def size(self, item):
        """How many are in the item's group."""
        return self._size[self.find(item)]

    def groups(self):
        """The groups as sorted lists, largest first, then by their first item."""
        found = {}
        for item in self._parent:
            found.setdefault(self.find(item), []).append(item)
        return sorted((sorted(group) for group in found.values()), key=lambda group: (-len(group), group[0]))
