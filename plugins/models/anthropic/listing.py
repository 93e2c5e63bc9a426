"""Which models the service has now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import Context, ModelFailure, Offer, OfferedModel
from treadle.plugins.models.anthropic import failures, service
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.talking import OutOfTime
from treadle.plugins.models.told import room

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

LISTED_S = 10.0
"""Seconds in which the list must be there."""
_PAGE = 1000
_MOST_PAGES = 10


class _Model(msgspec.Struct):
    id: str
    max_input_tokens: Any = None


class _Page(msgspec.Struct):
    data: list[_Model]
    has_more: bool = False
    last_id: str | None = None


def offer(access: Access, context: Context, most_s: float | None = None) -> Offer:
    """The models, or why there are none, within `most_s` seconds, where those are told. Raises `Stopped`."""
    seconds = LISTED_S if most_s is None else min(LISTED_S, most_s)
    try:
        models = service.run(_models, access, seconds=seconds, cancelled=context.cancelled)
    except OutOfTime:
        return Offer(missing=failures.late(seconds, access).message, set_up=access.set_up)
    except failures.expected() as error:
        return Offer(missing=_why(failures.failure(error, access), access), set_up=access.set_up)
    offered = tuple(OfferedModel(name=model.id, context=room(model.max_input_tokens), tools=True) for model in models)
    missing = "" if offered else "Anthropic lists no models for this key; ask for another"
    return Offer(models=offered, missing=missing, set_up=access.set_up)


def _why(failure: ModelFailure, access: Access) -> str:
    if failure.trouble != "unknown model":
        return failure.message
    return f"no models are listed at {access.base_url}: check plugins.anthropic.base_url, or name the model you want"


async def _models(client: AsyncAnthropic) -> list[_Model]:
    found: list[_Model] = []
    after: Mapping[str, Any] = {}
    for _ in range(_MOST_PAGES):
        answer = await client.models.with_raw_response.list(limit=_PAGE, timeout=LISTED_S, **after)
        page = msgspec.json.decode(answer.http_response.content, type=_Page)
        found += page.data
        if not page.has_more or not page.last_id:
            break
        after = {"after_id": page.last_id}
    return found
