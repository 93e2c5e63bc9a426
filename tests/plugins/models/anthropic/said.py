"""Streamed answers of the Messages API, as the service would send them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from tests.plugins.models.scripted_service import END, STREAM, chunk

Block = dict[str, Any]
USAGE = {"input_tokens": 11, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 5, "output_tokens": 1}


def event(kind: str, **data: object) -> bytes:
    """One event of the stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()


def begin(model: str = "claude-test") -> bytes:
    """The event with which an answer begins."""
    return event("message_start", message={"id": "msg_1", "role": "assistant", "model": model, "usage": USAGE})


def text(index: int, *pieces: str) -> bytes:
    """A part that is text."""
    return part(index, {"type": "text", "text": ""}, ({"type": "text_delta", "text": piece} for piece in pieces))


def thinking(index: int, pieces: Sequence[str], signature: str = "c2lnbmVk") -> bytes:
    """A part that is reasoning."""
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    signed = [{"type": "signature_delta", "signature": signature}] if signature else []
    return part(index, {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, *signed])


def call(index: int, name: str, *pieces: str, id: str = "") -> bytes:
    """A part that is a call; its id is told by its place and what it says, unless it is given."""
    id = id or f"toolu_{index}{zlib.crc32(f'{name}{pieces}'.encode()):08x}"
    block = {"type": "tool_use", "id": id, "name": name, "input": {}}
    return part(index, block, ({"type": "input_json_delta", "partial_json": piece} for piece in pieces))


def part(index: int, block: Block, deltas: Iterable[Block] = ()) -> bytes:
    """Any part."""
    return b"".join(
        (
            event("content_block_start", index=index, content_block=block),
            *(event("content_block_delta", index=index, delta=delta) for delta in deltas),
            event("content_block_stop", index=index),
        )
    )


def end(stop: str | None = "end_turn", **more: object) -> bytes:
    """The events with which an answer ends."""
    delta = {"stop_reason": stop, "stop_sequence": None, **more}
    return event("message_delta", delta=delta, usage={"output_tokens": 42}) + event("message_stop")


def answer(*parts: bytes, stop: str | None = "end_turn") -> bytes:
    """A whole answer over HTTP."""
    return STREAM + chunk(begin() + b"".join(parts) + end(stop)) + END


def error(status: int, kind: str, message: str) -> Block:
    """The body of an error."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": f"req_{status}"}
