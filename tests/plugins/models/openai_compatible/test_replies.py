"""What a service of OpenAI's protocol says, as a reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import msgspec
import pytest

from tests.plugins.models.openai_compatible.conftest import ASK, KEY, Asked, bodies, called
from tests.plugins.models.openai_compatible.said import DONE, USAGE, call, data, delta, stream, words
from tests.plugins.models.scripted_service import END, STREAM, Service, chunk, whole
from treadle import Message, ModelRequest, Offer, OfferedModel, ToolCall, ToolResult, ToolSpec, Usage
from treadle.plugins.models import pace
from treadle.plugins.models.openai_compatible.events import data_of
from treadle.testing import Witness

TALK = ModelRequest(
    role="coder",
    system="Be brief.",
    messages=(
        Message(text="Look."),
        Message(
            role="assistant",
            text="I look.",
            calls=(
                ToolCall(id="a", name="read", arguments='{"path": "x"}'),
                ToolCall(id="b", name="list", arguments=""),
            ),
        ),
        Message(results=(ToolResult(call="a", text="1: x"),), text="Go on."),
    ),
    tools=(ToolSpec(name="read", description="Reads."),),
    max_tokens=50,
    temperature=0.5,
    effort="low",
)


def test_text_is_shown_while_it_comes_and_counted(service: Service, ask: Asked, witness: Witness) -> None:
    service.will(words("Good day."))
    reply = ask()
    assert (reply.text, reply.stop, reply.model) == ("Good day.", "end", "m-1")
    assert reply.usage == Usage(input=15, output=9, cache_read=5)
    assert ("delta", "Good day.", False) in witness.asked
    (asked,) = service.asked
    assert (asked.method, asked.path) == ("POST", "/v1/chat/completions")
    assert asked.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (
            {"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 12}},
            Usage(input=3, cache_read=5, cache_written=12),
        ),
        (
            {"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": None, "cache_write_tokens": 20}},
            Usage(cache_written=20),
        ),
        (
            {"prompt_tokens": 20, "prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 12},
            Usage(input=12, cache_read=8),
        ),
        (
            {"prompt_tokens": 20, "total_tokens": 1020, "prompt_tokens_details": {"cached_tokens": 1000}},
            Usage(input=20, cache_read=1000),
        ),
        (
            {
                "prompt_tokens": 20,
                "completion_tokens": 30,
                "total_tokens": 50,
                "completion_tokens_details": {"reasoning_tokens": 25},
            },
            Usage(input=20, output=30),
        ),
        (
            {
                "prompt_tokens": 20,
                "completion_tokens": 30,
                "total_tokens": 75,
                "prompt_tokens_details": {"cached_tokens": 4},
                "completion_tokens_details": {"reasoning_tokens": 25},
            },
            Usage(input=16, output=55, cache_read=4),
        ),
        ({"prompt_tokens": 20, "completion_tokens": 30, "total_tokens": 0}, Usage(input=20, output=30)),
    ],
    ids=["read and written", "written", "DeepSeek", "beside the prompt", "reasoning within", "beside", "no total"],
)
def test_each_token_is_counted_once_where_it_is_billed(
    service: Service, ask: Asked, told: dict[str, object], usage: Usage
) -> None:
    service.will(stream(delta(content="Yes."), delta("stop"), data(choices=[], usage=told), DONE))
    assert ask().usage == usage


@pytest.mark.parametrize(
    "told",
    [
        '{"prompt_tokens": "many", "completion_tokens": 3}',
        '{"prompt_tokens": 1.5, "completion_tokens": 3}',
        '{"prompt_tokens": 20, "completion_tokens": -100000}',
        '{"prompt_tokens": -20, "completion_tokens": 3}',
        '{"prompt_tokens": 20, "completion_tokens": 3, "total_tokens": -9}',
        '{"prompt_tokens": 20, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": -5}}',
        '{"prompt_tokens": 20, "completion_tokens": 3, "prompt_cache_hit_tokens": true}',
        '{"prompt_tokens": 20, "completion_tokens": 1000000000000000000000000000000}',
        '{"prompt_tokens": 20, "completion_tokens": NaN}',
        '{"prompt_tokens": 20, "prompt_tokens_details": "none"}',
        '"none"',
        "3",
    ],
)
def test_counts_that_make_no_sense_are_not_told_and_the_answer_holds(service: Service, ask: Asked, told: str) -> None:
    counts = f'data: {{"choices": [], "usage": {told}}}\n\n'.encode()
    service.will(stream(delta(content="Yes."), delta("stop"), counts, DONE))
    reply = ask()
    assert (reply.text, reply.stop, reply.usage) == ("Yes.", "end", None)
    assert len(service.asked) == 1


def test_counts_that_make_no_sense_take_those_before_them_away(service: Service, ask: Asked) -> None:
    early, late = data(choices=[], usage=USAGE), data(choices=[], usage={"prompt_tokens": "many"})
    service.will(stream(delta(content="Yes."), early, delta("stop"), late, DONE))
    assert ask().usage is None


def test_a_conversation_is_sent_as_it_was(service: Service, ask: Asked) -> None:
    service.will(words("Yes."))
    ask(TALK)
    (body,) = bodies(service)
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"path": "x"}'}},
                {"id": "b", "type": "function", "function": {"name": "list", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "1: x"},
        {"role": "tool", "tool_call_id": "b", "content": "This was not done."},
        {"role": "assistant", "content": "(no reply)"},
        {"role": "user", "content": "Go on."},
    ]
    assert (body["max_completion_tokens"], body["temperature"], body["reasoning_effort"]) == (50, 0.5, "low")
    assert "max_tokens" not in body
    assert "top_p" not in body
    assert body["tools"][0]["function"]["name"] == "read"


def test_another_service_is_told_its_own_words_and_no_key(service: Service, ask: Asked) -> None:
    service.will(words("Yes."))
    ask(TALK, "service/mine/some/model")
    (asked,) = service.asked
    assert (asked.body["model"], asked.body["max_tokens"]) == ("some/model", 50)
    assert KEY not in str(asked)


def test_calls_in_parallel_come_in_pieces(service: Service, ask: Asked) -> None:
    service.will(
        stream(
            delta(tool_calls=[call(0, "a", "read", "")]),
            delta(tool_calls=[call(1, "b", "list", '{"x"')]),
            delta(tool_calls=[call(0, None, None, '{"path": '), call(1, None, None, ": 1}")]),
            delta(tool_calls=[call(0, None, None, '"p"}')]),
            delta("tool_calls"),
            DONE,
        )
    )
    reply = ask()
    assert reply.stop == "tool calls"
    assert reply.calls == (
        ToolCall(id="a", name="read", arguments='{"path": "p"}'),
        ToolCall(id="b", name="list", arguments='{"x": 1}'),
    )


@pytest.mark.parametrize("number", [0, None])
def test_calls_that_share_a_number_are_told_apart(service: Service, ask: Asked, number: int | None) -> None:
    """Ollama numbers all of them 0; others make up another id for each piece of one call."""
    first = [delta(tool_calls=[call(number, "a", "read", '{"path": "a"}')])]
    second = [
        delta(tool_calls=[call(number, "b", "list", '{"path": ')]),
        delta(tool_calls=[call(number, "c", None, "1}")]),
    ]
    service.will(stream(*first, *second, delta(tool_calls=[call(1, "d", "list", "{}")]), delta("tool_calls"), DONE))
    told = [(each.name, each.arguments) for each in ask().calls]
    assert told == [("read", '{"path": "a"}'), ("list", '{"path": 1}'), ("list", "{}")]


def test_calls_without_numbers_or_ids_are_told_apart_where_the_first_is_whole(service: Service, ask: Asked) -> None:
    pieces = [
        ("read", '{"path": '),
        ("read", '"a"}'),
        ("read", ""),
        ("read", '{"path": '),
        (None, '"b"}'),
        ("list", ""),
    ]
    chunks = [delta(tool_calls=[call(None, None, name, piece)]) for name, piece in pieces]
    service.will(stream(*chunks, delta("stop"), DONE))
    told = [(each.name, each.arguments) for each in ask().calls]
    assert told == [("read", '{"path": "a"}'), ("read", '{"path": "b"}'), ("list", "{}")]


def test_calls_without_numbers_or_ids_and_with_arguments_as_objects_are_read(service: Service, ask: Asked) -> None:
    whole_calls = [call(None, "a", "read", '{"p": 1}'), {"function": {"name": "list", "arguments": {"q": 2}}}]
    service.will(stream(delta(tool_calls=whole_calls), delta("stop"), DONE))
    reply = ask()
    assert reply.stop == "tool calls"
    assert [(c.id, c.name, json.loads(c.arguments)) for c in reply.calls] == [
        ("a", "read", {"p": 1}),
        ("call_1", "list", {"q": 2}),
    ]


THOUGHTFUL = (delta(tool_calls=[call(0, "a", "read", "{}")]), delta("tool_calls"), DONE)


@pytest.mark.parametrize(
    ("name", "came_as", "goes_as"),
    [
        ("openai/x", "reasoning_content", None),
        ("groq/x", "reasoning", None),
        ("mistral/x", "reasoning_content", None),
        ("deepseek/x", "reasoning_content", "reasoning_content"),
        ("ollama/x", "reasoning", "reasoning"),
        ("vllm/x", "reasoning", "reasoning"),
        ("llama-cpp/x", "reasoning_content", "reasoning_content"),
        ("service/mine/x", "reasoning_content", "reasoning_content"),
    ],
)
def test_reasoning_is_thinking_and_goes_back_with_the_calls_where_it_is_wanted(
    service: Service, ask: Asked, witness: Witness, name: str, came_as: str, goes_as: str | None
) -> None:
    service.will(stream(delta(**{came_as: "Let me "}), delta(**{came_as: "see."}), *THOUGHTFUL))
    reply = ask(name=name)
    assert (reply.thinking, reply.text) == ("Let me see.", "")
    assert ("delta", "Let me see.", True) in witness.asked
    service.will(words("Yes."))
    ask(msgspec.structs.replace(ASK, messages=(*ASK.messages, reply.turn, Message(results=()))), name)
    turn = bodies(service)[1]["messages"][1]
    assert {each: turn[each] for each in turn if each.startswith("reasoning")} == (
        {goes_as: "Let me see."} if goes_as else {}
    )


@pytest.mark.parametrize(
    ("came", "text", "thinking"),
    [
        ("<think>\n- Delete it?\n</think>\n\nANSWER\nNo.", "ANSWER\nNo.", "- Delete it?"),
        ("- Delete it?\n</think>\n\nNo.", "No.", "- Delete it?"),
        ("<think>- Delete it?", "", "- Delete it?"),
        ("```html\n<think>\n```", "```html\n<think>\n```", ""),
        ("Its tags:\n<think>\nx\n</think>\nGood?", "Its tags:\n<think>\nx\n</think>\nGood?", ""),
    ],
    ids=["between tags", "before a closing tag", "without an end", "in a fence", "in what it says"],
)
def test_what_is_thought_aloud_is_thinking_and_not_said(
    service: Service, ask: Asked, came: str, text: str, thinking: str
) -> None:
    service.will(words(came))
    reply = ask()
    assert (reply.text, reply.thinking) == (text, thinking)


def test_deepseek_is_told_in_every_turn_that_there_was_nothing_to_think_about(service: Service, ask: Asked) -> None:
    service.will(words("Yes."))
    ask(msgspec.structs.replace(TALK, messages=(*TALK.messages, Message(role="assistant", text="Gone."))), "deepseek/x")
    turns = [turn for turn in bodies(service)[0]["messages"] if turn["role"] == "assistant"]
    assert [turn["reasoning_content"] for turn in turns] == [" "] * 3


def test_whoever_wants_reasoning_in_every_turn_is_asked_again_with_it(service: Service, ask: Asked) -> None:
    told = "The `reasoning_content` in the thinking mode must be passed back to the API."
    service.will(whole(400, {"error": {"message": told}}))
    service.will(words("Yes."))
    ask(TALK, "service/mine/deepseek-v9")
    refused, taken = ([turn for turn in body["messages"] if turn["role"] == "assistant"] for body in bodies(service))
    assert not [turn for turn in refused if "reasoning_content" in turn]
    assert [turn["reasoning_content"] for turn in taken] == [" ", " "]


SIGNED = {"google": {"thought_signature": "c2lnbmVk"}}
UNSIGNED = {"google": {"thought_signature": "skip_thought_signature_validator"}}


def test_signatures_of_calls_go_back_to_the_service_that_signed_them(service: Service, ask: Asked) -> None:
    first = call(0, "a", "read", "{}") | {"extra_content": SIGNED}
    service.will(stream(delta(tool_calls=[first]), delta(tool_calls=[call(1, "b", "list", "{}")]), delta("stop"), DONE))
    reply = ask(name="service/mine/gemini-x")
    request = msgspec.structs.replace(ASK, messages=(*ASK.messages, reply.turn, Message(text="Well?")))
    for name in ("service/mine/gemini-x", "vllm/x"):
        service.will(words("Yes."))
        ask(request, name)
    extras = [[each.get("extra_content") for each in body["messages"][1]["tool_calls"]] for body in bodies(service)[1:]]
    assert extras == [[SIGNED, None], [None, None]]


LONG = "".join(map(str, range(12_000)))[:50_000]  # it does not go round in circles


@pytest.mark.parametrize(
    "pieces",
    [
        [{"extra_content": {"google": {"thought_signature": f"{number}{LONG}"}}} for number in range(4)],
        [{"id": f"{number}{LONG}"} for number in range(4)],
        [{"function": {"name": f"{number}{LONG}"}} for number in range(4)],
    ],
)
def test_what_is_kept_of_a_call_is_bounded_with_the_answer(
    service: Service, fail: Asked, pieces: list[dict[str, object]]
) -> None:
    told = [delta(tool_calls=[{"index": number, **piece}]) for number, piece in enumerate(pieces)]
    service.will(stream(*told, delta("tool_calls"), DONE))
    failure = fail()
    assert (failure.trouble, "longer than" in failure.message) == ("broken", True)


def test_what_a_server_repeats_of_a_call_in_each_piece_is_counted_once(service: Service, ask: Asked) -> None:
    piece = call(0, "a", "read", "") | {"extra_content": {"google": {"thought_signature": LONG}}}
    service.will(stream(*[delta(tool_calls=[piece])] * 4, delta("tool_calls"), DONE))
    assert LONG in ask().state


def test_gemini_is_told_of_calls_that_nobody_has_signed(service: Service, ask: Asked) -> None:
    service.will(words("Yes."))
    assert ask(TALK, "service/mine/gemini-x").text == "Yes."
    calls = bodies(service)[1]["messages"][2]["tool_calls"]
    assert [each.get("extra_content") for each in calls] == [UNSIGNED, None]


def test_a_model_that_calls_no_tools_while_it_reasons_is_told_not_to(service: Service, ask: Asked, fail: Asked) -> None:
    told = "Function tools with reasoning_effort are not supported for gpt-test in /v1/chat/completions."
    service.will(whole(400, {"error": {"message": told, "param": "reasoning_effort"}}))
    service.will(words("Yes."))
    ask(msgspec.structs.replace(TALK, effort=""))
    assert [body.get("reasoning_effort") for body in bodies(service)] == [None, "none"]
    service.will(whole(400, {"error": {"message": told, "param": "reasoning_effort"}}))
    assert "Function tools with reasoning_effort" in fail(TALK).message  # whoever has asked for it is not overruled


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, {"detail": [{"loc": ["body", "messages", 1, "reasoning"], "msg": "Extra inputs"}]}),
        (400, {"error": {"message": "messages.1: property 'reasoning' is unsupported"}}),
        (500, {"error": {"message": "Jinja Exception: Cannot pass both content and thinking in an assistant message"}}),
    ],
)
def test_a_service_that_refuses_reasoning_is_asked_again_without(
    service: Service, ask: Asked, status: int, body: object
) -> None:
    service.will(stream(delta(reasoning="Hm."), *THOUGHTFUL))
    reply = ask(name="service/mine/x")
    service.will(whole(status, body))
    service.will(words("Yes."))
    ask(msgspec.structs.replace(ASK, messages=(*ASK.messages, reply.turn, Message(results=()))), "service/mine/x")
    _, refused, taken = bodies(service)
    assert refused["messages"][1]["reasoning"] == "Hm."
    assert "reasoning" not in taken["messages"][1]
    assert "stream_options" in taken


def ids_sent(service: Service) -> list[list[str]]:
    """Those of the calls of each request."""
    turns = ([turn for turn in body["messages"] if turn.get("tool_calls")] for body in bodies(service))
    return [[call["id"] for turn in each for call in turn["tool_calls"]] for each in turns]


def test_mistral_is_given_ids_of_nine_characters_and_its_own_stay(service: Service, ask: Asked) -> None:
    service.will(words("Yes."))
    own = ToolCall(id="D681PevKs", name="read", arguments="{}")
    turn = Message(role="assistant", calls=(own,))
    ask(msgspec.structs.replace(TALK, messages=(*TALK.messages, turn)), "mistral/mistral-large")
    assert ids_sent(service) == [["call00001", "call00002", "D681PevKs"]]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (500, "Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!"),
        (400, "Tool call id was a but must be a-z, A-Z, 0-9, with a length of 9."),
        (400, "Tool call id was functions.read:0 but must be a-z, A-Z, 0-9, with a length of 9."),
        (400, "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
        (400, "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40"),
    ],
)
def test_a_server_that_refuses_ids_is_asked_again_with_others(
    service: Service, ask: Asked, status: int, message: str
) -> None:
    service.will(whole(status, {"error": {"message": message}}))
    service.will(words("Yes."))
    ask(TALK, "service/mine/x")
    assert ids_sent(service) == [["a", "b"], ["call00001", "call00002"]]


def test_what_a_server_refuses_of_every_request_is_sent_once(service: Service, ask: Asked) -> None:
    """Each request that is refused takes a while, and is sent all of it."""
    refused = "Tool call id was a but must be a-z, A-Z, 0-9, with a length of 9."
    service.will(whole(400, {"error": {"message": refused}}))
    for _ in range(3):
        service.will(words("Yes."))
    ask(TALK)
    ask(TALK)
    ask(TALK, name="openai/another")  # which may be served by others
    changed, own = ["call00001", "call00002"], ["a", "b"]
    assert ids_sent(service) == [own, changed, changed, own]


@pytest.mark.parametrize(
    "message",
    [
        "tool_call_id 'x' not found: as long as a call is open, it needs a result",
        "The tool_call_ids belong to no call. The messages must follow the pattern of turns.",
        "Each tool_call_id needs a call before it, as long as tools are there",
    ],
)
def test_what_else_is_said_of_ids_is_no_reason_to_send_others(service: Service, fail: Asked, message: str) -> None:
    service.will(whole(400, {"error": {"message": message}}))
    assert fail(TALK, "service/mine/x").trouble == "bad request"
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", "end"),
        ("STOP", "end"),
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("token_limit", "length"),
        ("max_new_tokens", "length"),
        ("max_output_tokens", "length"),
        ("max-tokens", "length"),
        ("context_window_full", "length"),
        ("eos_token", "end"),
        ("stop_sequence", "end"),
        ("end_turn", "end"),
        ("stop_token", "unknown"),
        ("end_of_token", "unknown"),
        ("length", "length"),
        ("model_length", "length"),
        ("tool_calls", "tool calls"),
        ("content_filter", "refusal"),
        ("because", "unknown"),
    ],
)
def test_why_it_stops(service: Service, ask: Asked, finish: str, stop: str) -> None:
    service.will(words("Well.", finish))
    assert ask().stop == stop


def test_an_end_without_a_reason_is_not_known_to_be_one(service: Service, ask: Asked) -> None:
    service.will(stream(delta(content="Half a "), DONE))
    reply = ask()
    assert (reply.text, reply.stop) == ("Half a ", "unknown")


def raw(said: bytes) -> bytes:
    """An event that says more, in JSON as the service writes it."""
    return b'data: {"model":"m","choices":[{"index":0,"delta":' + said + b',"finish_reason":null}]}\n\n'


def test_a_character_that_comes_in_two_halves_is_one(service: Service, ask: Asked, witness: Witness) -> None:
    pieces = (b'{"content":"Look: \\ud83d"}', b'{"content":"\\ude00 fine, \\ud83d"}', b'{"content":" lost"}')
    service.will(stream(*map(raw, pieces), delta("stop"), data(choices=[], usage=USAGE), DONE))
    reply = ask()
    assert reply.text == "Look: \N{GRINNING FACE} fine, \N{REPLACEMENT CHARACTER} lost"
    assert "".join(asked[1] for asked in witness.asked if asked[0] == "delta") == reply.text
    assert reply.usage == Usage(input=15, output=9, cache_read=5)


def test_half_a_character_in_a_whole_reply_is_a_lost_one(service: Service, ask: Asked) -> None:
    answer = {"index": 0, "message": {"content": "A lone \ud83d half"}, "finish_reason": "stop"}
    service.will(whole(200, {"choices": [answer], "usage": USAGE}))
    reply = ask()
    assert (reply.text, reply.stop) == ("A lone \N{REPLACEMENT CHARACTER} half", "end")
    assert reply.usage == Usage(input=15, output=9, cache_read=5)


def test_half_a_character_in_a_call_is_joined_or_left_to_be_refused(service: Service, ask: Asked) -> None:
    first = b'{"tool_calls":[{"index":0,"id":"a","function":{"name":"n","arguments":"{\\"x\\":\\"\\ud83d"}}]}'
    second = b'{"tool_calls":[{"index":0,"function":{"arguments":"\\ude00\\",\\"y\\":\\"\\ud83d\\"}"}}]}'
    service.will(stream(raw(first), raw(second), delta("tool_calls"), DONE))
    assert ask().calls[0].arguments == '{"x":"\N{GRINNING FACE}","y":"\\ud83d"}'


@pytest.mark.parametrize("finish", ["error", "Error", "insufficient_system_resource", "abort"])
def test_an_answer_that_its_service_gave_up_is_none(service: Service, fail: Asked, finish: str) -> None:
    service.will(words("As far as", finish))
    failure = fail()
    assert (failure.trouble, failure.may_be_paid) == ("broken", True)
    assert f"it ends in the middle ({finish})" in failure.message


def test_a_refusal_in_words_is_a_refusal(service: Service, ask: Asked) -> None:
    service.will(stream(delta(refusal="I won't."), delta("stop"), DONE))
    assert (ask().stop, service.asked[0].method) == ("refusal", "POST")


def test_a_call_that_is_cut_stays_as_it_was(service: Service, ask: Asked) -> None:
    service.will(stream(delta(tool_calls=[call(0, "a", "write", '{"path": "x')]), delta("length"), DONE))
    reply = ask()
    assert (reply.stop, reply.calls[0].arguments) == ("length", '{"path": "x')


def test_an_empty_answer_is_an_answer(service: Service, ask: Asked) -> None:
    service.will(stream(delta("stop"), DONE))
    reply = ask()
    assert (reply.text, reply.calls, reply.usage) == ("", (), None)


def test_a_server_that_does_not_stream_is_read(service: Service, ask: Asked) -> None:
    message = {"role": "assistant", "content": "Whole."}
    service.will(whole(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": USAGE}))
    reply = ask()
    assert (reply.text, reply.stop, reply.usage) == ("Whole.", "end", Usage(input=15, output=9, cache_read=5))


def test_a_server_that_does_not_count_is_asked_again_without(service: Service, ask: Asked) -> None:
    service.will(whole(400, {"error": {"message": "Unrecognized request argument: stream_options"}}))
    service.will(words("Yes."))
    assert ask().text == "Yes."
    first, second = bodies(service)
    assert "stream_options" in first
    assert "stream_options" not in second


def test_parts_of_a_content_are_words_or_reasoning(service: Service, ask: Asked, witness: Witness) -> None:
    thought = [{"type": "thinking", "thinking": [{"type": "text", "text": "Let me see."}]}]
    service.will(stream(delta(content=thought), delta(content=[{"type": "text", "text": "Yes."}]), delta("stop"), DONE))
    reply = ask(name="mistral/x")
    assert (reply.text, reply.thinking) == ("Yes.", "Let me see.")
    assert ("delta", "Let me see.", True) in witness.asked


@pytest.mark.parametrize(
    ("name", "said", "first", "then"),
    [
        (
            "service/mine/x",
            "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("openai/x", "Unrecognized request argument: max_completion_tokens", "max_completion_tokens", "max_tokens"),
    ],
)
def test_a_reply_is_bounded_by_the_other_name_where_one_is_not_known(
    service: Service, ask: Asked, name: str, said: str, first: str, then: str
) -> None:
    service.will(whole(400, {"error": {"message": said}}))
    service.will(words("Yes."))
    ask(name=name)
    refused, taken = bodies(service)
    assert (refused[first], taken[then]) == (100, 100)
    assert first not in taken


def test_a_limit_that_is_too_high_is_said(service: Service, fail: Asked) -> None:
    service.will(whole(400, {"error": {"message": "`max_tokens` must be less than or equal to `8192`"}}))
    assert "lower the `max_tokens` of this role" in fail(name="groq/x").message
    assert len(service.asked) == 1


def test_a_request_that_can_not_be_made_smaller_is_not_sent_again(service: Service, fail: Asked) -> None:
    service.will(whole(400, {"error": {"message": "tools go without reasoning only"}}))
    assert fail(TALK).trouble == "bad request"
    assert len(service.asked) == 1


def test_what_breaks_after_the_end_takes_nothing_away(service: Service, ask: Asked) -> None:
    service.will(STREAM, chunk(delta(content="Whole.") + delta("stop")), "reset")
    assert ask().text == "Whole."


def test_what_the_environment_says_to_openai_is_told_no_other_service(
    service: Service, ask: Asked, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Mine: {KEY}")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    service.will(words("Yes."))
    ask(name="service/mine/x")
    headers = service.asked[0].headers
    assert KEY not in str(headers)
    assert not [name for name in headers if name.startswith(("openai", "x-mine", "authorization"))]
    service.will(words("Yes."))
    ask(name="openai/x")  # at an address that is the person's own
    assert service.asked[1].headers["authorization"] == f"Bearer {KEY}"
    assert not [name for name in service.asked[1].headers if name.startswith(("openai", "x-mine"))]


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(
    service: Service, ask: Asked, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    service.will(whole(200, {"data": [{"id": "x"}]}))
    assert called("provider", "vllm", witness) == Offer(models=(OfferedModel(name="x"),), set_up=True)
    service.will(words("Yes."))
    assert ask(name="vllm/x").text == "Yes."


def test_every_cut_of_the_stream_says_the_same(service: Service, ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "GATHER_S", 0.0)
    events = delta(content="é\u2028 1\n2") + delta(tool_calls=[call(0, "a", "n", '{"x": "ü"}')]) + delta("stop") + DONE
    said = set()
    for place in range(1, len(events)):
        service.will(STREAM, chunk(events[:place]), chunk(events[place:]), END)
        reply = ask()
        said.add((reply.text, reply.calls))
    service.will(STREAM, *(chunk(bytes([byte])) for byte in events), END)
    reply = ask()
    said.add((reply.text, reply.calls))
    assert said == {("é\u2028 1\n2", (ToolCall(id="a", name="n", arguments='{"x": "ü"}'),))}


def test_no_place_in_which_a_stream_is_cut_loses_an_event() -> None:
    events = delta(content="é\u2028 1\n2").replace(b"\n\n", b"\r\n\r\n") + b": noise\n\n" + DONE

    async def cut(*pieces: bytes) -> list[bytes]:
        async def sent() -> AsyncIterator[bytes]:
            for piece in pieces:
                yield piece

        return [each async for each in data_of(sent())]

    whole_ = asyncio.run(cut(events))
    assert [each[:1] for each in whole_] == [b"{", b"["]
    for place in range(len(events) + 1):
        assert asyncio.run(cut(events[:place], events[place:])) == whole_
    assert asyncio.run(cut(*(bytes([byte]) for byte in events))) == whole_


def test_comments_and_other_fields_are_passed_over(service: Service, ask: Asked) -> None:
    noise = b": keep-alive\r\nevent: message\r\nid: 1\r\n"
    service.will(stream(noise, delta(content="Yes."), noise, delta("stop"), data(choices=None), b"data:\n\n", DONE))
    assert ask().text == "Yes."
