"""One request to a model, from the first byte sent to the whole reply, or to the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treadle import Context, ModelFailure, ModelReply, ModelRequest
from treadle.plugins.models import talking
from treadle.plugins.models.deltas import Deltas
from treadle.plugins.models.openai_compatible import failures
from treadle.plugins.models.openai_compatible.answer import Answer
from treadle.plugins.models.openai_compatible.events import data_of
from treadle.plugins.models.openai_compatible.request import parameters
from treadle.plugins.models.openai_compatible.sdk import SDK
from treadle.plugins.models.openai_compatible.services import Service
from treadle.plugins.models.pace import unhurried

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MOST_S = 600.0
"""Seconds for a reply where the request does not bound them."""
NO_KEY = "none"
"""What is sent as a key where none is needed: the SDK wants one."""

_clients: dict[tuple[str, str], AsyncOpenAI] = {}


def reply(request: ModelRequest, model: str, service: Service, context: Context) -> ModelReply | ModelFailure:
    """Ask the model. What it says is shown while it comes. Raises `Stopped`."""
    seconds = request.seconds or MOST_S
    deltas = Deltas(context.delta)
    answers: list[Answer] = []
    SDK.wait(context.cancelled)

    async def ask() -> ModelReply:
        for with_usage in (True, False):
            answer = Answer(deltas.add)
            answers.append(answer)
            try:
                await _ask(parameters(request, model, service, with_usage=with_usage), service, answer)
                break
            except failures.expected() as error:
                if not with_usage or not failures.refuses_counting(error):
                    raise
        return answers[-1].reply()

    try:
        return talking.run(ask(), seconds=seconds, cancelled=context.cancelled, look=deltas.show)
    except talking.OutOfTime:
        return failures.late(seconds, service, begun=any(answer.begun for answer in answers))
    except failures.expected() as error:
        return failures.failure(error, service)


async def _ask(asked: dict[str, Any], service: Service, answer: Answer) -> None:
    from openai import Timeout

    timeout = Timeout(service.silence_s, connect=min(10.0, service.silence_s))
    client = _client(service)
    async with client.chat.completions.with_streaming_response.create(**asked, timeout=timeout) as response:
        pieces = response.http_response.aiter_bytes()
        if "json" in response.headers.get("content-type", ""):
            answer.take(b"".join([piece async for piece in pieces]))  # it does not stream
            return
        async for data in data_of(unhurried(pieces)):
            if data:
                answer.take(data)
            if answer.done:
                return


def _client(service: Service) -> AsyncOpenAI:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    place = (service.base_url, service.key)
    if place not in _clients:
        if not _clients:
            talking.at_the_end(_close)
        # Retries are Treadle's business; code is sent to the address that the person has set and nowhere else. What the
        # SDK would take from the environment (organisation, project) belongs to OpenAI's own service.
        none = None if service.name == "openai" else ""
        _clients[place] = AsyncOpenAI(
            api_key=service.key or NO_KEY,
            base_url=service.base_url,
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(follow_redirects=False),
            organization=none,
            project=none,
        )
    return _clients[place]


async def _close() -> None:
    for client in _clients.values():
        await client.close()
