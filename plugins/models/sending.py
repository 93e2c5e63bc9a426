"""Whether a request was wholly sent: from then on its service may be at work on it, and ask money for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

_SENDS, _SENT = "send_request_body.started", "send_request_body.complete"
"""How the events end by which the connection tells it. It tells as well of what it asks a proxy ahead: for a way
through."""


class Sending:
    """One request to a model: `sent` once all of it was handed to the system. May be looked at from another thread."""

    def __init__(self) -> None:
        self.sent = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch what this task sends within the block: the request itself, and nothing that is asked ahead of it."""
        self.sent = False
        before = _watched.set(self)
        try:
            yield
        finally:
            _watched.reset(before)


_watched: ContextVar[Sending | None] = ContextVar("the request that is watched", default=None)


async def watch_request(request: httpx2.Request) -> None:
    """What a client does with each request before it is sent."""
    if (sending := _watched.get()) is None:
        return

    asks_a_proxy = False

    async def trace(event: str, info: dict[str, Any]) -> None:
        nonlocal asks_a_proxy
        if event.endswith(_SENDS):
            asks_a_proxy = info["request"].method == b"CONNECT"
        elif event.endswith(_SENT) and not asks_a_proxy:
            sending.sent = True

    request.extensions = {**request.extensions, "trace": trace}
