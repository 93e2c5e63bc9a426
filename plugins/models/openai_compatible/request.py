"""A request in the words of the Chat Completions API."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal

import msgspec

from treadle import Message, ModelRequest, ToolCall
from treadle.plugins.models.fitting import NOTHING, SILENT, STRICT_IDS, fitted, object_text
from treadle.plugins.models.openai_compatible.services import Service

Turn = dict[str, Any]

Part = Literal["counting", "reasoning", "limit", "streaming", "ids"]
"""What some servers refuse, and the request can do without: that tokens are counted while it streams, that the model's
earlier reasoning is given back, the name by which the reply is bounded (there is another), that it streams, and the ids
of calls as they came (there are others)."""
_LIMITS = ("max_tokens", "max_completion_tokens")


class State(msgspec.Struct):
    """What a turn keeps for the turns to come: reasoning, for the services that want it back with the calls, and the
    `field` in which it came."""

    reasoning: str
    field: str = "reasoning_content"


def parameters(
    request: ModelRequest, model: str, service: Service, *, without: Collection[Part] = ()
) -> dict[str, Any]:
    """The whole request, `without` what the service has refused."""
    field = "" if "reasoning" in without else service.reasoning
    said: dict[str, Any] = {
        "model": model,
        "messages": list(turns(request, field, STRICT_IDS if "ids" in without else service.ids)),
        "stream": "streaming" not in without,
    }
    if not {"counting", "streaming"}.intersection(without):
        said["stream_options"] = {"include_usage": True}
    if request.tools:
        said["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
    if request.max_tokens is not None:
        other = next(name for name in _LIMITS if name != service.most)
        said[other if "limit" in without else service.most] = request.max_tokens
    for name in ("temperature", "top_p"):
        if getattr(request, name) is not None:
            said[name] = getattr(request, name)
    if request.effort:
        said["reasoning_effort"] = request.effort
    return said


def turns(request: ModelRequest, reasoning: str | None, ids: str) -> Iterator[Turn]:
    """The system's words and the conversation. Each call has one result. `reasoning` and `ids` are as `Service` has
    them."""
    if request.system.strip():
        yield {"role": "system", "content": request.system}
    for message in fitted(request, ids):
        if message.role == "assistant":
            yield _said(message, reasoning)
            continue
        for result in message.results:
            yield {"role": "tool", "tool_call_id": result.call, "content": result.text or NOTHING}
        if message.text.strip():
            if message.results:  # Mistral, and many templates, want the assistant to speak before the person does
                yield {"role": "assistant", "content": SILENT}
            yield {"role": "user", "content": message.text}


def _said(message: Message, reasoning: str | None) -> Turn:
    turn: Turn = {"role": "assistant", "content": message.text if message.text.strip() else None}
    if message.calls:
        turn["tool_calls"] = list(map(_call, message.calls))
        state = _state(message.state)
        # DeepSeek wants its field with every call while it thinks, also where there was nothing to think about.
        if reasoning != "" and (state.reasoning or reasoning == "reasoning_content"):
            turn[reasoning or state.field] = state.reasoning
    return turn


def _call(call: ToolCall) -> Turn:
    function = {"name": call.name, "arguments": object_text(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _state(state: str) -> State:
    try:
        return msgspec.json.decode(state, type=State) if state else State("")
    except (ValueError, RecursionError):  # another service's
        return State("")
