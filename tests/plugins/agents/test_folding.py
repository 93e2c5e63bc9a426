"""A long conversation, cut down: it stays one that every service takes, and it can't outgrow a model."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.models.messages import Message, ModelRequest, ToolCall, ToolResult
from treadle.core.models.tokens import estimate
from treadle.plugins.agents.folding import FOLD_FROM, MOST_UNFOLDED, UNFOLDED, Messages, folded, no_longer_shown
from treadle.plugins.models.anthropic import turns as anthropic
from treadle.plugins.models.openai_compatible import request as openai_compatible
from treadle.plugins.models.openai_compatible.services import KNOWN

OPENING = (Message(text="Begin."),)
LONG = "\n".join(["1: first line", *["another line"] * 200])
CODE = "x = 1\n" * 2_000


def turn(number: int, name: str, text: str = "done", **arguments: object) -> Messages:
    """A call, after some reasoning as Anthropic gives it, and its result."""
    call = ToolCall(id=str(number), name=name, arguments=json.dumps(arguments))
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "tool_use", "id": call.id, "name": name, "input": arguments},
    ]
    state = anthropic.state_of(blocks, "", (call,))
    return (
        Message(role="assistant", calls=(call,), state=state),
        Message(results=(ToolResult(call=call.id, text=text),)),
    )


def size(messages: Messages) -> int:
    return sum(
        estimate(m.text) + sum(estimate(c.arguments) for c in m.calls) + sum(estimate(r.text) for r in m.results)
        for m in messages
    )


def test_old_results_are_folded_all_at_once_and_the_latest_stay() -> None:
    messages: Messages = OPENING
    while folded(messages) == messages:
        messages += turn(len(messages), "read", LONG)
    assert size(messages) > 0.9 * FOLD_FROM  # the rest is reasoning, which is counted as well
    short = folded(messages)
    texts = [result.text for message in short for result in message.results]
    assert texts[-UNFOLDED:] == [LONG] * UNFOLDED
    assert set(texts[:-UNFOLDED]) == {"1: first line [200 more lines left out here; ask again if you need them]"}
    assert folded(short) == short
    again = list(no_longer_shown(messages, short))
    assert again == [call for message in messages[: -2 * UNFOLDED] for call in message.calls]
    assert list(no_longer_shown(short, folded(short))) == []


def test_a_model_of_a_small_context_has_its_turns_folded_before_that_is_full() -> None:
    messages: Messages = (Message(text="word " * 500),)
    context = 8_000
    while folded(messages, context) == messages:
        messages += turn(len(messages), "read", LONG)
    assert 0.4 * context < size(messages) < FOLD_FROM / 2
    assert size(folded(messages, context)) < 0.6 * context
    assert folded(messages) == messages == folded(messages, 1_000_000)
    huge = messages + turn(len(messages), "read", LONG * 8) + turn(len(messages) + 2, "read", LONG)
    texts = [result.text for message in folded(huge, context) for result in message.results]
    assert [text == LONG for text in texts[-2:]] == [False, True], "fewer of the latest turns stay whole"


def test_what_the_model_wrote_is_folded_as_well() -> None:
    messages: Messages = OPENING
    for number in range(12):
        messages += turn(number, "write", path=f"a_{number}.py", content=CODE)
    short = folded(messages)
    assert size(messages) > 2 * FOLD_FROM > 2 * size(short)
    first = json.loads(short[1].calls[0].arguments)
    assert first == {"path": "a_0.py", "folded": f"{len(messages[1].calls[0].arguments)} characters were here: content"}
    assert [message.calls for message in short[-2 * UNFOLDED :]] == [m.calls for m in messages[-2 * UNFOLDED :]]
    assert list(no_longer_shown(messages, short)) == []  # what came of them was short, and stays


def test_long_words_and_reasoning_of_old_turns_are_folded_too() -> None:
    words = (Message(role="assistant", text="First words. " * 400), Message(text="Nothing of that was taken."))
    thought = (Message(role="assistant", text="Hm.", state="r" * 20_000), Message(text="Go on."))
    messages = OPENING + (words + thought) * 12
    short = folded(messages)
    assert short[1].text.endswith("more characters were here]") and len(short[1].text) < 300
    assert short[3].state == "" and short[-2].state == thought[0].state


def test_the_opening_stays_whole_and_does_not_count() -> None:
    messages = (Message(text="word " * 40_000), *turn(0, "read", LONG), *turn(1, "read", "short"))
    assert folded(messages) == messages


@pytest.mark.parametrize("at_once", [1, 8, 30])
def test_however_much_a_turn_holds_the_conversation_keeps_its_bound(at_once: int) -> None:
    messages: Messages = OPENING
    largest = 0
    for _ in range(20):
        calls = tuple(
            ToolCall(id=str(n), name="write", arguments=json.dumps({"path": f"{n}.py", "content": CODE}))
            for n in range(at_once)
        )
        results = tuple(ToolResult(call=call.id, text=LONG) for call in calls)
        last = (Message(role="assistant", calls=calls), Message(results=results))
        messages = folded(messages + last)
        assert messages[-2:] == last
        largest = max(largest, size(messages))
    old = 20 * at_once * 200
    assert largest < FOLD_FROM + old + max(MOST_UNFOLDED, size(last))


ARGUMENTS = (
    st.dictionaries(
        st.text(max_size=30) | st.just("path"),
        st.text(max_size=900) | st.integers() | st.lists(st.text(max_size=300), max_size=5) | st.booleans(),
        max_size=20,
    ).map(json.dumps)
    | st.text(max_size=900)
    | st.sampled_from(
        ["[" * 5_000, '{"a": ' * 2_000, '{"folded": "' + "x" * 900 + '"}', '{"n": 1e999}', "\\ud800" * 200]
    )
)


@given(arguments=st.lists(ARGUMENTS, min_size=1, max_size=3), said=st.text(max_size=900))
def test_every_service_takes_what_is_left_and_folding_again_changes_nothing(arguments: list[str], said: str) -> None:
    calls = tuple(ToolCall(id=str(n), name="f", arguments=text) for n, text in enumerate(arguments))
    results = tuple(ToolResult(call=call.id, text=said) for call in calls)
    odd = (Message(role="assistant", text=said, calls=calls), Message(results=results))
    messages = OPENING + odd + turn(1, "write", content=CODE * 8) * (UNFOLDED + 1)
    short = folded(messages)
    assert short != messages and folded(short) == short
    for call, before in zip(short[1].calls, calls, strict=True):
        assert (call.id, call.name) == (before.id, before.name)
        assert call == before if len(before.arguments) <= 400 else isinstance(json.loads(call.arguments), dict)
        assert len(call.arguments) <= 400
    request = ModelRequest(role="coder", messages=short)
    turns = anthropic.turns(request)
    for said_turn, asked in zip(turns[1::2], turns[2::2], strict=True):
        used = [block["id"] for block in said_turn["content"] if block["type"] == "tool_use"]
        answered = [block["tool_use_id"] for block in asked["content"] if block["type"] == "tool_result"]
        assert said_turn["role"] == "assistant" and asked["role"] == "user" and used == answered
        assert all(isinstance(b["input"], dict) for b in said_turn["content"] if b["type"] == "tool_use")
    # The latest turns go back with their reasoning, as they came; it is the last one that the service insists on.
    kinds = [[block["type"] for block in each["content"]] for each in turns]
    assert kinds[-2] == ["thinking", "tool_use"] and kinds[3] == ["tool_use"]
    sent = list(openai_compatible.turns(request, KNOWN["deepseek"]))
    called = [call["id"] for each in sent for call in each.get("tool_calls", ())]
    assert called == [each["tool_call_id"] for each in sent if each["role"] == "tool"]
