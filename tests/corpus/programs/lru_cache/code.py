"""A cache that drops what has not been used for the longest time."""

from collections import OrderedDict


class LruCache:
    """At most `limit` values by key."""

    def __init__(self, limit=100):
        if limit <= 0:
            raise ValueError("limit must be positive")
        self.limit = limit
        self.hits = 0
        self.misses = 0
        self._values = OrderedDict()

    def __len__(self):
        return len(self._values)

    def __contains__(self, key):
        return key in self._values

    def get(self, key, default=None):
        """The value, which counts as a use; the default if it is not there."""
        if key not in self._values:
            self.misses += 1
            return default
        self.hits += 1
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key, value):
        """Keep a value; the least recently used one makes way when there are too many."""
        if key in self._values:
            self._values.move_to_end(key)
        self._values[key] = value
        if len(self._values) > self.limit:
            self._values.popitem(last=False)

    def get_or_make(self, key, make):
        """The value, made by `make(key)` and kept if it is not there."""
        if key in self._values:
            return self.get(key)
        self.misses += 1
        value = make(key)
        self.put(key, value)
        return value

    def keys(self):
        """The keys, the least recently used first."""
        return list(self._values)

    def hit_rate(self):
        """Hits in percent of all lookups, rounded; None before the first."""
        lookups = self.hits + self.misses
        return round(100 * self.hits / lookups) if lookups else None
