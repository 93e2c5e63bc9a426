"""A request in the words of the Chat Completions API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from treadle import Message, ModelRequest, ToolCall
from treadle.plugins.models.openai_compatible.services import Service

Turn = dict[str, Any]

_NOT_DONE = "This was not done."


class State(msgspec.Struct):
    """What a turn keeps for the turns to come: reasoning, for the services that want it back with the calls."""

    reasoning: str


def parameters(request: ModelRequest, model: str, service: Service, *, with_usage: bool = True) -> dict[str, Any]:
    """The whole request. `with_usage`: the service is asked to count tokens, which old servers refuse."""
    said: dict[str, Any] = {"model": model, "messages": list(turns(request)), "stream": True}
    if with_usage:
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
        said[service.most] = request.max_tokens
    for name in ("temperature", "top_p"):
        if getattr(request, name) is not None:
            said[name] = getattr(request, name)
    if request.effort:
        said["reasoning_effort"] = request.effort
    return said


def turns(request: ModelRequest) -> Iterator[Turn]:
    """The system's words and the conversation, without turns that say nothing. Each call has one result."""
    if request.system.strip():
        yield {"role": "system", "content": request.system}
    before: tuple[ToolCall, ...] = ()
    for message in request.messages:
        if message.role == "assistant":
            before = message.calls
            yield from _said(message)
        else:
            yield from _results(message, before)
            before = ()
            if message.text.strip():
                yield {"role": "user", "content": message.text}


def _said(message: Message) -> Iterator[Turn]:
    if not message.text.strip() and not message.calls:
        return
    turn: Turn = {"role": "assistant", "content": message.text or None}
    if message.calls:
        turn["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments or "{}"}}
            for call in message.calls
        ]
        reasoning = _reasoning(message.state)
        if reasoning:
            turn["reasoning_content"] = reasoning
    yield turn


def _results(message: Message, before: tuple[ToolCall, ...]) -> Iterator[Turn]:
    answered = {result.call: result.text for result in message.results}
    for call in before:
        text = answered.get(call.id, _NOT_DONE)
        yield {"role": "tool", "tool_call_id": call.id, "content": text or "(nothing)"}


def _reasoning(state: str) -> str:
    try:
        return msgspec.json.decode(state, type=State).reasoning if state else ""
    except msgspec.MsgspecError:  # another service's
        return ""
