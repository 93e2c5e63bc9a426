"""Requests that the real services refuse, whatever a test has laid ready: what a provider must not send."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MESSAGES, COUNT_TOKENS, CHAT = "/v1/messages", "/v1/messages/count_tokens", "/v1/chat/completions"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_MISTRAL, _MISTRAL_ID = ("mistral", "codestral", "devstral"), re.compile(r"[a-zA-Z0-9]{9}")
_LONGEST_ID = 40


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
    seen: set[str] = set()
    for place, message in enumerate(body["messages"]):
        parts = message.get("content")
        if not parts:
            yield f"messages.{place}: all messages must have non-empty content"
        parts = parts if isinstance(parts, list) else []
        if any(part.get("type") == "text" and not part.get("text", "").strip() for part in parts):
            yield f"messages.{place}: text content blocks must contain non-whitespace text"
        if message.get("role") == "assistant" and parts and parts[-1].get("type") in ("thinking", "redacted_thinking"):
            yield f"messages.{place}: The final block in an assistant message cannot be `thinking`."
        for part in parts:
            if part.get("type") == "tool_use":
                yield from _of_use(f"messages.{place}", part, seen)
                seen.add(part["id"])
        answered = {part["tool_use_id"] for part in parts if part.get("type") == "tool_result"}
        if without := called - answered:
            yield f"messages.{place}: tool_use ids without tool_result blocks after them: {_listed(without)}"
        if beyond := answered - called:
            yield f"messages.{place}: unexpected tool_use_id in tool_result blocks: {_listed(beyond)}"
        called = {part["id"] for part in parts if part.get("type") == "tool_use"}
    if called:
        yield f"tool_use ids without tool_result blocks after them: {_listed(called)}"


def _of_use(where: str, part: Mapping[str, Any], seen: set[str]) -> Iterator[str]:
    if not _ID.fullmatch(part["id"]):
        yield f"{where}: tool_use.id: String should match pattern '^{_ID.pattern}$'"
    if part["id"] in seen:
        yield f"{where}: `tool_use` ids must be unique"
    if not _NAME.fullmatch(part["name"]):
        yield f"{where}: tool_use.name: String should match pattern '^{_NAME.pattern}$'"
    if not isinstance(part["input"], dict):
        yield f"{where}: tool_use.input: Input should be a valid dictionary"


def _of_chat(body: Any) -> Iterator[str]:
    """What the servers refuse that write a conversation into a template, and what the services of some models do:
    OpenAI's, Mistral's and Gemini's, which are known by their names."""
    yield from _of_any(body)
    if body.get("stream_options") and not body.get("stream"):
        yield "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    for tool in body.get("tools") or ():
        yield from _of_name((tool.get("function") or {}).get("name"))
    called: set[str] = set()
    before = ""
    for place, message in enumerate(body["messages"]):
        role, before = before, message.get("role")
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in called:
                yield f"messages.{place}: 'tool' must be a response to a preceding message with 'tool_calls'."
            called.discard(message.get("tool_call_id"))
            continue
        if called:
            yield f"messages.{place}: these tool_call_ids have no response messages: {_listed(called)}"
        if message.get("role") == "user" and role == "tool":
            yield f"messages.{place}: Unexpected role 'user' after role 'tool'"
        if message.get("role") == "user" and role == "user":
            yield f"messages.{place}: Conversation roles must alternate user/assistant/user/assistant/..."
        calls = message.get("tool_calls") or ()
        if message.get("role") == "assistant" and not calls and not message.get("content"):
            yield f"messages.{place}: Assistant message must have either content or tool_calls."
        for call in calls:
            yield from _of_call(f"messages[{place}].tool_calls", call, body["model"])
        if calls and body["model"].startswith("gemini") and not _signature(calls[0]):
            yield "Function call is missing a thought_signature in functionCall parts. This is required for tools."
        called = {call["id"] for call in calls}
        if len(called) < len(calls):
            yield f"messages.{place}: the ids of tool_calls must be unique"
    if called:
        yield f"These tool_call_ids have no response messages: {_listed(called)}"


def _of_call(where: str, call: Mapping[str, Any], model: str) -> Iterator[str]:
    id, function = call["id"], call["function"]
    if model.startswith(_MISTRAL) and not _MISTRAL_ID.fullmatch(id):
        yield f"Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."
    if model.startswith("gpt") and len(id) > _LONGEST_ID:
        yield f"Invalid '{where}.id': string too long. Expected a string with maximum length {_LONGEST_ID}"
    if not _NAME.fullmatch(function["name"]):
        yield f"Invalid '{where}.function.name': string does not match pattern '^{_NAME.pattern}$'."
    try:
        arguments = json.loads(function.get("arguments", "{}"))
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        yield "Failed to parse tool call arguments as JSON"


def _signature(call: Mapping[str, Any]) -> object:
    return ((call.get("extra_content") or {}).get("google") or {}).get("thought_signature")


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
