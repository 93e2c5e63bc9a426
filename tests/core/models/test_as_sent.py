"""What is told of a request as what went to a model."""

from __future__ import annotations

import msgspec

from treadle.core.models.as_sent import as_sent
from treadle.core.models.messages import Message, ModelRequest, ToolCall, ToolResult, ToolSpec


def test_each_turn_is_told_with_its_role_and_nothing_that_is_sent_to_nobody() -> None:
    turns = (
        Message(text="Hello?"),
        Message(role="assistant", calls=(ToolCall(id="a", name="read", arguments="{}"),)),
        Message(results=(ToolResult(call="a", text="x"),)),
    )
    tools = (ToolSpec(name="read", description="Reads."),)
    asked = ModelRequest(
        role="coder", messages=turns, tools=tools, without_tools="!", step=1, seconds=9.0, after_s=2.0, max_tokens=5
    )
    told = as_sent(asked, {"model": "one/a", "tools": True})
    assert msgspec.json.decode(msgspec.json.encode(told)) == {
        "model": "one/a",
        "max_tokens": 5,
        "messages": [
            {"role": "user", "text": "Hello?"},
            {"role": "assistant", "calls": [{"id": "a", "name": "read", "arguments": "{}"}]},
            {"role": "user", "results": [{"call": "a", "text": "x"}]},
        ],
        "tools": [
            {"name": "read", "description": "Reads.", "parameters": {"type": "object", "properties": {}}},
        ],
    }
