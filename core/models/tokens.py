"""How many tokens a text is, roughly."""

from __future__ import annotations

import msgspec

from treadle.core.models.messages import ModelReply, ModelRequest

CHARACTERS = 3
"""Bytes of a text in UTF-8 that are taken for a token where nobody counts them; rather too few."""


def estimate(text: str) -> int:
    """Tokens of the text where nobody counts them: a third of its bytes in UTF-8, rounded up; rather too many."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // CHARACTERS)


def estimate_request(request: ModelRequest) -> int:
    """The tokens of what is sent, roughly and rather too many: of all its texts as JSON."""
    return estimate(msgspec.json.encode((request.system, request.messages, request.tools)).decode())


def most_of_request(request: ModelRequest) -> int:
    """The tokens that what is sent can take at all: one for each byte."""
    return CHARACTERS * estimate_request(request)


def estimate_reply(reply: ModelReply) -> int:
    """The tokens of what was written, roughly and rather too many: its words, its thinking and its calls."""
    return estimate(msgspec.json.encode((reply.text, reply.thinking, reply.calls)).decode())
