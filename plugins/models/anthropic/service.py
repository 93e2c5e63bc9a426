"""Talking to the service: one client for each address and key, until the process ends."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from treadle.plugins.models import talking
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.anthropic.sdk import SDK
from treadle.plugins.models.own_headers import OwnHeaders
from treadle.plugins.models.sending import watch_request
from treadle.plugins.models.way import http_client

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

T = TypeVar("T")

_clients: dict[tuple[str, str], AsyncAnthropic] = {}


def run(
    work: Callable[[AsyncAnthropic], Coroutine[Any, Any, T]],
    access: Access,
    *,
    seconds: float,
    cancelled: Callable[[], bool],
    look: Callable[[], None] = lambda: None,
) -> T:
    """As `talking.run`, with a client; the SDK's import is not in the seconds."""
    SDK.wait(cancelled)

    async def with_client() -> T:
        return await work(_client(access))

    return talking.run(with_client(), seconds=seconds, cancelled=cancelled, look=look)


def _client(access: Access) -> AsyncAnthropic:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

    key = (access.base_url, access.key)
    if key not in _clients:
        if not _clients:
            talking.at_the_end(_close)
        http = http_client(DefaultAsyncHttpxClient, access.base_url)
        # Retries are Treadle's business.
        _clients[key] = client = AsyncAnthropic(
            api_key=access.key, base_url=access.base_url, max_retries=0, open_telemetry=False, http_client=http
        )
        http.event_hooks = {"request": [watch_request, OwnHeaders(client.auth_headers, kept=("anthropic-version",))]}
    return _clients[key]


async def _close() -> None:
    for client in _clients.values():
        await client.close()
