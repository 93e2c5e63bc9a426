"""Turns of a conversation as content blocks, and an assistant's blocks kept for the turns to come.

Reasoning is signed together with what came before it, so an assistant's turn goes back as it came, block by block.
What its text and its calls don't say is kept in `Message.state`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from treadle import Message, ModelRequest, ToolCall, ToolResult
from treadle.plugins.models.fitting import fit_name, fitted, object_of

Block = dict[str, Any]

THINKING = ("thinking", "redacted_thinking")
_IDS = r"[a-zA-Z0-9_-]{1,64}"
"""Ids that the API takes; each must stand for one call of the whole conversation."""

_refused: set[str] = set()


class _State(msgspec.Struct):
    anthropic: list[Block]


def turns(request: ModelRequest, *, without: Collection[str] = ()) -> list[Block]:
    """The conversation. Reasoning that the service has refused, or whose seal is in `without`, is not given back."""
    left_out = _refused.union(without)
    return [
        {
            "role": message.role,
            "content": _said(message, left_out) if message.role == "assistant" else list(_asked(message)),
        }
        for message in fitted(request, _IDS)
    ]


def seals_of(sent: Mapping[str, Any]) -> frozenset[str]:
    """The seals of the reasoning that is given back in a request, in its words."""
    blocks = (block for turn in sent["messages"] for block in turn["content"])
    return frozenset(_seal(block) for block in blocks if block.get("type") in THINKING)


def leave_out(seals: Iterable[str]) -> None:
    """From now on, until the process ends, reasoning with these seals is not given back: it was refused, since what is
    before it has changed, and stands in every later request of its conversation."""
    _refused.update(seals)


def state_of(content: Sequence[Block], text: str, calls: Sequence[ToolCall]) -> str:
    """What has to be kept of an assistant's blocks so that `turns` makes the same of them again; empty when its text
    and its calls are enough."""
    if list(content) == list(_plain(text, calls)):
        return ""
    return msgspec.json.encode(_State(anthropic=list(content))).decode()


def text_of(content: Iterable[Block]) -> str:
    """What the blocks say."""
    return "".join(str(block.get("text", "")) for block in content if block.get("type") == "text")


def _said(message: Message, left_out: Collection[str]) -> list[Block]:
    kept = _kept(message) or list(_plain(message.text, message.calls))
    return [block for block in kept if block.get("type") not in THINKING or _seal(block) not in left_out]


def _seal(block: Block) -> str:
    """What is of this block of reasoning alone: its signature, or itself where it is not to be read."""
    return str(block.get("signature") or block.get("data") or "")


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
