"""What is said to a language model, and what it answers: the same for every service.

Plugins that speak to a service translate these records; whoever asks knows nothing of the service.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from treadle.core.records import Record

StopReason = Literal["end", "tool calls", "length", "refusal", "unknown"]
"""Why a reply ended. `length`: at `max_tokens`, or at the end of the model's context, so it is cut off."""


class ToolCall(Record, frozen=True, kw_only=True):
    """What a model wants to have done. `arguments` is JSON text exactly as the model wrote it, which may be no JSON at
    all; `id` is what the result refers to."""

    id: str
    name: str
    arguments: str


class ToolResult(Record, frozen=True, kw_only=True):
    """What came of a call, for the model to read. `failed`: it was not done."""

    call: str
    text: str
    failed: bool = False


class Message(Record, frozen=True, kw_only=True):
    """One turn of the conversation. Only an assistant's holds `calls`, only a user's `results`: those of all calls of
    the turn before, together."""

    role: Literal["user", "assistant"] = "user"
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()


class ToolSpec(Record, frozen=True, kw_only=True):
    """A tool that the model may call; `parameters` is the JSON Schema of its arguments, an object."""

    name: str
    description: str
    parameters: dict[str, object] = msgspec.field(default_factory=lambda: {"type": "object", "properties": {}})


class ModelRequest(Record, frozen=True, kw_only=True):
    """A request to a language model. `role` says what for (coder, planner, ...), by which the model is chosen unless
    `model` names one. Limits that are None are the model's own; `max_tokens` bounds the reply."""

    role: str
    system: str = ""
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    model: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None


class Usage(Record, frozen=True, kw_only=True):
    """Tokens of one request, as the service counted them. `input` are those that were read anew, `cache_read` and
    `cache_written` those of the service's prompt cache; they do not overlap."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


class ModelReply(Record, frozen=True, kw_only=True):
    """What a language model answered. `usage` is None when the service does not tell; `model` is its own name there."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: Usage | None = None
    model: str = ""
