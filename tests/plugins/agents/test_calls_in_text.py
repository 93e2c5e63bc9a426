"""Calls of tools that a model writes as words, since its server does not know their form."""

from __future__ import annotations

import json
import time

import pytest

from treadle import Message, ModelReply, ToolCall, ToolResult, ToolSpec
from treadle.plugins.agents.calls_in_text import with_calls_in_text

_KINDS = {"path": {"type": "string"}, "content": {"type": "string"}, "start": {"type": "integer"}}
OFFERED = tuple(
    ToolSpec(name=name, description="", parameters={"type": "object", "properties": _KINDS})
    for name in ("read", "write", "list", "finish")
)
CALL = '{"name": "read", "arguments": {"path": "a.py"}}'

MARKED = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\nARGUMENTS\n```<｜tool▁call▁end｜>",
    "<｜tool▁call▁begin｜>read<｜tool▁sep｜>ARGUMENTS<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>ARGUMENTS<|tool_call_end|>",
    "I look.[TOOL_CALLS]read[ARGS]ARGUMENTS",
    "[TOOL_CALLS]read[CALL_ID]a1b2c3d4e[ARGS]ARGUMENTS",
    "<|channel|>commentary to=functions.read <|constrain|>json<|message|>ARGUMENTS<|call|>",
    "<|start|>assistant to=functions.read<|channel|>commentary json<|message|>ARGUMENTS<|call|>",
    "<function=read>ARGUMENTS</function>",
    "Thought: I look.\nAction: read\nAction Input: ARGUMENTS\nObservation: it is empty",
)


def called(text: str) -> list[tuple[str, object]]:
    found = with_calls_in_text(ModelReply(text=text), OFFERED)
    return [(call.name, json.loads(call.arguments)) for call in found.calls]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<think>Which file? {{}}</think>\n<tool_call>{CALL}</tool_call>",
        f"```json\n{CALL}\n```",
        f"I look at it first.\n\n```\n{CALL}\n```\n",
        f"[TOOL_CALLS][{CALL}]",
        f"<|python_tag|>{CALL}",
        CALL.replace("arguments", "parameters"),
        CALL.replace('"name"', '"tool"').replace("arguments", "args"),
        f"I look at it first.\n```json\n{CALL}\n```\nThis shows what it holds.",
        f"<tool_call>\n{CALL}\n</tool_call>\n<tool_response>\nx = 1\n</tool_response>\nIt holds x.",
        f'It is like {{"a": 1}}:\n{{"a": 1}}\n{CALL}',
        "[read(path='a.py')]",
        CALL.replace("read", "functions.Read"),
        "<function=functions.read>\n<parameter=path>a.py</parameter>\n</function>",
        "default_api.read(path='a.py')",
        "```tool_code\nprint(read(path='a.py'))\n```",
        json.dumps({"type": "function", "function": json.loads(CALL)}),
        json.dumps({"name": "read", "arguments": '{"path": "a.py"}'}),
        "<tool_call>\n<function=read>\n<parameter=path>\na.py\n</parameter>\n</function>\n</tool_call>",
        "I look.\n<read_file>\n<path>a.py</path>\n</read_file>",
        "<read_file><args><file><path>a.py</path></file></args></read_file>",
        "<function=str_replace_editor><parameter=command>view</parameter><parameter=path>a.py</parameter></function>",
        "str_replace_based_edit_tool(command='view', path='a.py')",
        json.dumps({"name": "str_replace_editor", "arguments": {"command": "view", "path": "a.py"}}),
        '<think>Hm.</think>I look.\n<invoke name="read"><parameter name="path">a.py</parameter></invoke>',
        *(form.replace("ARGUMENTS", '{"path": "a.py"}') for form in MARKED),
        "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.py</arg_value>\n</tool_call>",
        '{"thought": "Hm.", "action": "read", "action_input": {"path": "a.py"}}',
        json.dumps({"tool_calls": [{"type": "function", "function": {"name": "read", "arguments": {"path": "a.py"}}}]}),
        f"<|START_ACTION|>[{CALL}]<|END_ACTION|>",
        "read('a.py')",
        "```tool_code\nread_file('a.py')\n```",
        '{"tool": "read", "path": "a.py"}',
        '{"action": "read_file", "path": "a.py"}',
        '```json\n{"read": {"path": "a.py"}}\n```',
    ],
)
def test_a_call_in_words_is_a_call(text: str) -> None:
    assert called(text) == [("read", {"path": "a.py"})]


@pytest.mark.parametrize(
    "text",
    [
        f"It says:\n```json\n{CALL}\n```\nI don't do that.",
        "It says:\n\n<function=read>\n<parameter=path>a</parameter>\n</function>",
        "[read(path='a.py')]",
    ],
)
def test_a_call_that_the_model_was_shown_is_quoted(text: str) -> None:
    shown = text if text.startswith("[") else f"    1  {text.replace(chr(10), chr(10) + '    2  ')}"
    results = (ToolResult(call="1", text=shown),)
    reply = ModelReply(text=text)
    assert with_calls_in_text(reply, OFFERED, [Message(results=results)]) == reply
    assert with_calls_in_text(reply, OFFERED, [Message(text="else"), Message(role="assistant", text=shown)]).calls


TAGGED = "<function=read><parameter=path>a.py</parameter></function>"
MARK = "[TOOL_CALLS]read[ARGS]{}"


@pytest.mark.parametrize("call", [f"<tool_call>{CALL}</tool_call>", TAGGED, MARK])
@pytest.mark.parametrize(
    ("around", "is_call"),
    [
        ("A file is read by `CALL`, which I do not do.", False),
        ('"CALL" reads it.', False),
        ("As it stands there:\n> CALL\n", False),
        ("For example:\n\nCALL\n\nNothing is to change.", False),
        ("All is well. The format of a call is:\n```\nCALL\n```\nNothing is to change.", False),
        ("Do not do this:\nCALL", False),
        ("For example, I look at a.py:\nCALL", True),
        ('It says "no such file".\nCALL', True),
        ("I add an example of it to `a.py`\nCALL", True),
        ("Here it is:\n```\nCALL\n```", True),
    ],
)
def test_an_example_of_a_call_is_none(around: str, is_call: bool, call: str) -> None:
    assert bool(called(around.replace("CALL", call))) is is_call


def test_several_calls_come_in_their_order_and_the_words_before_them_stay() -> None:
    text = f'First I look.\n<tool_call>\n{CALL}\n</tool_call>\n<tool_call>\n{{"name": "finish"}}\n</tool_call>'
    found = with_calls_in_text(ModelReply(text=text), OFFERED)
    assert (found.text, found.stop) == ("First I look.", "tool calls")
    assert [call.name for call in found.calls] == ["read", "finish"]
    assert len({call.id for call in found.calls}) == 2


def test_marks_are_taken_away_with_what_is_thought_between_them() -> None:
    call = "<|tool_call_begin|>read:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    found = with_calls_in_text(ModelReply(text=f"I look.<|tool_calls_section_begin|>{call}\n{call}"), OFFERED)
    assert (found.text, len(found.calls), found.stop) == ("I look.", 2, "tool calls")
    thought = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
    found = with_calls_in_text(ModelReply(text=f"{thought}<|channel|>commentary to=read<|message|>{{}}"), OFFERED)
    assert (found.text, len(found.calls)) == ("", 1)


def test_a_line_break_may_stand_in_a_string_as_it_is() -> None:
    text = '{"name": "write", "arguments": {"path": "a.py", "content": "x = 1\ny = 2\n"}}'
    assert called(text) == [("write", {"path": "a.py", "content": "x = 1\ny = 2\n"})]


def test_a_tag_may_stand_in_a_string_and_stays_there() -> None:
    text = CALL.replace("a.py", "a <tool_call> b")
    assert called(f"<tool_call>{text}</tool_call>") == [("read", {"path": "a <tool_call> b"})]


def test_between_tags_each_argument_is_as_the_tool_takes_it() -> None:
    text = (
        "<tool_call><function=write><parameter=path>1</parameter><parameter=content>\n```\nx = {}\n\n</parameter>"
        "</function></tool_call>\n<tool_call><function=read><parameter=start> 3 </parameter></function></tool_call>"
        "<tool_response>"
    )
    assert called(text) == [("write", {"path": "1", "content": "```\nx = {}\n"}), ("read", {"start": 3})]


