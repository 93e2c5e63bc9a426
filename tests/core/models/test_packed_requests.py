"""How a request is packed, which recorded sessions are known by."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import inspect

from treadle.core.models.messages import Message, ModelRequest, ToolCall, ToolResult, ToolSpec


def test_all_that_a_request_is_made_of_is_packed_without_its_defaults() -> None:
    """So that a new field of any of them changes nothing of what was recorded before."""
    found = set(_structs(inspect.type_info(ModelRequest)))
    assert found == {ModelRequest, Message, ToolCall, ToolResult, ToolSpec}
    assert [each.__name__ for each in found if not each.__struct_config__.omit_defaults] == []


def _structs(kind: inspect.Type) -> Iterator[type]:
    if isinstance(kind, inspect.StructType):
        yield kind.cls
        for field in kind.fields:
            yield from _structs(field.type)
    elif isinstance(kind, inspect.VarTupleType):
        yield from _structs(kind.item_type)
