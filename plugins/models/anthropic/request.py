"""A request in the words of the Messages API."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from treadle import ModelRequest
from treadle.plugins.models.anthropic.access import THINKING
from treadle.plugins.models.anthropic.turns import turns

MOST_TOKENS = 8_192
"""Tokens of a reply where the request does not bound it: the API wants a bound, and every model takes this one."""

_WITH_SAMPLING = {"anthropic-version": "2023-06-01"}
"""The last version of the API that knows `temperature` and `top_p`; which models still take them is theirs to say."""

_CACHE = {"type": "ephemeral"}
_CACHED_TURNS = 2
"""Marks on the conversation: one where this request ends, for the next to begin with, and one where the request before
it ended, since the service does not look back far. With tools and system they are the four that a request may have."""


def prompt(request: ModelRequest, *, thinking: str, without: Collection[str] = ()) -> dict[str, Any]:
    """What is read: model, system, tools and conversation. Earlier reasoning with the seals `without` is left out."""
    said: dict[str, Any] = {
        "model": request.model.partition("/")[2],
        "messages": turns(request, without=without),
    }
    if request.system.strip():
        said["system"] = [{"type": "text", "text": request.system}]
    if request.tools:
        said["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    configuration = THINKING.get(thinking)
    if configuration:
        said["thinking"] = configuration
    return said


def parameters(request: ModelRequest, *, thinking: str, without: Collection[str] = ()) -> dict[str, Any]:
    """The whole request, marked for the service's prompt cache."""
    said = prompt(request, thinking=thinking, without=without)
    _mark(said)
    said["max_tokens"] = request.max_tokens or MOST_TOKENS
    said["stream"] = True
    sampling = {"temperature": request.temperature, "top_p": request.top_p}
    given = {name: value for name, value in sampling.items() if value is not None}
    if given:
        # The SDK has no arguments for them any more.
        said["extra_body"] = given
        said["extra_headers"] = _WITH_SAMPLING
    return said


def _mark(said: dict[str, Any]) -> None:
    for part in ("tools", "system"):
        if said.get(part):
            said[part][-1]["cache_control"] = _CACHE
    if len(said["messages"]) == 1 and not said.get("tools"):
        return  # one question, which nobody will go on from: writing it to the cache would only cost
    asked = [turn for turn in said["messages"] if turn["role"] == "user"]
    for turn in asked[-_CACHED_TURNS:]:
        turn["content"][-1]["cache_control"] = _CACHE