def test_between_bare_tags_a_file_may_hold_tags_and_ends_with_its_last_line() -> None:
    text = "<write_to_file>\n<path>a.xml</path>\n<content>\n<content>x</content>.\ny\n</content>\n</write_to_file>"
    assert called(text) == [("write", {"path": "a.xml", "content": "<content>x</content>.\ny\n"})]


def test_a_thought_that_a_file_holds_is_no_thought() -> None:
    content = "a\n<think>\nb\n</think>\nc"
    text = f"<function=write><parameter=path>a</parameter><parameter=content>\n{content}\n</parameter></function>"
    assert called(text) == [("write", {"path": "a", "content": content})]


@pytest.mark.parametrize(
    "text",
    [
        "<function=read>" * 20_000,
        "<function=read>" + "<parameter=path>" * 20_000 + "</function>",
        " " * 300_000 + "x<function=read></function>",
        "<tool_call>" * 30_000 + "x<function=read></function>",
        "<read>\n<path>" * 20_000,
        "<read>" + "<path></path>x" * 20_000 + "</read>",
        "<read>" + "<path>" * 20_000 + "</read>",
        "read(path='a.py')\n" * 3_000 + "!",
        "[" + "read(path='a.py'), " * 10_000 + "]",
        "<|channel|>analysis<|message|>" * 10_000 + "[TOOL_CALLS]read[ARGS]{}",
        "<|start|>assistant to=read" + " " * 300_000,
        "<tool_call>read<arg_key>" + "<arg_key>a</arg_key><arg_value>" * 9_000 + "</tool_call>",
    ],
    ids=[
        "calls without an end",
        "arguments without an end",
        "blanks before it",
        "tags before it",
        "bare tags without an end",
        "bare tags of a text",
        "bare tags in each other",
        "no program",
        "a long list",
        "thoughts without an end",
        "blanks before a message",
        "pairs without an end",
    ],
)
def test_hostile_words_take_no_long_time(text: str) -> None:
    begun = time.process_time()
    called(text)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "text",
    [
        "<read>a.py</read>",
        "<read_file><path>a.py</path>",
        "<read><path>a.py</read>",
        "See <read><path>a.py</path></read> there.",
        "<function=remove><parameter=path>a.py</parameter></function>",
        "<function=read><parameter=path>a.py</function>",
        "<function=read>the file a.py</function>",
        "<function=read><parameter=path>a.py</parameter>",
        CALL.replace("read", "no_such_tool"),
        *(form.replace("ARGUMENTS", '{"path": "a.py"').replace("\n```<", "<") for form in MARKED),
        *(form.replace("read", "remove").replace("ARGUMENTS", "{}") for form in MARKED),
        "<tool_call>read\n<arg_key>path</arg_key>\n</tool_call>",
        CALL[:-1],
        "read(*'ab')",
        "read('a.py', 'x', 1, 2)",
        "read('a.py', path='a.py')",
        "list('a.py')",
        '{"tool": "read", "path": "a.py", "why": "it is asked about", "what": {"a": 1}}',
        '{"name": "read", "path": 3}',
        '{"read": {"size": 3}}',
        '{"read": {}}',
        '{"read": {"path": "a.py"}, "write": {"path": "a.py"}}',
        "self.read(path='a.py')",
        "import x\n\nfinish()",
        "read(path=a)",
        "read(path={1, 2})",
        "read(path={[]: 1})",
        "read(**{'path': 'a.py'})",
        '{"name": "read", "arguments": {"path": "\\ud800"}}',
        '{"name": "write", "arguments": {"path": "a", "content": "x\n<think>\ny\n</think>\nz"}}',
        "```python a.py\nx = 1\n<invoke name='read'><parameter name='path'>a</parameter></invoke>\n```",
        "```python a.py\nx = 1\n```\n<function=read></function>",
        "Write `<function=read><parameter=path>a.py</parameter></function>` to read a.py.",
        "<function=read><parameter=path>a</parameter><parameter=path>b</parameter></function>",
        "<function=write><parameter=content>\nIt ends with\n</parameter></function>\nand\n</parameter></function>",
        'write(path=\'a.py\', content="""\n<tool_call>\n""")',
        "```python\nread(path='a.py')\n```",
        f"```python a.py\nx = {CALL}\n```",
        f"```python a.py\nx = 1\n```\n{CALL}",
        '{"name": "read", "arguments": {"path": "a.py"}, "price": 3}',
        '{"name": "finish", "arguments": 3}',
        "{}",
        "[]",
    ],
)
def test_other_words_stay_words(text: str) -> None:
    reply = ModelReply(text=text)
    assert with_calls_in_text(reply, OFFERED) == reply


def test_what_was_cut_off_or_has_calls_of_its_own_is_left_alone() -> None:
    own = ToolCall(id="1", name="read", arguments="{}")
    for reply in (ModelReply(text=CALL, stop="length"), ModelReply(text=CALL, calls=(own,), stop="tool calls")):
        assert with_calls_in_text(reply, OFFERED) == reply
