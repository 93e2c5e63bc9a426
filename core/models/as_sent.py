"""What went to a model of a request: the request as it was asked, with what was settled for the one that got it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from treadle.core.models.messages import ModelRequest

_SETTLED = ("max_tokens", "temperature", "top_p", "effort")
_FOR_TREADLE = ("role", "without_tools", "step", "seconds", "after_s")
"""Fields of a request that say whom to ask, and how; they are sent to nobody."""


def without_tools(request: ModelRequest) -> ModelRequest:
    """The request to a model that can't call tools: in their place is, in words, how it answers without."""
    system = "\n\n".join(filter(None, (request.system, request.without_tools)))
    return msgspec.structs.replace(request, system=system, tools=())


def settled(sent: ModelRequest) -> dict[str, Any]:
    """What a log tells of a request that is sent, besides what was asked for: plain values."""
    return {name: getattr(sent, name) for name in _SETTLED} | {"tools": bool(sent.tools)}


def as_sent(asked: ModelRequest, told: Mapping[str, Any]) -> dict[str, Any]:
    """What went to the model, as plain values. `told` is what the log says of it: its `model` and what `settled`
    answered; what an older log does not say is as it was asked."""
    if asked.tools and told.get("tools") is False:
        asked = without_tools(asked)
    plain: dict[str, Any] = msgspec.to_builtins(asked)
    said = {name: told[name] for name in ("model", *_SETTLED) if name in told}
    # A turn is packed without its defaults, and the role is said of each that is sent.
    turns = [{"role": turn.role} | packed for turn, packed in zip(asked.messages, plain["messages"], strict=True)]
    whole = {"model": "", "max_tokens": None} | plain | {"messages": turns} | said
    return {
        name: value for name, value in whole.items() if name not in _FOR_TREADLE and value not in (None, "", [], ())
    }
