"""Turn a nested mapping into a flat one with dotted keys, and back again without loss.

Thread safety: nothing is shared or changed; safe as long as no other thread changes the mapping meanwhile.

Words: flatten, unflatten, nested, dict, dotted, keys, path, json, config.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["flatten", "unflatten"]


def flatten(nested: Mapping[str, object], separator: str = ".") -> dict[str, object]:
    """One entry for each value that is not a mapping, keyed by the path to it; an empty mapping counts as a value, so
    that `unflatten(flatten(x)) == x`. Lists are values. Works at any depth.

    Raises `ValueError` when a key holds the separator (the way back would be ambiguous), when the separator is empty,
    or when a mapping contains itself; `TypeError` when a key is not a string.

    >>> flatten({"server": {"host": "::1", "tls": {"on": True}}, "tags": ["a"]})
    {'server.host': '::1', 'server.tls.on': True, 'tags': ['a']}
    """
    if not separator:
        raise ValueError("the separator must not be empty")
    flat: dict[str, object] = {}
    # An explicit stack, not recursion: depth is then limited by memory alone. `open_ids` are the mappings on the way.
    stack = [("", nested, iter(nested.items()))]
    open_ids = {id(nested)}
    while stack:
        prefix, mapping, entries = stack[-1]
        for key, value in entries:
            if not isinstance(key, str):
                raise TypeError(f"keys must be strings, not {key!r} below {prefix!r}")
            if separator in key:
                raise ValueError(f"the key {key!r} below {prefix!r} holds the separator {separator!r}")
            if not (isinstance(value, Mapping) and value):
                flat[prefix + key] = {} if isinstance(value, Mapping) else value
                continue
            if id(value) in open_ids:
                raise ValueError(f"the mapping at {prefix + key!r} contains itself")
            open_ids.add(id(value))
            stack.append((prefix + key + separator, value, iter(value.items())))
            break
        else:
            open_ids.remove(id(mapping))
            stack.pop()
    return flat


def unflatten(flat: Mapping[str, object], separator: str = ".") -> dict[str, object]:
    """The nested mapping that `flatten` made this from.

    Raises `ValueError` when one key is the path of a value and another goes on below it (`a` and `a.b`), or when the
    separator is empty.

    >>> unflatten({"server.host": "::1", "server.port": 80})
    {'server': {'host': '::1', 'port': 80}}
    """
    if not separator:
        raise ValueError("the separator must not be empty")
    nested: dict[str, object] = {}
    branches = {id(nested)}
    for path, value in flat.items():
        *folders, last = path.split(separator)
        here = nested
        for folder in folders:
            if folder not in here:
                child: dict[str, object] = {}
                here[folder] = child
                branches.add(id(child))
            below = here[folder]
            if not (isinstance(below, dict) and id(below) in branches):
                raise ValueError(f"{path!r} goes on below a key that has a value already")
            here = below
        if last in here:
            raise ValueError(f"{path!r} is the path of a value, and another key goes on below it")
        here[last] = value
    return nested
