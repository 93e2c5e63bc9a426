"""What a model answers: text, calls, reasoning, why it stops, and what it took."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest

from tests.plugins.models.anthropic import said
from tests.plugins.models.anthropic.conftest import ASK, KEY, call
from tests.plugins.models.scripted_service import END, STREAM, Service, chunk, whole
from treadle import Message, ModelReply, ModelRequest, ToolCall, ToolResult, ToolSpec, Usage
from treadle.plugins.models import pace
from treadle.testing import Witness

Ask = Callable[..., ModelReply]
READ = ToolSpec(name="read", description="Read a file.")


def deltas(witness: Witness, *, thinking: bool) -> str:
    return "".join(asked[1] for asked in witness.asked if asked[0] == "delta" and asked[2] is thinking)


def test_text_comes_whole_with_what_it_took(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.text(0, "Good ", "day.")))
    reply = ask()
    assert (reply.text, reply.stop, reply.calls, reply.state) == ("Good day.", "end", (), "")
    assert (reply.model, reply.usage) == (
        "claude-test",
        Usage(input=11, output=42, cache_read=7, cache_written=5),
    )


@pytest.mark.parametrize("name", said.USAGE)
@pytest.mark.parametrize("nonsense", [-100_000, 10**30, "many", 1.5, True, [1]])
def test_counts_that_make_no_sense_are_not_told_and_the_answer_holds(
    service: Service, ask: Ask, name: str, nonsense: object
) -> None:
    begin = said.event("message_start", message={"model": "m", "usage": said.USAGE | {name: nonsense}})
    service.will(STREAM + chunk(begin + said.text(0, "Yes.") + said.end()) + END)
    reply = ask()
    assert (reply.text, reply.stop, reply.usage) == ("Yes.", "end", None)
    assert len(service.asked) == 1


def test_what_makes_no_sense_at_the_end_takes_away_what_was_told_before(service: Service, ask: Ask) -> None:
    end = said.event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": -1})
    service.will(STREAM + chunk(said.begin() + said.text(0, "Yes.") + end + said.event("message_stop")) + END)
    assert ask().usage is None


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": {"input_tokens": 11}}])
def test_what_was_written_is_not_told_at_the_beginning(service: Service, ask: Ask, usage: dict[str, object]) -> None:
    end = said.event("message_delta", delta={"stop_reason": "end_turn"}, **usage) + said.event("message_stop")
    service.will(STREAM + chunk(said.begin() + said.text(0, "Yes.") + end) + END)
    assert ask().usage is None


def test_a_field_that_is_null_is_one_that_is_not_there(service: Service, ask: Ask) -> None:
    begin = said.event("message_start", message={"model": None, "usage": said.USAGE}, delta=None, index=None)
    nothing = {"type": "text_delta", "text": None, "thinking": None, "partial_json": None, "signature": None}
    part = said.part(0, {"type": "text", "text": ""}, [nothing, nothing | {"text": "Yes."}])
    service.will(STREAM + chunk(begin + part + said.end(type=None)) + END)
    reply = ask()
    assert (reply.text, reply.model, reply.usage and reply.usage.output) == ("Yes.", "", 42)


def test_citations_that_make_no_sense_are_none(service: Service, ask: Ask) -> None:
    part = said.part(0, {"type": "text", "text": "Yes.", "citations": 5})
    service.will(STREAM + chunk(said.begin() + part + said.end()) + END)
    assert ask().text == "Yes."


def test_what_the_environment_says_to_the_sdk_is_told_nobody(
    service: Service, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "Authorization: Bearer another\nX-Mine: secret")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another")
    service.will(said.answer(said.text(0, "Yes.")))
    ask()
    (asked,) = service.asked
    assert (asked.headers["authorization"], "anthropic-version" in asked.headers) == (f"Bearer {KEY}", True)
    assert not [name for name in asked.headers if name.startswith("x-mine") or "another" in asked.headers[name]]


def test_what_is_sent(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.text(0, "Yes.")))
    ask(msgspec.structs.replace(ASK, system="Be brief.", tools=(READ,)))
    (asked,) = service.asked
    assert (asked.method, asked.path) == ("POST", "/v1/messages")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    cached = {"cache_control": {"type": "ephemeral"}}
    assert asked.body == {
        "model": "claude-test",
        "max_tokens": 100,
        "stream": True,
        "system": [{"type": "text", "text": "Be brief."} | cached],
        "tools": [{"name": "read", "description": "Read a file.", "input_schema": READ.parameters} | cached],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello?"} | cached]}],
    }


def test_it_is_shown_while_it_comes(service: Service, ask: Ask, witness: Witness) -> None:
    service.will(said.answer(said.thinking(0, ["Hm, ", "well."]), said.text(1, "Good ", "day.")))
    reply = ask()
    assert deltas(witness, thinking=True) == reply.thinking == "Hm, well."
    assert deltas(witness, thinking=False) == reply.text == "Good day."


def test_calls_in_parallel_come_in_order_and_go_back_with_all_their_results(service: Service, ask: Ask) -> None:
    service.will(
        said.answer(
            said.text(0, "Looking."),
            said.call(1, "read", '{"path": ', '"a.py"}', id="toolu_1"),
            said.call(2, "list", id="toolu_2"),
            stop="tool_use",
        )
    )
    request = msgspec.structs.replace(ASK, tools=(READ,))
    reply = ask(request)
    assert reply.stop == "tool calls"
    assert reply.calls == (
        ToolCall(id="toolu_1", name="read", arguments='{"path": "a.py"}'),
        ToolCall(id="toolu_2", name="list", arguments="{}"),
    )
    results = (ToolResult(call="toolu_1", text="pass"), ToolResult(call="toolu_2", text="no", failed=True))
    service.will(said.answer(said.text(0, "Done.")))
    ask(msgspec.structs.replace(request, messages=(*ASK.messages, reply.turn, Message(results=results, text="So?"))))
    _, assistant, user = service.asked[-1].body["messages"]
    assert assistant["content"] == [
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py"}},
        {"type": "tool_use", "id": "toolu_2", "name": "list", "input": {}},
    ]
    assert user["content"] == [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "pass"},
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": "no", "is_error": True},
        {"type": "text", "text": "So?", "cache_control": {"type": "ephemeral"}},
    ]


def test_a_call_that_was_never_answered_does_not_end_the_conversation(service: Service, ask: Ask) -> None:
    cut = ToolCall(id="toolu_1", name="read", arguments='{"path": "a')
    service.will(said.answer(said.text(0, "Again.")))
    turn = Message(role="assistant", calls=(cut,))
    ask(msgspec.structs.replace(ASK, messages=(*ASK.messages, turn, Message(text="You were cut off."))))
    _, assistant, user = service.asked[-1].body["messages"]
    assert assistant["content"][0]["input"] == {"INVALID_JSON": '{"path": "a'}
    assert [block["type"] for block in user["content"]] == ["tool_result", "text"]
    assert user["content"][0]["is_error"] is True


BLOCKS = [
    {"type": "thinking", "thinking": "Let me see.", "signature": "c2lnbmVk"},
    {"type": "redacted_thinking", "data": "ZW5j"},
    {"type": "text", "text": "I read it."},
    {"type": "tool_use", "id": "toolu_3", "name": "read", "input": {"path": "a.py"}},
    {"type": "thinking", "thinking": "And?", "signature": "bW9yZQ=="},
    {"type": "tool_use", "id": "toolu_5", "name": "read", "input": {}},
]
THOUGHTFUL = said.answer(
    said.thinking(0, ["Let me ", "see."]),
    said.part(1, BLOCKS[1]),
    said.text(2, "I read it."),
    said.call(3, "read", '{"path":"a.py"}', id="toolu_3"),
    said.thinking(4, ["And?"], "bW9yZQ=="),
    said.call(5, "read", id="toolu_5"),
    stop="tool_use",
)


def on(reply: ModelReply) -> ModelRequest:
    results = tuple(ToolResult(call=call.id, text="ok") for call in reply.calls)
    return msgspec.structs.replace(ASK, messages=(*ASK.messages, reply.turn, Message(results=results)))


def test_reasoning_goes_back_as_it_came(service: Service, ask: Ask) -> None:
    service.will(THOUGHTFUL)
    reply = ask()
    assert reply.thinking == "Let me see.And?"
    service.will(said.answer(said.text(0, "Done.")))
    ask(on(msgspec.convert(msgspec.to_builtins(reply), ModelReply)))
    assert service.asked[-1].body["messages"][1]["content"] == BLOCKS


def test_reasoning_stays_with_a_call_whose_name_or_id_is_made_to_fit(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.thinking(0, ["Hm."]), said.call(1, "read file", id="toolu_1"), stop="tool_use"))
    before = ToolCall(id="toolu_1", name="list", arguments="{}")
    turn = Message(role="assistant", calls=(before,))
    results = Message(results=(ToolResult(call="toolu_1", text="ok"),))
    request = on(ask())
    service.will(said.answer(said.text(0, "Done.")))
    ask(msgspec.structs.replace(request, messages=(*ASK.messages, turn, results, *request.messages[1:])))
    *_, assistant, user = service.asked[-1].body["messages"]
    assert [block["type"] for block in assistant["content"]] == ["thinking", "tool_use"]
    assert assistant["content"][1] == {"type": "tool_use", "id": "call00002", "name": "read_file", "input": {}}
    assert user["content"][0]["tool_use_id"] == "call00002"


@pytest.mark.parametrize("state", ["", '{"openai": []}', "no JSON"])
def test_a_turn_without_its_state_is_told_by_its_words(service: Service, ask: Ask, state: str) -> None:
    service.will(THOUGHTFUL)
    reply = msgspec.structs.replace(ask(), state=state)
    service.will(said.answer(said.text(0, "Done.")))
    ask(on(reply))
    kinds = [block["type"] for block in service.asked[-1].body["messages"][1]["content"]]
    assert kinds == ["text", "tool_use", "tool_use"]


def test_a_turn_that_was_changed_since_is_told_by_its_words(service: Service, ask: Ask) -> None:
    service.will(THOUGHTFUL)
    reply = ask()
    service.will(said.answer(said.text(0, "Done.")))
    ask(on(msgspec.structs.replace(reply, text="I read [redacted].")))
    assert service.asked[-1].body["messages"][1]["content"][0] == {"type": "text", "text": "I read [redacted]."}
    first = msgspec.structs.replace(reply.calls[0], arguments='{"path": "[redacted]"}')
    service.will(said.answer(said.text(0, "Done.")))
    ask(on(msgspec.structs.replace(reply, calls=(first, reply.calls[1]))))
    assert service.asked[-1].body["messages"][1]["content"][1]["input"] == {"path": "[redacted]"}


def test_where_the_service_refuses_earlier_reasoning_it_is_asked_without(service: Service, ask: Ask) -> None:
    service.will(THOUGHTFUL)
    reply = ask()
    message = "messages.1.content.0: Invalid `signature` in `thinking` block. It is bound to a different conversation."
    service.will(whole(400, said.error(400, "invalid_request_error", message)))
    service.will(said.answer(said.text(0, "Done.")))
    assert ask(on(reply)).text == "Done."
    kinds = [block["type"] for block in service.asked[-1].body["messages"][1]["content"]]
    assert kinds == ["text", "tool_use", "tool_use"]
    # It is not sent again, to be refused again; what is reasoned after that goes back.
    service.will(said.answer(said.text(0, "Done.")))
    later = msgspec.structs.replace(reply, state=reply.state.replace("c2lnbmVk", "bGF0ZXI"))
    first = on(reply)
    assert ask(msgspec.structs.replace(first, messages=(*first.messages, *on(later).messages[1:]))).text == "Done."
    assert len(service.asked) == 4
    sent = service.asked[-1].body["messages"]
    assert ["thinking" in str(turn["content"]) for turn in sent] == [False, False, False, True, False]


def test_another_refusal_than_that_of_reasoning_teaches_nothing(service: Service, ask: Ask, witness: Witness) -> None:
    service.will(THOUGHTFUL)
    reply = ask()
    for _ in range(2):
        message = "Expected `thinking`, but found `tool_use`: a final message must start with a thinking block"
        service.will(whole(400, said.error(400, "invalid_request_error", message)))
    call(on(reply), witness)
    service.will(said.answer(said.text(0, "Done.")))
    ask(on(reply))
    assert service.asked[-1].body["messages"][1]["content"][0]["type"] == "thinking"


def test_reasoning_that_was_cut_off_is_not_given_back(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.text(0, "So."), said.thinking(1, ["I wond"], ""), stop="max_tokens"))
    reply = ask()
    assert (reply.text, reply.thinking, reply.stop, reply.state) == ("So.", "I wond", "length", "")


@pytest.mark.parametrize(
    ("stop", "means"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("tool_use", "tool calls"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("a_new_one", "unknown"),
        (None, "unknown"),
    ],
)
def test_each_reason_to_stop(service: Service, ask: Ask, stop: str | None, means: str) -> None:
    service.will(said.answer(said.text(0, "As far as this."), stop=stop))
    reply = ask()
    assert (reply.stop, reply.text) == (means, "As far as this.")


def test_a_call_that_is_cut_stays_the_text_that_it_was(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.call(0, "write", '{"path": "a.py", "te'), stop="max_tokens"))
    reply = ask()
    assert (reply.stop, reply.calls[0].arguments) == ("length", '{"path": "a.py", "te')
    service.will(said.answer(said.call(0, "write"), stop="max_tokens"))
    assert ask().calls[0].arguments == ""


def test_an_empty_reply(service: Service, ask: Ask) -> None:
    service.will(said.answer())
    reply = ask()
    assert (reply.text, reply.stop, reply.state) == ("", "end", "")
    service.will(said.answer(said.text(0, "Here.")))
    ask(msgspec.structs.replace(ASK, messages=(*ASK.messages, reply.turn, Message(text="And?"))))
    turns = service.asked[-1].body["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[1]["content"] == [{"type": "text", "text": "(no reply)"}]


def test_a_turn_that_the_service_pauses_is_one_request_and_not_whole(service: Service, ask: Ask) -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    paused = said.begin() + said.text(0, "One, ") + said.part(1, search) + said.end("pause_turn")
    service.will(STREAM + chunk(paused) + END)
    reply = ask()
    assert (reply.text, reply.stop) == ("One, ", "length")
    assert reply.usage == Usage(input=11, output=42, cache_read=7, cache_written=5)
    assert len(service.asked) == 1
    assert json.loads(reply.state)["anthropic"][1] == search


@pytest.mark.parametrize(
    ("said_stop", "stop"),
    [
        ("output_limit_reached", "length"),
        ("MAX_TOKENS", "length"),
        ("truncated", "length"),
        ("END_TURN", "end"),
        ("because", "unknown"),
        (None, "unknown"),
    ],
)
def test_a_word_for_a_cut_that_is_not_known_means_a_cut(
    service: Service, ask: Ask, said_stop: str | None, stop: str
) -> None:
    service.will(said.answer(said.text(0, "Half a "), stop=said_stop))
    assert ask().stop == stop


def raw_text(*pieces: bytes) -> bytes:
    """A part that is text, in pieces of JSON as the service writes them."""
    opens = said.event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    delta = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":%s}\n\n'
    says = (delta % (b'{"type":"text_delta","text":"' + piece + b'"}') for piece in pieces)
    return opens + b"".join(says) + said.event("content_block_stop", index=0)


def test_a_character_that_comes_in_two_halves_is_one(service: Service, ask: Ask, witness: Witness) -> None:
    service.will(said.answer(raw_text(b"Look: \\ud83d", b"\\ude00 fine, \\ud83d", b" lost")))
    reply = ask()
    assert reply.text == "Look: \N{GRINNING FACE} fine, \N{REPLACEMENT CHARACTER} lost"
    assert deltas(witness, thinking=False) == reply.text
    assert reply.usage == Usage(input=11, output=42, cache_read=7, cache_written=5)


def test_half_a_character_in_a_call_is_joined_or_left_to_be_refused(service: Service, ask: Ask) -> None:
    def piece(text: bytes) -> bytes:
        delta = b'{"type":"input_json_delta","partial_json":"' + text + b'"}'
        data = b'{"type":"content_block_delta","index":0,"delta":' + delta + b"}"
        return b"event: content_block_delta\ndata: " + data + b"\n\n"

    block = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}}
    opens = said.event("content_block_start", index=0, content_block=block)
    pieces = piece(b'{\\"a\\":\\"\\ud83d') + piece(b'\\ude00\\",\\"b\\":\\"\\ud83d\\"}')
    service.will(said.answer(opens + pieces + said.event("content_block_stop", index=0), stop="tool_use"))
    assert ask().calls[0].arguments == '{"a":"\N{GRINNING FACE}","b":"\\ud83d"}'


def test_a_stream_split_at_every_byte(service: Service, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "GATHER_S", 0.0)
    parts = (said.thinking(0, ["Hä?"]), said.text(1, "Grüße, ", "日本 🦊."), said.call(2, "read", '{"p": "é"}'))
    service.will(said.answer(*parts, stop="tool_use"))
    expected = ask()
    data = said.begin() + b"".join(parts) + said.end("tool_use")
    service.will(STREAM, *(chunk(data[place : place + 1]) for place in range(len(data))), END)
    assert ask() == expected
    for place in range(1, len(data)):
        service.will(STREAM, chunk(data[:place]), chunk(data[place:]), END)
        assert ask() == expected


def test_sampling_is_sent_only_when_it_is_set(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.text(0, "A.")))
    ask()
    service.will(said.answer(said.text(0, "B.")))
    ask(msgspec.structs.replace(ASK, temperature=0.0, top_p=0.5))
    without, sampled = service.asked
    assert not {"temperature", "top_p"} & set(without.body)
    assert (sampled.body["temperature"], sampled.body["top_p"]) == (0.0, 0.5)
    assert (without.headers["anthropic-version"] > "2023-06-01", sampled.headers["anthropic-version"]) == (
        True,
        "2023-06-01",
    )


def test_thinking_as_the_person_has_set_it(service: Service, ask: Ask, witness: Witness) -> None:
    sent = []
    for value in ("model", "adaptive", "off"):
        witness.own_settings["thinking"] = value
        service.will(said.answer(said.text(0, "A.")))
        ask()
        sent.append(service.asked[-1].body.get("thinking"))
    assert sent == [None, {"type": "adaptive", "display": "summarized"}, {"type": "disabled"}]


def test_at_most_four_marks_for_the_cache_and_the_last_two_turns_of_the_person(service: Service, ask: Ask) -> None:
    turns = [Message(text="1"), Message(role="assistant", text="2"), Message(text="3")]
    messages = (*turns, Message(role="assistant", text="4"), Message(text="5"))
    service.will(said.answer(said.text(0, "6")))
    ask(msgspec.structs.replace(ASK, system="S", tools=(READ, READ), messages=messages))
    body = service.asked[-1].body
    assert json.dumps(body).count("cache_control") == 4
    assert ["cache_control" in turn["content"][-1] for turn in body["messages"]] == [False, False, True, False, True]


def test_a_single_question_is_not_written_to_the_cache(service: Service, ask: Ask) -> None:
    service.will(said.answer(said.text(0, "A.")))
    ask()
    assert "cache_control" not in json.dumps(service.asked[-1].body)
