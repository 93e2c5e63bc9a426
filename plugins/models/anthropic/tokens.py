"""How many tokens a request has, as the service counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from treadle import Context, ModelRequest, NoPlugin
from treadle.plugins.models.anthropic import failures, service
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.anthropic.request import prompt
from treadle.plugins.models.talking import OutOfTime

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

COUNTED_S = 20.0


class _Count(msgspec.Struct):
    input_tokens: int


def count(request: ModelRequest, access: Access, context: Context) -> int:
    """The tokens that would be read. Raises `NoPlugin` when the service does not tell, so that they are estimated, and
    `Stopped`."""

    async def ask(client: AsyncAnthropic) -> int:
        asked = prompt(request, thinking=access.thinking)
        answer = await client.messages.with_raw_response.count_tokens(**asked, timeout=COUNTED_S)
        return msgspec.json.decode(answer.http_response.content, type=_Count).input_tokens

    seconds = min(COUNTED_S, request.seconds or COUNTED_S)
    try:
        return service.run(ask, access, seconds=seconds, cancelled=context.cancelled)
    except OutOfTime:
        raise NoPlugin(failures.late(seconds, access).message) from None
    except failures.expected() as error:
        raise NoPlugin(failures.failure(error, access).message) from None
