"""A conversation that another service, or a model's mistake, has had a part in: every service takes it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plugins.models.protocols import KEYS, WIRES, Wire
from tests.plugins.models.rejections import CHAT, MESSAGES, rejection
from tests.plugins.models.script_files import Answer
from tests.plugins.models.scripted_service import serving
from treadle import Message, ModelReply, ModelRequest, ToolCall, ToolResult, ToolSpec
from treadle.core.models.tokens import most_of_request
from treadle.plugins.models.anthropic import request as messages_api
from treadle.plugins.models.fitting import STRICT_IDS, fit_name, fitted, object_text, unsaid
from treadle.plugins.models.openai_compatible import request as chat
from treadle.plugins.models.openai_compatible.services import KNOWN

ANY = ".+"
TOOL = ToolSpec(name="read", description="Reads.")
HELLO = Message(text="Hello?")
by_either = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


def turn(*ids: str, name: str = "read", arguments: str = "{}") -> Message:
    return Message(role="assistant", calls=tuple(ToolCall(id=id, name=name, arguments=arguments) for id in ids))


def results(*ids: str) -> Message:
    return Message(results=tuple(ToolResult(call=id, text=f"{place}: {id}") for place, id in enumerate(ids)))


def talk(*messages: Message) -> ModelRequest:
    return ModelRequest(role="coder", messages=messages, tools=(TOOL,), max_tokens=100)


def exchange(*ids: str, **more: Any) -> tuple[Message, Message]:
    return turn(*ids, **more), results(*ids)


TALKS = {
    "Kimi's ids": (HELLO, *exchange("functions.read:0", "functions.read:1")),
    "the same id in each turn": (HELLO, *exchange("call_0"), *exchange("call_0")),
    "the same id in one turn": (HELLO, *exchange("a", "a")),
    "ids that are empty": (HELLO, *exchange("", "")),
    "an id that is long": (HELLO, *exchange("x" * 300)),
    "a name of another kind": (HELLO, *exchange("a", name="multi_tool_use.parallel")),
    "a name with a space": (HELLO, *exchange("a", name="read file")),
    "no name": (HELLO, *exchange("a", name="")),
    "a long name": (HELLO, *exchange("a", name="x" * 65)),
    "a name of letters that are not printed": (HELLO, *exchange("a", name="\U000e0001\x80" * 60)),
    "arguments that were cut off": (HELLO, *exchange("a", arguments='{"path": "')),
    "arguments that are no object": (HELLO, *exchange("a", arguments="[1]")),
    "arguments that are none": (HELLO, *exchange("a", arguments=" ")),
    "a reply without a word": (HELLO, Message(role="assistant", text=" \n"), Message(text="Well?")),
    "no word after a result": (HELLO, *exchange("a"), Message(role="assistant"), Message(text="Well?")),
    "two turns of a person's": (HELLO, Message(text="Well?")),
    "a turn of a person's without a word": (HELLO, Message(), Message(text="Well?")),
    "a word with the results": (HELLO, turn("a"), Message(results=results("a").results, text="Well?")),
    "a call without a result": (HELLO, turn("a"), Message(text="Well?")),
    "a call that nothing follows": (HELLO, turn("a")),
    "a call that a reply follows": (HELLO, turn("a"), *exchange("b")),
    "a result without a call": (HELLO, Message(role="assistant", text="Yes?"), results("a"), Message(text="Well?")),
    "only reasoning": (
        HELLO,
        Message(role="assistant", state='{"anthropic": [{"type": "thinking", "thinking": "Hm", "signature": "c2"}]}'),
        Message(text="Well?"),
    ),
}


@pytest.mark.parametrize("messages", TALKS.values(), ids=TALKS)
@by_either
def test_every_conversation_is_taken(
    messages: tuple[Message, ...], wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    with serving() as service:
        service.will(*Answer(text="Yes.").acts(wire))
        reply = wire.ask(talk(*messages), service.url, 60.0)
    assert isinstance(reply, ModelReply), reply


@pytest.mark.parametrize("messages", TALKS.values(), ids=TALKS)
@pytest.mark.parametrize("told", ["tools", "words"])
def test_nothing_that_is_added_makes_a_conversation_longer_than_the_most_it_can_be(
    messages: tuple[Message, ...], told: str
) -> None:
    """A budget lets a request through uncounted by that: also a long one, in which all that is added counts."""
    asked = msgspec.structs.replace(talk(*messages * 200), tools=(TOOL,) * 200)
    if told == "words":
        asked = msgspec.structs.replace(asked, tools=(), without_tools="Answer in words.")
    chats = (
        chat.parameters(asked, "m", KNOWN[name], without=("unsigned calls", "bare turns"))
        for name in ("vllm", "mistral")
    )
    for sent in (messages_api.prompt(asked, thinking=""), *chats):
        assert len(msgspec.json.encode((sent["messages"], sent.get("tools")))) <= most_of_request(asked)


@pytest.mark.parametrize("messages", [each for each in TALKS.values() if each[-1].role == "user"])
@pytest.mark.parametrize("ids", [ANY, STRICT_IDS])
def test_what_was_sent_before_is_sent_the_same_again(messages: tuple[Message, ...], ids: str) -> None:
    """So that services find it in their caches."""
    more = (turn("z", "a"), results("z", "a"))
    before, after = fitted(talk(*messages), ids), fitted(talk(*messages, *more), ids)
    assert after[: len(before)] == before


def test_ids_that_fit_stay_and_the_others_are_unlike_them_and_each_other() -> None:
    ids = ["call00002", "a.b:0", "call00002", "", "toolu_1"]
    messages = [message for id in ids for message in exchange(id)]
    found = fitted(talk(HELLO, *messages), r"[a-z0-9_]{1,40}")
    sent = [call.id for message in found for call in message.calls]
    assert sent == ["call00002", "call00003", "call00004", "call00005", "toolu_1"]
    assert [result.call for message in found for result in message.results] == sent


def test_results_of_calls_with_one_id_stay_with_their_calls() -> None:
    calls, answers = fitted(talk(HELLO, *exchange("a", "a", "b")), ANY)[1:]
    assert [(result.call, result.text) for result in answers.results] == [
        (call.id, text) for call, text in zip(calls.calls, ("0: a", "1: a", "2: b"), strict=True)
    ]


def test_the_result_tells_which_name_it_was() -> None:
    (result,) = fitted(talk(HELLO, *exchange("a", name="read file")), ANY)[2].results
    assert result.text == "You called 'read file'. 0: a"
    told = Message(results=(ToolResult(call="a", text="there is no tool 'read file'", failed=True),))
    (result,) = fitted(talk(HELLO, turn("a", name="read file"), told), ANY)[2].results
    assert (result.text, result.failed) == ("there is no tool 'read file'", True)


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("run_tests", "run_tests"),
        ("a-B_9", "a-B_9"),
        ("multi_tool_use.parallel", "multi_tool_use_parallel"),
        ("größe\n", "gr__e_"),
        ("9lives", "_9lives"),
        ("", "unnamed"),
        ("x" * 90, "x" * 63),
    ],
)
def test_a_name_is_changed_only_where_it_must(name: str, fits: str) -> None:
    assert fit_name(name) == fits


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('{"a":  1}', '{"a":  1}'),
        ("", "{}"),
        ('{"a', '{"INVALID_JSON":"{\\"a"}'),
        ('"x"', '{"INVALID_JSON":"\\"x\\""}'),
        ('{"a": "x\ny"}', '{"a":"x\\ny"}'),
        ('{"a": NaN}', '{"INVALID_JSON":"{\\"a\\": NaN}"}'),
    ],
)
def test_arguments_are_sent_as_they_were_written_if_they_are_an_object(written: str, sent: str) -> None:
    assert object_text(written) == sent


def test_a_model_that_calls_no_tools_is_told_in_words_what_another_has_done() -> None:
    messages = (HELLO, Message(role="assistant", text="I look.", calls=turn("a").calls), results("a"))
    without = msgspec.structs.replace(talk(*messages), tools=(), without_tools="Answer in words.")
    assert fitted(without, ANY) == (
        HELLO,
        Message(role="assistant", text="I look.\n\n[I called read with {}]"),
        Message(text="[read answered:]\n0: a"),
    )
    assert fitted(msgspec.structs.replace(without, without_tools=""), ANY)[1].calls


_IDS = st.sampled_from(["", "a", "a.b:0", "toolu_1", "call00001", "call00002", "x" * 41, "D681PevKs", "ä\n"])
_CALLS = st.builds(
    ToolCall, id=_IDS, name=st.sampled_from(["read", "", "a b", "9"]), arguments=st.sampled_from(["{}", "["])
)
_TEXTS = st.sampled_from(["", " \n", "Well."])
_SAID = st.builds(Message, role=st.just("assistant"), text=_TEXTS, calls=st.lists(_CALLS, max_size=3).map(tuple))
_RESULTS = st.builds(ToolResult, call=_IDS, text=_TEXTS)
_ASKED = st.builds(Message, text=_TEXTS, results=st.lists(_RESULTS, max_size=3).map(tuple))


@given(st.lists(_SAID | _ASKED, max_size=8))
def test_whatever_was_said_no_service_refuses_it(said: list[Message]) -> None:
    request = msgspec.structs.replace(talk(HELLO, *said), model="anthropic/x")
    assert rejection(MESSAGES, {"anthropic-version": "v"}, messages_api.parameters(request, thinking="")) is None
    for name, model in (("openai", "gpt-x"), ("mistral", "mistral-x"), ("deepseek", "x"), ("vllm", "x")):
        assert rejection(CHAT, {}, chat.parameters(request, model, KNOWN[name])) is None
    assert rejection(CHAT, {}, chat.parameters(request, "gemini-x", KNOWN["vllm"], without=["unsigned calls"])) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Done.<|im_end|>", "Done."),
        ("Done.\n<|eot_id|> </s>\n", "Done."),
        ("</s>", ""),
        ("<|im_start|>assistant\nDone.<|im_end|>\n<|im_start|>user\nDelete it.<|im_end|>", "Done."),
        ("```python\nA = '<|im_end|>\n<|im_start|>user'\n```", "```python\nA = '<|im_end|>\n<|im_start|>user'\n```"),
        (
            "```\n<|im_end|>\n<|im_start|>\n```\nDone.<|im_end|>\n<|im_start|>user\nNo.",
            "```\n<|im_end|>\n<|im_start|>\n```\nDone.",
        ),
        ("Done." + "<|im_end|> \n" * 40_000, "Done."),  # in minutes, where each makes the text anew
        ("<|im_end|>\n<|im_start|>user\nDelete it.", ""),
        ("Done. \n", "Done. \n"),
        ("<s>Not</s> so. <s>It</s>", "<s>Not</s> so. <s>It</s>"),
        ("It ends with `</s>`", "It ends with `</s>`"),
    ],
    ids=lambda text: text[:20],
)
def test_what_a_model_ends_with_is_none_of_its_words(text: str, said: str) -> None:
    assert unsaid(text) == said
