"""Requests that the real services refuse, whatever a test has laid ready: what a provider must not send."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

MESSAGES, COUNT_TOKENS, CHAT = "/v1/messages", "/v1/messages/count_tokens", "/v1/chat/completions"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def rejection(path: str, headers: Mapping[str, str], body: Any) -> str | None:
    """Why the request is refused, with a 400; None where it is not."""
    if path in (MESSAGES, COUNT_TOKENS):
        return next(_of_messages(path, headers, body), None)
    return next(_of_chat(body), None) if path == CHAT else None


def _of_messages(path: str, headers: Mapping[str, str], body: Any) -> Iterator[str]:
    if not headers.get("anthropic-version"):
        yield "anthropic-version: header is required"
    yield from _of_any(body)
    if path == MESSAGES and not isinstance(body.get("max_tokens"), int):
        yield "max_tokens: Field required"
    for tool in body.get("tools") or ():
        yield from _of_name(tool.get("name"))
    called: set[str] = set()
    for place, message in enumerate(body["messages"]):
        parts = message.get("content")
        if not parts:
            yield f"messages.{place}: all messages must have non-empty content"
        parts = parts if isinstance(parts, list) else []
        if any(part.get("type") == "text" and not part.get("text") for part in parts):
            yield f"messages.{place}: text content blocks must be non-empty"
        answered = {part["tool_use_id"] for part in parts if part.get("type") == "tool_result"}
        if without := called - answered:
            yield f"messages.{place}: tool_use ids without tool_result blocks after them: {_listed(without)}"
        if beyond := answered - called:
            yield f"messages.{place}: unexpected tool_use_id in tool_result blocks: {_listed(beyond)}"
        called = {part["id"] for part in parts if part.get("type") == "tool_use"}
    if called:
        yield f"tool_use ids without tool_result blocks after them: {_listed(called)}"


def _of_chat(body: Any) -> Iterator[str]:
    yield from _of_any(body)
    if body.get("stream_options") and not body.get("stream"):
        yield "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    for tool in body.get("tools") or ():
        yield from _of_name((tool.get("function") or {}).get("name"))
    called: set[str] = set()
    for place, message in enumerate(body["messages"]):
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in called:
                yield f"messages.{place}: 'tool' must be a response to a preceding message with 'tool_calls'."
            called.discard(message.get("tool_call_id"))
            continue
        if called:
            yield f"messages.{place}: these tool_call_ids have no response messages: {_listed(called)}"
        called = {call["id"] for call in message.get("tool_calls") or ()}
    if called:
        yield f"These tool_call_ids have no response messages: {_listed(called)}"


def _of_any(body: Any) -> Iterator[str]:
    """What both protocols want. What follows may rely on it: a generator goes on only after what it has yielded."""
    if not isinstance(body, Mapping):
        yield "The body is no JSON object"
        return
    if not body.get("model"):
        yield "model: Field required"
    if not body.get("messages"):
        yield "messages: at least one message is required"


def _of_name(name: object) -> Iterator[str]:
    if not _NAME.fullmatch(str(name or "")):
        yield f"tools: the name {name!r} should match '{_NAME.pattern}'"


def _listed(ids: set[str]) -> str:
    return ", ".join(sorted(ids))
