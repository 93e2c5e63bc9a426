"""What stays in a conversation of a reply of which nothing was done, and what its model is told of it."""

from __future__ import annotations

from treadle.core.models.messages import Message, ModelReply, ToolResult

MOST_CUT = 2
"""Replies that may be cut off at their limit, one after the other, and as many that may be, since nobody says."""
MOST_CHARACTERS = 400_000
"""Characters of a reply. A longer one is no work, and to send it back with each turn would use up any budget."""
KEPT_OF_CUT = 2_000
"""Characters that stay of words that were cut off. Nothing of them is done, and to send back all of them would fill the
context of a small model with what made it run on."""


def characters(reply: ModelReply) -> int:
    """How long it is, with the arguments of its calls."""
    return len(reply.text) + sum(len(call.arguments) for call in reply.calls)


def left_of(reply: ModelReply) -> tuple[Message, Message]:
    """What stays of a reply that was cut off, or is far too long, and what the model is told of it."""
    if characters(reply) <= MOST_CHARACTERS:
        return _begun(reply), _of_the_cut(reply)
    begun = reply.text[:200] or "(a reply that was far too long)"
    return Message(role="assistant", text=begun), _of_its_length(reply)


def _of_its_length(reply: ModelReply) -> Message:
    said = (
        f"That reply had {characters(reply)} characters, and nothing of it was done: at most {MOST_CHARACTERS} are "
        "taken. Send far less at once."
    )
    return Message(text=said)


def _begun(reply: ModelReply) -> Message:
    """The turn of a reply that was cut off: of long words their beginning, without what the service keeps of them.
    Calls stay, since each has its result."""
    if reply.calls or len(reply.text) <= KEPT_OF_CUT:
        return reply.turn
    left = len(reply.text) - KEPT_OF_CUT
    return Message(role="assistant", text=f"{reply.text[:KEPT_OF_CUT]} [{left} more characters were here]")


def _of_the_cut(reply: ModelReply) -> Message:
    if reply.stop == "circles":
        said = "Your reply said the same again and again, and was stopped: nothing of it was done. Say each thing once."
    else:
        said = (
            "Your reply was cut off at its limit, and nothing of it was done. Send less at once: one file, or an edit."
        )
    results = tuple(ToolResult(call=call.id, text=said, failed=True) for call in reply.calls)
    return Message(results=results) if results else Message(text=said)
