"""Records of every kind, made by hypothesis from their types."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal

import msgspec
from hypothesis import strategies as st

# Names of files may hold what UTF-8 can't; everything else that a record holds is text.
TEXT = st.text(max_size=12) | st.sampled_from(["", "a\x00b", "\udcff.py", "\u202e", "ä" * 40])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_BASIC: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(0, 2**63 - 1),
    float: st.floats(0, 1e9),
    bool: st.booleans(),
    bytes: st.binary(max_size=30),
    type(None): st.none(),
    Any: PLAIN,
    object: PLAIN,
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of that type, as a hook would be handed them."""
    if kind in _BASIC:
        return _BASIC[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is typing.Annotated:
        return values(inner[0])
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(values, inner))
    if origin is tuple and inner[1:] == (...,):
        return st.lists(values(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, inner))
    if origin is list:
        return st.lists(values(inner[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(st.text(max_size=6), values(inner[1]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind, include_extras=True)
        return st.deferred(lambda: st.builds(kind, **{field: values(hints[field]) for field in kind.__struct_fields__}))
    raise TypeError(f"no values are known for {kind}")
