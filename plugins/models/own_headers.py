"""The headers of a request. An SDK takes more of them from the environment, an organisation or another token, say: they
are meant for other programs, or for the company's own service, and not for the address that a person has set here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

_NEEDED = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
    | {"x-stainless-raw-response"}  # the SDKs themselves read it
)


class OwnHeaders:
    """Leaves a request only those headers that any service needs, and those of `kept`; and sets `own`."""

    def __init__(self, own: Mapping[str, str], kept: Collection[str] = ()) -> None:
        self._own = own
        self._kept = _NEEDED.union(kept)

    async def __call__(self, request: httpx2.Request) -> None:
        """What a client does with each request before it is sent."""
        for name in set(request.headers) - self._kept:
            del request.headers[name]
        request.headers.update(self._own)
