"""Streamed answers of the Chat Completions API, as the service would send them."""

from __future__ import annotations

import json
from typing import Any

from tests.plugins.models.scripted_service import END, STREAM, chunk


def data(**chunk_of: object) -> bytes:
    """One event of a stream."""
    return b"data: " + json.dumps({"id": "c", "model": "m-1", **chunk_of}, ensure_ascii=False).encode() + b"\n\n"


def delta(finish: str | None = None, **said: object) -> bytes:
    """An event that says more."""
    return data(choices=[{"index": 0, "delta": said, "finish_reason": finish}])


def error(message: str, code: str = "") -> dict[str, object]:
    """The body of an error."""
    return {"error": {"message": message, "type": "x", "code": code or None}}


USAGE = {"prompt_tokens": 20, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5}}
DONE = b"data: [DONE]\n\n"


def call(index: int | None, id: str | None = None, name: str | None = None, arguments: str | None = None) -> Any:
    """A piece of a call."""
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def stream(*events: bytes) -> bytes:
    """A whole answer over HTTP."""
    return STREAM + chunk(b"".join(events)) + END


def words(text: str, finish: str = "stop") -> bytes:
    """An answer in words."""
    return stream(delta(role="assistant", content=text), delta(finish), data(choices=[], usage=USAGE), DONE)
