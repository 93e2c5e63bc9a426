"""Merge nested mappings, such as layers of settings, into a new one; later layers win.

Thread safety: nothing is shared or changed; safe as long as no other thread changes the layers meanwhile.

Words: merge, deep, nested, dict, settings, config, layers, override, defaults.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["deep_merge"]


def deep_merge(*layers: Mapping[str, object]) -> dict[str, object]:
    """Where two layers both hold a mapping under a key, these are merged in turn; anything else is replaced by the
    later layer's value, lists and None included. Keys keep the place at which they appeared first.

    The mappings and lists of the result are new, so changing it changes no layer; other values are shared. Raises
    `RecursionError` for mappings nested deeper than the interpreter's limit, or that contain themselves.

    >>> defaults = {"log": {"level": "info", "file": None}, "paths": ["a", "b"]}
    >>> deep_merge(defaults, {"log": {"level": "debug"}, "paths": ["c"]})
    {'log': {'level': 'debug', 'file': None}, 'paths': ['c']}
    >>> defaults["log"]["level"]
    'info'
    """
    merged: dict[str, object] = {}
    for layer in layers:
        _merge_into(merged, layer)
    return merged


def _merge_into(target: dict[str, object], layer: Mapping[str, object]) -> None:
    for key, value in layer.items():
        below = target.get(key)
        # Every dict inside `target` is our own copy, so it may be changed in place.
        if isinstance(value, Mapping) and isinstance(below, dict):
            _merge_into(below, value)
        else:
            target[key] = _copy(value)


def _copy(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _copy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value
