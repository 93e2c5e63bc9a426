"""One request to a model, from the first byte sent to the whole reply, or to the reason why there is none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import Context, ModelFailure, ModelReply, ModelRequest, ToolCall, Usage
from treadle.core.models.messages import StopReason
from treadle.plugins.models.anthropic import failures, service
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.anthropic.request import parameters
from treadle.plugins.models.anthropic.stream import Answer, Broken
from treadle.plugins.models.anthropic.turns import THINKING, Block, state_of, text_of
from treadle.plugins.models.deltas import Deltas
from treadle.plugins.models.pace import unhurried
from treadle.plugins.models.talking import OutOfTime
from treadle.plugins.models.troubles import refuse_web_page

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MOST_S = 600.0
"""Seconds for a reply where the request does not bound them."""
_MOST_PAUSES = 8
"""How often a turn that the service pauses is gone on with."""
_DRAIN_S = 0.5

_STOPS: Mapping[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


def reply(request: ModelRequest, access: Access, context: Context) -> ModelReply | ModelFailure:
    """Ask the model. What it says is shown while it comes. Raises `Stopped`."""
    seconds = request.seconds or MOST_S
    deltas = Deltas(context.delta)
    answers: list[Answer] = []

    async def ask(client: AsyncAnthropic) -> None:
        await _converse(client, request, access, answers, deltas.add)

    try:
        service.run(ask, access, seconds=seconds, cancelled=context.cancelled, look=deltas.show)
    except OutOfTime:
        return _partly(failures.late(seconds, access, begun=any(answer.begun for answer in answers)), answers)
    except failures.expected() as error:
        return _partly(failures.failure(error, access, begun=any(answer.begun for answer in answers)), answers)
    return _reply(answers)


def _partly(failure: ModelFailure, answers: Sequence[Answer]) -> ModelFailure:
    """The failure with what had come of the answers by then."""
    return msgspec.structs.replace(failure, written=sum(answer.bound.tokens for answer in answers))


async def _converse(
    client: AsyncAnthropic,
    request: ModelRequest,
    access: Access,
    answers: list[Answer],
    said: Callable[[str, bool], None],
) -> None:
    """Fill `answers`: one, or more when the service pauses its turn."""
    asked = parameters(request, thinking=access.thinking)
    for _ in range(_MOST_PAUSES + 1):
        answer = Answer(said, asked["max_tokens"])
        answers.append(answer)
        try:
            await _ask(client, asked, access, answer)
        except failures.expected() as error:
            if not failures.refuses_reasoning(error) or len(answers) > 1:
                raise
            asked = parameters(request, thinking=access.thinking, reasoning=False)
            await _ask(client, asked, access, answer)
        if answer.stop != "pause_turn":
            return
        asked = _gone_on(asked, answers)


async def _ask(client: AsyncAnthropic, asked: Mapping[str, Any], access: Access, answer: Answer) -> None:
    from anthropic import AsyncStream, Timeout

    timeout = Timeout(access.silence_s, connect=min(10.0, access.silence_s))
    stream = await client.messages.create(**asked, timeout=timeout)
    async with stream:
        refuse_web_page(stream.response.headers.get("content-type", ""))
        events = AsyncStream.raw_events(stream.response)
        async for event in unhurried(events):
            answer.take(event.event, event.data)
            if answer.whole:
                break
        if not answer.whole:
            raise Broken("it ends in the middle")
        with contextlib.suppress(TimeoutError, *failures.expected()):
            async with asyncio.timeout(_DRAIN_S):  # the end of the stream leaves the connection for the next request
                async for _ in events:
                    pass


def _gone_on(asked: Mapping[str, Any], answers: Sequence[Answer]) -> dict[str, Any]:
    """The same request, with the turn so far as its last message."""
    latest = answers[-1]
    turn = {"role": "assistant", "content": latest.content}
    following = {**asked, "messages": [*asked["messages"], turn]}
    return following | {"container": latest.container} if latest.container else following


def _reply(answers: Sequence[Answer]) -> ModelReply:
    content = [block for answer in answers for block in answer.content]
    stop = _STOPS.get(answers[-1].stop, "unknown")
    calls = tuple(
        ToolCall(id=id, name=name, arguments=arguments or ("" if stop == "length" else "{}"))
        for answer in answers
        for id, name, arguments in answer.calls
    )
    kept = [block for block in content if not _is_cut(block)]
    text = text_of(kept)
    return ModelReply(
        text=text,
        calls=calls,
        stop=stop,
        usage=_total([answer.usage for answer in answers]),
        model=answers[-1].model,
        thinking="".join(str(block.get("thinking") or "") for block in content if block.get("type") == "thinking"),
        state=state_of(kept, text, calls),
    )


def _is_cut(block: Block) -> bool:
    """Whether it would be refused when it is given back: reasoning that was not signed, text without words."""
    kind = block.get("type")
    if kind in THINKING:
        return kind == "thinking" and not block.get("signature")
    return kind == "text" and not str(block.get("text") or "").strip()


def _total(usages: Sequence[Usage | None]) -> Usage | None:
    told = [usage for usage in usages if usage is not None]
    names = Usage.__struct_fields__
    totals = {name: sum(getattr(usage, name) for usage in told) for name in names}
    return msgspec.convert(totals, Usage) if len(told) == len(usages) else None
