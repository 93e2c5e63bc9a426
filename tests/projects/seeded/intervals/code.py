"""Closed intervals of whole numbers."""


def overlaps(a, b):
    """Whether two (start, end) intervals share a number."""
    return a[0] <= b[1] and b[0] <= a[1]


def merge(intervals):
    """The same numbers in as few intervals as possible, sorted."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def total(intervals):
    """How many numbers the intervals hold together."""
    count = 0
    for start, end in merge(intervals):
        count += end - start + 1
    return count


def gaps(intervals):
    """The intervals between the given ones."""
    merged = merge(intervals)
    found = []
    for (_, end), (start, _) in zip(merged, merged[1:]):
        found.append((end + 1, start - 1))
    return found
