"""How many tokens a text is, roughly."""

from __future__ import annotations

import msgspec

from treadle.core.models.messages import ModelReply, ModelRequest

CHARACTERS = 3
"""Bytes of a text in UTF-8 that are taken for a token where nobody counts them; rather too few."""

_A_REQUEST, _A_TURN, _A_CALL, _A_TOOL, _A_NAME = 2_000, 200, 400, 100, 4
"""Tokens that can be added at most to what is asked, on its way to the model: by the service, which tells it how to
call tools; for each turn its role, the marks of a template, and words where it has none; for each call its ids, what
stands in for arguments that are no JSON and for a result that is missing, a signature; for each tool its marks; and a
name that no service takes is told again with its result, for each of its bytes."""


def estimate(text: str) -> int:
    """Tokens of the text where nobody counts them: a third of its bytes in UTF-8, rounded up; rather too many."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // CHARACTERS)


def estimate_request(request: ModelRequest) -> int:
    """The tokens of what is sent, roughly and rather too many: of all its texts as JSON."""
    return estimate(msgspec.json.encode((request.system, request.messages, request.tools)).decode())


def most_of_request(request: ModelRequest) -> int:
    """The tokens that what is sent can take at all: one for each byte, and what is added to it on its way."""
    calls = [call for turn in request.messages for call in turn.calls]
    names = sum(len(call.name.encode("utf-8", "surrogatepass")) for call in calls)
    added = _A_TURN * len(request.messages) + _A_CALL * len(calls) + _A_TOOL * len(request.tools) + _A_NAME * names
    return CHARACTERS * estimate_request(request) + _A_REQUEST + added


def estimate_reply(reply: ModelReply) -> int:
    """The tokens of what was written, roughly and rather too many: its words, its thinking and its calls."""
    return estimate(msgspec.json.encode((reply.text, reply.thinking, reply.calls)).decode())
