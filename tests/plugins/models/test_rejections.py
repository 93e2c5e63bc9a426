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
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "function": {"name": "f"}}]}
ANSWER = {"role": "tool", "tool_call_id": "t1", "content": "1"}
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
        ({"messages": [EMPTY]}, "messages.0: text content blocks must be non-empty"),
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
