"""One request to a model, from the first byte sent to the whole reply, or to the reason why there is none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import Context, ModelFailure, ModelReply, ModelRequest, ToolCall
from treadle.core.models.messages import StopReason
from treadle.plugins.models.anthropic import failures, service
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.anthropic.request import parameters
from treadle.plugins.models.anthropic.stream import Answer, Broken
from treadle.plugins.models.anthropic.turns import THINKING, Block, leave_out, seals_of, state_of, text_of
from treadle.plugins.models.deltas import Deltas
from treadle.plugins.models.fitting import unsaid
from treadle.plugins.models.pace import unhurried
from treadle.plugins.models.sending import Sending
from treadle.plugins.models.silence import growing
from treadle.plugins.models.stops import CIRCLES, CUT, stop_reason
from treadle.plugins.models.talking import OutOfTime
from treadle.plugins.models.troubles import refuse_web_page

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MOST_S = 600.0
"""Seconds for a reply where the request does not bound them."""
_DRAIN_S = 0.5

_STOPS: Mapping[str, StopReason] = {
    "end_turn": "end",
    "pause_turn": "length",
    "stop_sequence": "end",
    "tool_use": "tool calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    CIRCLES: "circles",
    "refusal": "refusal",
}
"""A turn is paused for tools of the service's own, and none is asked for. One that is paused all the same is not whole,
and whoever asked may ask again, with what that may cost set aside first."""


def reply(request: ModelRequest, access: Access, context: Context) -> ModelReply | ModelFailure:
    """Ask the model. What it says is shown while it comes. Raises `Stopped`."""
    seconds = request.seconds or MOST_S
    deltas = Deltas(context.delta)
    asked = parameters(request, thinking=access.thinking)
    answer, sending = Answer(deltas.add, asked["max_tokens"]), Sending()

    async def read(client: AsyncAnthropic, asked: Mapping[str, Any]) -> None:
        with sending.watched():
            await _ask(client, asked, access, answer)

    async def ask(client: AsyncAnthropic) -> None:
        try:
            await read(client, asked)
        except failures.expected() as error:
            refused = seals_of(asked)
            if not refused or not failures.refuses_reasoning(error):
                raise
            await read(client, parameters(request, thinking=access.thinking, without=refused))
            leave_out(refused)
        finally:
            deltas.end()

    try:
        service.run(ask, access, seconds=seconds, cancelled=context.cancelled, look=deltas.show)
        return _reply(answer)
    except OutOfTime:
        found = failures.late(seconds, access, answering=answer.begun, begun=answer.begun or sending.sent)
    except failures.expected() as error:
        found = failures.failure(error, access, begun=answer.begun, sent=sending.sent)
    return msgspec.structs.replace(found, written=answer.bound.tokens)


async def _ask(client: AsyncAnthropic, asked: Mapping[str, Any], access: Access, answer: Answer) -> None:
    from anthropic import AsyncStream, Timeout

    timeout = Timeout(access.silence_s, connect=min(10.0, access.silence_s))
    stream = await client.messages.create(**asked, timeout=timeout)
    async with stream:
        refuse_web_page(stream.response.headers.get("content-type", ""))
        events = AsyncStream.raw_events(stream.response)
        async with growing(answer.bound, access.silence_s) as look:
            async for event in unhurried(events):
                answer.take(event.event, event.data)
                look()
                if answer.whole:
                    break
        if not answer.whole:
            raise Broken("it ends in the middle")
        if answer.stop == CIRCLES:
            return
        with contextlib.suppress(TimeoutError, *failures.expected()):
            async with asyncio.timeout(_DRAIN_S):  # the end of the stream leaves the connection for the next request
                async for _ in events:
                    pass


def _reply(answer: Answer) -> ModelReply:
    stop = stop_reason(answer.stop, _STOPS)
    calls = tuple(
        ToolCall(id=id, name=name, arguments=arguments or ("" if stop in CUT else "{}"))
        for id, name, arguments in answer.calls
    )
    content = answer.content
    kept = [block for block in content if not _is_cut(block)]
    text = text_of(kept)
    return ModelReply(
        text=unsaid(text),
        calls=calls,
        stop=stop,
        usage=answer.usage,
        model=answer.model,
        thinking="".join(str(block.get("thinking") or "") for block in content if block.get("type") == "thinking"),
        state=state_of(kept, text, calls),
    )


def _is_cut(block: Block) -> bool:
    """Whether it would be refused when it is given back: reasoning that was not signed, text without words."""
    kind = block.get("type")
    if kind in THINKING:
        return kind == "thinking" and not block.get("signature")
    return kind == "text" and not str(block.get("text") or "").strip()
