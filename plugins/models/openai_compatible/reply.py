"""One request to a model, from the first byte sent to the whole reply, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import Context, ModelFailure, ModelReply, ModelRequest
from treadle.plugins.models import talking
from treadle.plugins.models.deltas import Deltas
from treadle.plugins.models.openai_compatible import failures, ollama
from treadle.plugins.models.openai_compatible.answer import Answer
from treadle.plugins.models.openai_compatible.events import data_of, whole
from treadle.plugins.models.openai_compatible.listing import installed
from treadle.plugins.models.openai_compatible.request import Part, parameters
from treadle.plugins.models.openai_compatible.sdk import SDK
from treadle.plugins.models.openai_compatible.services import KNOWN, Service
from treadle.plugins.models.own_headers import OwnHeaders
from treadle.plugins.models.pace import unhurried
from treadle.plugins.models.sending import Sending, watch_request
from treadle.plugins.models.silence import growing
from treadle.plugins.models.troubles import refuse_web_page
from treadle.plugins.models.way import http_client

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MOST_S = 600.0
"""Seconds for a reply where the request does not bound them."""
NO_KEY = "none"
"""What is sent as a key where none is needed: the SDK wants one."""
_LASTING: frozenset[Part] = frozenset({"counting", "limit", "ids", "bare turns", "unsigned calls"})
"""What a server refuses whatever is asked of it; the rest hangs on the one request."""

_clients: dict[tuple[str, str], AsyncOpenAI] = {}
_learnt: dict[tuple[str, str], frozenset[Part]] = {}
"""What was refused before, by address and model: it is not sent again, to be refused again, until the process ends."""


def reply(request: ModelRequest, model: str, service: Service, context: Context) -> ModelReply | ModelFailure:
    """Ask the model. What it says is shown while it comes. Raises `Stopped`."""
    seconds = request.seconds or MOST_S
    deltas = Deltas(context.delta)
    answers: list[Answer] = []
    sending = Sending()
    SDK.wait(context.cancelled)

    def begun() -> Answer:
        deltas.end()
        answers.append(Answer(deltas.add, request.max_tokens, service=service.name))
        return answers[-1]

    async def ask() -> ModelReply:
        try:
            return await _ask(request, model, service, begun, sending)
        finally:
            deltas.end()

    try:
        return talking.run(ask(), seconds=seconds, cancelled=context.cancelled, look=deltas.show)
    except talking.OutOfTime:
        answering = any(answer.begun for answer in answers)
        found = failures.late(seconds, service, answering=answering, begun=answering or sending.sent)
    except failures.expected() as error:
        found = failures.failure(error, service, begun=any(answer.begun for answer in answers), sent=sending.sent)
        if found.trouble == "unknown model" and service.name == "ollama" and not failures.is_denied(error):
            return failures.not_installed(model, installed(service), service)
    return msgspec.structs.replace(found, written=sum(answer.bound.tokens for answer in answers))


async def _ask(
    request: ModelRequest, model: str, service: Service, begun: Callable[[], Answer], sending: Sending
) -> ModelReply:
    """The reply. What the service refuses of the request, and can be done without, is left out the next time."""
    place = (service.base_url, model)
    without: set[Part] = set(_learnt.get(place, ()))
    asked = parameters(request, model, service, without=without)
    while True:
        sending.sent = False
        try:
            reply = await _ask_once(asked, service, begun(), sending)
            _learnt[place] = _LASTING & without
            return reply
        except failures.expected() as error:
            without |= failures.refused_parts(error)
            before, asked = asked, parameters(request, model, service, without=without)
            if asked == before:
                raise


async def _ask_once(asked: dict[str, Any], service: Service, answer: Answer, sending: Sending) -> ModelReply:
    client = _client(service)
    if service.name != "ollama" or ollama.runs_elsewhere(asked["model"]):
        with sending.watched():
            await _read(asked, service, answer)
        return answer.reply()
    tokens = ollama.tokens_of(asked)
    room = await ollama.room(client, service, asked["model"]) if tokens > ollama.LEAST_TOKENS else None
    ollama.check_room(tokens, room)
    with sending.watched():
        await _read(asked, service, answer)
    reply = answer.reply()
    if room is None:
        ollama.check_whole(tokens, reply.usage)
    return reply


async def _read(asked: dict[str, Any], service: Service, answer: Answer) -> None:
    import httpx2
    from openai import Timeout

    timeout = Timeout(service.silence_s, connect=min(10.0, service.silence_s))
    client = _client(service)
    try:
        async with client.chat.completions.with_streaming_response.create(**asked, timeout=timeout) as response:
            pieces = response.http_response.aiter_bytes()
            kind = response.headers.get("content-type", "")
            refuse_web_page(kind)
            if "json" in kind:
                answer.take(await whole(pieces, answer.bound.bytes))  # it does not stream
                return
            async with growing(answer.bound, service.silence_s) as look:
                async for data in data_of(unhurried(pieces)):
                    if data:
                        answer.take(data)
                        look()
                    if answer.done:
                        return
    except httpx2.TransportError:
        if not answer.ended:  # what breaks after the end takes nothing away
            raise


def _client(service: Service) -> AsyncOpenAI:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    place = (service.base_url, service.key)
    if place not in _clients:
        if not _clients:
            talking.at_the_end(_close)
        http = http_client(DefaultAsyncHttpxClient, service.base_url)
        # What the SDK takes from the environment belongs to OpenAI's own address.
        key = {"authorization": f"Bearer {service.key}"} if service.key else {}
        own = [] if service.base_url == KNOWN["openai"].base_url else [OwnHeaders(key)]
        http.event_hooks = {"request": [watch_request, *own]}
        # Retries are Treadle's business.
        _clients[place] = AsyncOpenAI(
            api_key=service.key or NO_KEY, base_url=service.base_url, max_retries=0, http_client=http
        )
    return _clients[place]


async def _close() -> None:
    for client in _clients.values():
        await client.close()
