"""A request in the words of the Chat Completions API."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal

import msgspec

from treadle import Message, ModelRequest, ToolCall
from treadle.plugins.models.fitting import NOTHING, SILENT, STRICT_IDS, fitted, object_text
from treadle.plugins.models.openai_compatible.services import Service

Turn = dict[str, Any]

Part = Literal["counting", "reasoning", "limit", "streaming", "ids", "bare turns", "unsigned calls", "effort"]
"""What some servers refuse, and the request can do without: that tokens are counted while it streams, that the model's
earlier reasoning is given back, the name by which the reply is bounded (there is another), that it streams, the ids of
calls as they came (there are others), turns without reasoning, calls without a signature, and the effort that a model
takes by itself, with which OpenAI's call no tools here."""
_LIMITS = ("max_tokens", "max_completion_tokens")
_NO_THOUGHT = " "
"""Reasoning where there was none: DeepSeek's newest models refuse what is empty."""
_UNSIGNED = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Google wants to have with calls that its model has not made, or whose signature is lost."""


class State(msgspec.Struct, omit_defaults=True):
    """What a turn keeps for the turns to come: reasoning, for the services that want it back with the calls, and the
    `field` in which it came; and the `extra` of each call (Gemini's signatures), for the `service` that it came from
    alone."""

    reasoning: str
    field: str = "reasoning_content"
    service: str = ""
    extra: list[Any] = []


def parameters(
    request: ModelRequest, model: str, service: Service, *, without: Collection[Part] = ()
) -> dict[str, Any]:
    """The whole request, `without` what the service has refused."""
    said: dict[str, Any] = {
        "model": model,
        "messages": list(turns(request, service, without)),
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
    elif "effort" in without:
        said["reasoning_effort"] = "none"
    return said


def turns(request: ModelRequest, service: Service, without: Collection[Part] = ()) -> Iterator[Turn]:
    """The system's words and the conversation. Each call has one result."""
    if request.system.strip():
        yield {"role": "system", "content": request.system}
    for message in fitted(request, STRICT_IDS if "ids" in without else service.ids):
        if message.role == "assistant":
            yield _said(message, service, without)
            continue
        for result in message.results:
            yield {"role": "tool", "tool_call_id": result.call, "content": result.text or NOTHING}
        if message.text.strip():
            if message.results:  # Mistral, and many templates, want the assistant to speak before the person does
                yield {"role": "assistant", "content": SILENT, **_thought(State(""), service, without)}
            yield {"role": "user", "content": message.text}


def _said(message: Message, service: Service, without: Collection[Part]) -> Turn:
    turn: Turn = {"role": "assistant", "content": message.text if message.text.strip() else None}
    state = _state(message.state)
    if message.calls:
        turn["tool_calls"] = list(map(_call, message.calls))
        if state.service == service.name and len(state.extra) == len(message.calls):
            for call, extra in zip(turn["tool_calls"], state.extra, strict=True):
                call.update({"extra_content": extra} if extra else {})
        if "unsigned calls" in without:
            turn["tool_calls"][0].setdefault("extra_content", _UNSIGNED)
    return turn | _thought(state, service, without)


def _thought(state: State, service: Service, without: Collection[Part]) -> Turn:
    """The reasoning of a turn as the service wants it."""
    if "bare turns" in without:
        return {"reasoning_content": state.reasoning or _NO_THOUGHT}
    if service.reasoning == "" or "reasoning" in without:
        return {}
    if service.reasoning == "reasoning_content":
        return {"reasoning_content": state.reasoning or _NO_THOUGHT}
    return {} if not state.reasoning else {service.reasoning or state.field: state.reasoning}


def _call(call: ToolCall) -> Turn:
    function = {"name": call.name, "arguments": object_text(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _state(state: str) -> State:
    try:
        return msgspec.json.decode(state, type=State) if state else State("")
    except (ValueError, RecursionError):  # another service's
        return State("")
