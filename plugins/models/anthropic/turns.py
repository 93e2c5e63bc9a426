"""Turns of a conversation as content blocks, and an assistant's blocks kept for the turns to come.

Reasoning is signed together with what came before it, so an assistant's turn goes back as it came, block by block.
What its text and its calls don't say is kept in `Message.state`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from treadle import Message, ToolCall, ToolResult

Block = dict[str, Any]

THINKING = ("thinking", "redacted_thinking")
_UNANSWERED = "This was not done."
_NO_JSON = "INVALID_JSON"
"""The name under which the API's manual wants arguments to be given back that are no JSON object."""


class _State(msgspec.Struct):
    anthropic: list[Block]


def turns(messages: Sequence[Message], *, thinking: bool = True) -> list[Block]:
    """The conversation, without turns that say nothing. `thinking`: whether reasoning is given back."""
    found: list[Block] = []
    before: tuple[ToolCall, ...] = ()
    for message in messages:
        content = _said(message, thinking=thinking) if message.role == "assistant" else list(_asked(message, before))
        before = message.calls
        if content:
            found.append({"role": message.role, "content": content})
    return found


def state_of(content: Sequence[Block], text: str, calls: Sequence[ToolCall]) -> str:
    """What has to be kept of an assistant's blocks so that `turns` makes the same of them again; empty when its text
    and its calls are enough."""
    if list(content) == list(_plain(text, calls)):
        return ""
    return msgspec.json.encode(_State(anthropic=list(content))).decode()


def input_of(arguments: str) -> Block:
    """The arguments as the object that the API wants, whatever the model has written."""
    try:
        value = msgspec.json.decode(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return {_NO_JSON: arguments}
    return value if isinstance(value, dict) else {_NO_JSON: arguments}


def text_of(content: Iterable[Block]) -> str:
    """What the blocks say."""
    return "".join(str(block.get("text", "")) for block in content if block.get("type") == "text")


def _said(message: Message, *, thinking: bool) -> list[Block]:
    kept = _kept(message) or list(_plain(message.text, message.calls))
    return kept if thinking else [block for block in kept if block.get("type") not in THINKING]


def _kept(message: Message) -> list[Block]:
    """The blocks as they came, if they still say what the turn says: it may have been shortened, or cleaned of
    secrets."""
    try:
        content = msgspec.json.decode(message.state, type=_State).anthropic if message.state else []
    except (ValueError, RecursionError):  # another service's
        return []
    calls = [(block.get("id"), block.get("name"), block.get("input")) for block in content if _is_call(block)]
    same = calls == [(call.id, call.name, input_of(call.arguments)) for call in message.calls]
    return content if same and text_of(content) == message.text else []


def _is_call(block: Block) -> bool:
    return block.get("type") == "tool_use"


def _plain(text: str, calls: Iterable[ToolCall]) -> Iterator[Block]:
    if text.strip():  # the API refuses blocks without words
        yield {"type": "text", "text": text}
    for call in calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": input_of(call.arguments)}


def _asked(message: Message, before: Sequence[ToolCall]) -> Iterator[Block]:
    """The results of the calls before, each of which must have one, come first."""
    yield from map(_result, message.results)
    answered = {result.call for result in message.results}
    for call in before:
        if call.id not in answered:
            yield _result(ToolResult(call=call.id, text=_UNANSWERED, failed=True))
    if message.text.strip():
        yield {"type": "text", "text": message.text}


def _result(result: ToolResult) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": result.call}
    if result.text.strip():
        block["content"] = result.text
    return block | {"is_error": True} if result.failed else block
