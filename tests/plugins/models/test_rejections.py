"""The service of these tests refuses what the real ones refuse, so that no provider is praised for sending it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.plugins.models.rejections import CHAT, MESSAGES, rejection
from tests.plugins.models.scripted_service import serving, whole

Body = dict[str, Any]
HELLO = {"role": "user", "content": "Hello?"}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1"}]}
CALL: Body = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "function": {"name": "f"}}]}
ANSWER = {"role": "tool", "tool_call_id": "t1", "content": "1"}


def use(id: str = "t1", name: str = "f", given: object = None) -> Body:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": given or {}}]}


def call(id: str = "t1", name: str = "f", arguments: str = "{}") -> Body:
    return {"role": "assistant", "tool_calls": [{"id": id, "function": {"name": name, "arguments": arguments}}]}


THOUGHT = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}
EMPTY = {"role": "user", "content": [{"type": "text", "text": ""}]}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"messages": [HELLO, USE, RESULT]}, None),
        ({"messages": []}, "messages: at least one message is required"),
        ({"model": ""}, "model: Field required"),
        ({"max_tokens": None}, "max_tokens: Field required"),
        ({"messages": [HELLO, USE]}, "tool_use ids without tool_result blocks after them: t1"),
        ({"messages": [HELLO, USE, HELLO]}, "messages.2: tool_use ids without tool_result blocks after them: t1"),
        ({"messages": [HELLO, RESULT]}, "messages.1: unexpected tool_use_id in tool_result blocks: t1"),
        ({"messages": [EMPTY]}, "messages.0: text content blocks must contain non-whitespace text"),
        (
            {"messages": [HELLO, use("a.b:0")]},
            "messages.1: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        ),
        ({"messages": [HELLO, USE, RESULT, USE, RESULT]}, "messages.3: `tool_use` ids must be unique"),
        (
            {"messages": [HELLO, use(name="a b")]},
            "messages.1: tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
        ),
        ({"messages": [HELLO, use(given=[1])]}, "messages.1: tool_use.input: Input should be a valid dictionary"),
        ({"messages": [HELLO, THOUGHT]}, "messages.1: The final block in an assistant message cannot be `thinking`."),
        ({"messages": [{"role": "user", "content": ""}]}, "messages.0: all messages must have non-empty content"),
        ({"tools": [{"name": "a.b"}]}, "tools: the name 'a.b' should match '[a-zA-Z0-9_-]{1,64}'"),
    ],
)
def test_what_the_messages_protocol_refuses(body: Body, why: str | None) -> None:
    sent = {"model": "m", "max_tokens": 9, "messages": [HELLO], **body}
    assert rejection(MESSAGES, {"anthropic-version": "v"}, sent) == why


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"messages": [HELLO, CALL, ANSWER]}, None),
        ({"messages": []}, "messages: at least one message is required"),
        ({"stream_options": {"include_usage": True}}, "The 'stream_options' parameter is only allowed when"),
        ({"messages": [HELLO, CALL]}, "These tool_call_ids have no response messages: t1"),
        ({"messages": [HELLO, CALL, HELLO]}, "messages.2: these tool_call_ids have no response messages: t1"),
        ({"messages": [HELLO, ANSWER]}, "messages.1: 'tool' must be a response to a preceding message"),
        ({"messages": [HELLO, HELLO]}, "messages.1: Conversation roles must alternate"),
        ({"messages": [HELLO, CALL, ANSWER, HELLO]}, "messages.3: Unexpected role 'user' after role 'tool'"),
        (
            {"messages": [HELLO, {"role": "assistant", "content": None}]},
            "messages.1: Assistant message must have either content or tool_calls.",
        ),
        (
            {"messages": [HELLO, {**CALL, "tool_calls": CALL["tool_calls"] * 2}]},
            "messages.1: the ids of tool_calls must be unique",
        ),
        (
            {"messages": [HELLO, call(id="x" * 41)], "model": "gpt"},
            "Invalid 'messages[1].tool_calls.id': string too long",
        ),
        ({"messages": [HELLO, call(name="")]}, "Invalid 'messages[1].tool_calls.function.name': string does not match"),
        ({"messages": [HELLO, call(arguments="[1]")]}, "Failed to parse tool call arguments as JSON"),
        ({"messages": [HELLO, call(arguments="{")]}, "Failed to parse tool call arguments as JSON"),
        ({"messages": [HELLO, call()], "model": "mistral-x"}, "Tool call id was t1 but must be a-z, A-Z, 0-9, with"),
        ({"messages": [HELLO, call()], "model": "gemini-x"}, "Function call is missing a thought_signature"),
        ({"tools": [{"function": {"name": "ä"}}]}, "tools: the name 'ä' should match"),
    ],
)
def test_what_the_chat_completions_protocol_refuses(body: Body, why: str | None) -> None:
    told = rejection(CHAT, {}, {"model": "m", "messages": [HELLO], **body})
    assert told is None if why is None else (told or "").startswith(why)


def test_what_is_no_request_is_refused_and_what_is_none_of_these_is_not() -> None:
    assert rejection(MESSAGES, {}, {}) == "anthropic-version: header is required"
    assert rejection(CHAT, {}, ["no object"]) == "The body is no JSON object"
    assert rejection("/v1/models", {}, None) is None


def test_a_refused_request_takes_no_answer_away() -> None:
    with serving() as service:
        service.will(whole(200, {"said": "Yes."}))
        statuses = []
        for messages in ([], [HELLO]):
            body = json.dumps({"model": "m", "messages": messages}).encode()
            request = urllib.request.Request(service.url + CHAT, data=body)
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            try:
                with opener.open(request, timeout=20) as answer:
                    statuses.append(answer.status)
            except urllib.error.HTTPError as error:
                error.close()
                statuses.append(error.code)
    assert statuses == [400, 200]
