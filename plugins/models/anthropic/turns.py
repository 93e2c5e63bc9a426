"""Turns of a conversation as content blocks, and an assistant's blocks kept for the turns to come.

Reasoning is signed together with what came before it, so an assistant's turn goes back as it came, block by block.
What its text and its calls don't say is kept in `Message.state`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from treadle import Message, ModelRequest, ToolCall, ToolResult
from treadle.plugins.models.fitting import fit_name, fitted, object_of

Block = dict[str, Any]

THINKING = ("thinking", "redacted_thinking")
_IDS = r"[a-zA-Z0-9_-]{1,64}"
"""Ids that the API takes; each must stand for one call of the whole conversation."""


class _State(msgspec.Struct):
    anthropic: list[Block]


def turns(request: ModelRequest, *, thinking: bool = True) -> list[Block]:
    """The conversation. `thinking`: whether reasoning is given back."""
    return [
        {
            "role": message.role,
            "content": _said(message, thinking=thinking) if message.role == "assistant" else list(_asked(message)),
        }
        for message in fitted(request, _IDS)
    ]


def state_of(content: Sequence[Block], text: str, calls: Sequence[ToolCall]) -> str:
    """What has to be kept of an assistant's blocks so that `turns` makes the same of them again; empty when its text
    and its calls are enough."""
    if list(content) == list(_plain(text, calls)):
        return ""
    return msgspec.json.encode(_State(anthropic=list(content))).decode()


def text_of(content: Iterable[Block]) -> str:
    """What the blocks say."""
    return "".join(str(block.get("text", "")) for block in content if block.get("type") == "text")


def _said(message: Message, *, thinking: bool) -> list[Block]:
    kept = _kept(message) or list(_plain(message.text, message.calls))
    return kept if thinking else [block for block in kept if block.get("type") not in THINKING]


def _kept(message: Message) -> list[Block]:
    """The blocks as they came, if they still say what the turn says: it may have been shortened, or cleaned of secrets.
    Their calls are those of the turn, whose ids and names may have been made to fit."""
    try:
        content = msgspec.json.decode(message.state, type=_State).anthropic if message.state else []
    except (ValueError, RecursionError):  # another service's
        return []
    calls = [(fit_name(str(block.get("name", ""))), block.get("input")) for block in content if _is_call(block)]
    same = calls == [(call.name, object_of(call.arguments)) for call in message.calls]
    if not same or text_of(content) != message.text:
        return []
    sent = iter(message.calls)
    return [_named(block, next(sent)) if _is_call(block) else block for block in content]


def _is_call(block: Block) -> bool:
    return block.get("type") == "tool_use"


def _named(block: Block, call: ToolCall) -> Block:
    return {**block, "id": call.id, "name": call.name}


def _plain(text: str, calls: Iterable[ToolCall]) -> Iterator[Block]:
    if text.strip():  # the API refuses blocks without words
        yield {"type": "text", "text": text}
    for call in calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": object_of(call.arguments)}


def _asked(message: Message) -> Iterator[Block]:
    """The results of the calls before come first."""
    yield from map(_result, message.results)
    if message.text.strip():
        yield {"type": "text", "text": message.text}


def _result(result: ToolResult) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": result.call}
    if result.text.strip():
        block["content"] = result.text
    return block | {"is_error": True} if result.failed else block
