"""A conversation that has become long, cut down: of old turns a line of each result, of each long argument its size.

A turn is a reply of the model and what came of it, two messages. Everything is folded that a service is sent again with
each further turn: results, what the model wrote itself, and the reasoning that its service wants back. Calls stay
calls, each with its result, and their arguments an object of JSON; only reasoning is left out, which services want of
the latest turn and take of earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from treadle.core.counting import counted
from treadle.core.models.messages import Message, ToolCall, ToolResult
from treadle.core.models.tokens import estimate

FOLD_FROM = 24_000
"""Tokens behind the opening from which on old turns are folded."""
OF_CONTEXT = 0.6
"""The part of a model's context from which on they are folded as well, opening included, and which the latest turns may
have: the rest is for what comes before the conversation, its tools, and the reply."""
UNFOLDED = 3
"""The latest turns, which stay as they are."""
MOST_UNFOLDED = 64_000
"""Tokens that these may have; where they have more, it is fewer turns, and at least one."""
_SHORT = 400
"""Characters of a text that is not worth folding."""
_KEPT = 200
"""Characters that stay of one that is."""

FOLDED = "folded"
"""The argument that stands for those that were taken out. No tool takes one of that name: a model that writes the like
of it is told so, and nothing is done."""
_ARGUMENTS = 120
"""Characters that tell of the arguments that don't; with `_KEPT` they are well below `_SHORT`."""

Messages = tuple[Message, ...]


def folded(messages: Messages, context: int | None = None) -> Messages:
    """The conversation with its old turns folded, once it has become long: all at once, so that what comes before stays
    the same for many turns, and the service's cache with it. The first message is its opening, which stays whole.
    `context` are the tokens that the model takes, None: nobody knows."""
    sizes = [_size(message) for message in messages]
    fold_from, most_unfolded = FOLD_FROM, MOST_UNFOLDED
    if context is not None:
        left = int(OF_CONTEXT * context) - sizes[0]
        fold_from, most_unfolded = min(fold_from, left), min(most_unfolded, left)
    if sum(sizes[1:]) < fold_from:
        return messages
    old = max(1, len(messages) - 2 * UNFOLDED)
    while sum(sizes[old:]) > most_unfolded and old < len(messages) - 2:
        old += 2
    return (*messages[:1], *map(_fold, messages[1:old]), *messages[old:])


def no_longer_shown(before: Messages, after: Messages) -> Iterator[ToolCall]:
    """The calls whose results were there before the conversation was folded, and are not after it."""
    for turn, whole, short in zip(before, before[1:], after[1:], strict=False):
        if short is not whole:
            for call, was, now in zip(turn.calls, whole.results, short.results, strict=False):
                if was != now:
                    yield call


def _size(message: Message) -> int:
    """Tokens of what is sent of it. What a service keeps of its own reply holds mostly the same once more."""
    said = estimate(message.text) + sum(estimate(call.arguments) for call in message.calls)
    return max(said, estimate(message.state)) + sum(estimate(result.text) for result in message.results)


def _fold(message: Message) -> Message:
    short = msgspec.structs.replace(
        message,
        text=_fold_text(message.text),
        calls=tuple(map(_fold_call, message.calls)),
        results=tuple(map(_fold_result, message.results)),
        state="",
    )
    return message if short == message else short


def _fold_text(text: str) -> str:
    if len(text) <= _SHORT:
        return text
    return f"{text[:_KEPT]} [{len(text) - _KEPT} more characters were here]"


def _fold_result(result: ToolResult) -> ToolResult:
    if len(result.text) <= _SHORT:
        return result
    first, _, rest = result.text.partition("\n")
    lines = rest.count("\n") + 1 if rest else 0
    how_much = counted(lines, "more line") if lines else counted(len(first) - _KEPT, "more character")
    text = f"{first[:_KEPT]} [{how_much} left out here; ask again if you need them]"
    return msgspec.structs.replace(result, text=text)


def _fold_call(call: ToolCall) -> ToolCall:
    if len(call.arguments) <= _SHORT:
        return call
    given = _object(call.arguments)
    kept: dict[str, object] = {}
    left = _KEPT
    for name, value in given.items():
        if isinstance(value, str | bool) and (cost := len(msgspec.json.encode({name: value}))) <= left:
            kept[name] = value
            left -= cost
    others = ", ".join(name for name in given if name not in kept and name.isidentifier())
    kept[FOLDED] = f"{len(call.arguments)} characters were here: {others}"[:_ARGUMENTS]
    return msgspec.structs.replace(call, arguments=msgspec.json.encode(kept).decode())


def _object(arguments: str) -> dict[str, object]:
    """The arguments; nothing where they are no object, or none that can be read."""
    try:
        given = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
