"""Whether a request fits into what Ollama has room for.

Ollama shortens a prompt that is longer than its context, says nothing of it, and counts only what it kept; by its
protocol of OpenAI's nobody can ask for more room, or for an error. So it is asked for the room before the prompt is
sent: a model that was told half of the task is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import Usage
from treadle.core.models.tokens import estimate
from treadle.plugins.models import told
from treadle.plugins.models.openai_compatible.services import Service

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LEAST_TOKENS = 2_000
"""Prompts of fewer fit into any context that Ollama has by itself."""
_FAR_BELOW = 3
"""No text has so many times fewer tokens than are estimated."""


class DoesNotFit(Exception):
    """The prompt would be shortened, or was. The text says by how much."""


class Loaded(msgspec.Struct):
    """A model that it has loaded, and the tokens that it has room for with it."""

    name: str
    context_length: Any = None


class _Running(msgspec.Struct):
    models: list[Loaded] = []


def root(service: Service) -> str:
    """Where its own protocol begins."""
    return service.base_url.removesuffix("/v1")


def running(answer: bytes) -> list[Loaded]:
    """What it says of the models that it has loaded. Raises `ValueError` and `RecursionError`."""
    return msgspec.json.decode(answer, type=_Running).models


def loaded(model: str, among: Iterable[Loaded]) -> Loaded | None:
    """The model among them, by any of its names."""
    return next((each for each in among if _whole(each.name) == _whole(model)), None)


def runs_elsewhere(model: str) -> bool:
    """Whether it is what Ollama calls a cloud model, which has its whole context."""
    return model.endswith(("-cloud", ":cloud"))


def tokens_of(asked: dict[str, Any]) -> int:
    """The tokens of a request's prompt, roughly and rather too many."""
    texts = [message.get("content") or "" for message in asked["messages"]]
    rest = ([message.get("tool_calls") for message in asked["messages"]], asked.get("tools"))
    return sum(map(estimate, texts)) + estimate(msgspec.json.encode(rest).decode())


async def room(client: AsyncOpenAI, service: Service, model: str) -> int | None:
    """The tokens that prompt and reply may have together, None when it does not tell. The model is loaded for it, as
    it would be for the request. Raises the SDK's errors of a connection."""
    for again in (False, True):
        found = loaded(model, await _running(client, service))
        if found is not None:
            return told.room(found.context_length) or service.context
        if again or not await _load(client, service, model):
            break
    return service.context


def check_room(tokens: int, room: int | None) -> None:
    """Raises `DoesNotFit`."""
    if room is not None and tokens > room:
        raise DoesNotFit(f"the prompt has about {tokens} tokens, and ollama has room for {room}")


def check_whole(tokens: int, usage: Usage | None) -> None:
    """Whether the prompt was read whole, as far as its length tells. Raises `DoesNotFit`."""
    read = usage.input + usage.cache_read + usage.cache_written if usage else 0
    if read and tokens > LEAST_TOKENS and tokens > read * _FAR_BELOW:
        raise DoesNotFit(f"of a prompt of about {tokens} tokens ollama read {read}")


async def _running(client: AsyncOpenAI, service: Service) -> list[Loaded]:
    import httpx2
    from openai import APIStatusError

    try:
        answer = await client.get(
            f"{root(service)}/api/ps", cast_to=httpx2.Response, options={"timeout": service.silence_s}
        )
        return running(answer.content)
    except (APIStatusError, ValueError, RecursionError):
        return []  # an old one


async def _load(client: AsyncOpenAI, service: Service, model: str) -> bool:
    import httpx2
    from openai import APIStatusError, Timeout

    try:
        await client.post(
            f"{root(service)}/api/generate",
            body={"model": model, "stream": False},
            cast_to=httpx2.Response,
            options={"timeout": Timeout(service.silence_s, connect=10.0)},
        )
    except APIStatusError:
        return False  # the request itself will say why
    return True


def _whole(name: str) -> str:
    return (name if ":" in name.rpartition("/")[2] else f"{name}:latest").lower()
