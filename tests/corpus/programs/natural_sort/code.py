"""Sorting as people expect it: file2 before file10."""

import re

_NUMBER = re.compile(r"(\d+)")


def sort_key(name):
    """A key that compares numbers within names by their value and letters without regard to case."""
    parts = _NUMBER.split(name.casefold())
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


def natural_sorted(names, reverse=False):
    """The names in natural order; those that differ in case or zeros only are in the order of their characters."""
    return sorted(names, key=lambda name: (sort_key(name), name), reverse=reverse)


def next_name(name, taken):
    """The name with its last number raised until nobody has taken it; ' 2' is added to a name without number.

    The number keeps its leading zeros: img009 becomes img010.
    """
    taken = set(taken)
    while name in taken:
        found = list(_NUMBER.finditer(name))
        if not found:
            name += " 2"
            continue
        start, end = found[-1].span()
        raised = str(int(name[start:end]) + 1).zfill(end - start)
        name = name[:start] + raised + name[end:]
    return name


def gaps(names, prefix):
    """The numbers that are missing between the lowest and the highest of the names prefix + number."""
    numbers = set()
    for name in names:
        rest = name.removeprefix(prefix)
        if name.startswith(prefix) and rest.isdigit():
            numbers.add(int(rest))
    if not numbers:
        return []
    return [n for n in range(min(numbers), max(numbers)) if n not in numbers]
