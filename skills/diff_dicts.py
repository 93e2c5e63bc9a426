"""List what changed between two nested mappings: what was added, removed and replaced, and where.

Thread safety: nothing is shared or changed; safe as long as no other thread changes the mappings meanwhile.

Words: diff, compare, dict, nested, changes, config, json, added, removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["Change", "diff_dicts"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `path` are the keys that lead to it. `old` is None for what was added, `new` for what was
    removed; `kind` tells these from a value that is None."""

    kind: Literal["added", "removed", "changed"]
    path: tuple[object, ...]
    old: object = None
    new: object = None


def diff_dicts(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[Change, ...]:
    """Every difference: at each level first what was removed or changed, in the order of `old`, then what was added.
    Mappings are compared key by key and lists as a whole. Empty exactly when both are the same.

    Values are the same when they are equal, except that a truth value and a number never are (`True == 1` in Python,
    but not in a config file). Raises `RecursionError` for mappings nested deeper than the interpreter's limit.

    >>> for change in diff_dicts({"a": 1, "b": {"x": 1, "y": 2}}, {"a": 2, "b": {"x": 1}, "c": None}):
    ...     print(change.kind, change.path, change.old, change.new)
    changed ('a',) 1 2
    removed ('b', 'y') 2 None
    added ('c',) None None
    """
    return tuple(_differences(old, new, ()))


def _differences(old: Mapping[str, object], new: Mapping[str, object], path: tuple[object, ...]) -> Iterator[Change]:
    for key, before in old.items():
        here = (*path, key)
        if key not in new:
            yield Change("removed", here, old=before)
            continue
        after = new[key]
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _differences(before, after, here)
        elif not _same(before, after):
            yield Change("changed", here, old=before, new=after)
    for key, after in new.items():
        if key not in old:
            yield Change("added", (*path, key), new=after)


def _same(one: object, other: object) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return (
            isinstance(one, list) == isinstance(other, list) and len(one) == len(other) and all(map(_same, one, other))
        )
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    # Identity first, as containers do it, so that a NaN that did not change is no change.
    return one is other or bool(one == other)
