"""Calls of tools that a model has written as words.

Small models call tools in a form of their own, which not every server knows: then the call comes as text, between tags,
in a fence, or bare, as JSON or as Python. It is a call where it names a tool that the model was offered, and is whole.
One that stands in what the model was shown, such as a file, is quoted, and one may be an example: neither is called.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile

import msgspec

from treadle.core.errors import SourceError
from treadle.core.models.messages import Message, ModelReply, ToolCall, ToolSpec
from treadle.core.replies.marked_edits import Edit, Patch
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block, Part, Prose
from treadle.core.replies.said_and_thought import said_and_thought
from treadle.core.replies.thoughts import UnclosedThought
from treadle.core.tree.sources import parse
from treadle.plugins.agents.call_of_value import call_of_value
from treadle.plugins.agents.example_calls import is_example
from treadle.plugins.agents.marked_calls import marked_calls
from treadle.plugins.agents.tagged_calls import tagged_calls
from treadle.plugins.agents.tool_names import MODULES, may_be_called, tool_called

_MAY_BEGIN = re.compile(r"^[ \t]*(?=[\[{]|[\w.]+\()", re.MULTILINE)
_PYTHON_CALL = re.compile(r"[ \t]*\[?\s*(?:print\()?([\w.]+)\(")
_MOST_BEGINNINGS = 20
_TAG = re.compile(
    r"</?(?:tool_call|tool_calls|tools|function_call|functioncall)>|<\|/?(?:tool_call|python_tag)\|>|\[/?TOOL_CALLS\]"
    r"|<\|(?:START|END)_ACTION\|>"
)
_LANGUAGES = frozenset({"json", "tool_call", "tool_code", "xml", ""})
_LISTS = frozenset({"tool_calls"})
"""The only key of an object that holds calls."""
_NUMBER = re.compile(r"^ *\d+  ", re.MULTILINE)
_LONGEST = 400_000
"""Characters of a reply that is looked through."""


def with_calls_in_text(reply: ModelReply, offered: Sequence[ToolSpec], messages: Sequence[Message] = ()) -> ModelReply:
    """The reply to these messages, with the calls that its words are. One that was cut off is as it was."""
    if reply.calls or reply.stop not in ("end", "unknown") or not offered or len(reply.text) > _LONGEST:
        return reply
    said, _ = said_and_thought(reply.text)
    is_quoted = _Shown(messages).holds
    before, calls = tagged_calls(said, offered, is_quoted)
    if not calls:
        before, calls = marked_calls(said, offered, is_quoted)
    if calls and _has_files(before):
        return reply
    if not calls and _MAY_BEGIN.search(_TAG.sub("\n", said)):
        before, calls = _read(said, {tool.name: tool for tool in offered}, is_quoted)
    if not calls or is_example(before):
        return reply
    return msgspec.structs.replace(reply, text=before, calls=calls, stop="tool calls")


def _has_files(text: str) -> bool:
    """Whether a file is in it, or begins there, so that what follows may be of its text."""
    try:
        return any(map(_may_be_file, read_parts(text)))
    except UnclosedThought:
        return True


def _may_be_file(part: Part) -> bool:
    return isinstance(part, Edit | Patch) or (isinstance(part, Block) and part.info.lower() not in _LANGUAGES)


class _Shown:
    """What a model was shown in a conversation, apart from white space and the numbers of lines."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._known: dict[str, bool] = {}
        """Of what was asked already: a list of thousands of calls is one text."""

    def holds(self, text: str) -> bool:
        if text not in self._known:
            wanted = _squeezed(text)
            self._known[text] = any(wanted in each for each in self._texts)
        return self._known[text]

    @cached_property
    def _texts(self) -> list[str]:
        asked = [message for message in self._messages if message.role == "user"]
        return [_squeezed(text) for each in asked for text in (each.text, *(result.text for result in each.results))]


def _squeezed(text: str) -> str:
    return "".join(_NUMBER.sub("", text).split())


def _read(
    text: str, offered: Mapping[str, ToolSpec], is_quoted: Callable[[str], bool]
) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the calls, and the calls that follow each other. What comes behind them was written without
    knowing what they answer, and does not count."""
    try:
        parts = list(read_parts(text))
    except UnclosedThought:
        return text, ()
    before: list[str] = []
    calls: list[ToolCall] = []
    for part in parts:
        if isinstance(part, Edit | Patch) or _may_be_file(part):
            break
        words = "\n".join(part.content if isinstance(part, Block) else part.lines)
        if isinstance(part, Prose) and words not in text:
            break  # between its lines there was a thought, or what only looks like one in the middle of a call
        start, found = _calls_in(words, offered, len(calls), is_quoted)
        said = _without_tags(words)[:start]
        if calls and said.strip():
            break
        if isinstance(part, Block) and (not found or said.strip()):
            break
        before.append(said)
        calls.extend(found)
    return ("\n".join(before).strip(), tuple(calls)) if calls else (text, ())


def _calls_in(
    words: str, offered: Mapping[str, ToolSpec], count: int, is_quoted: Callable[[str], bool]
) -> tuple[int, list[ToolCall]]:
    """Where the first calls begin, and those that follow each other there; at the end, and none, where there are
    none."""
    was_python = False
    for match in islice(_MAY_BEGIN.finditer(_without_tags(words)), _MOST_BEGINNINGS):
        rest = words[match.start() :]
        in_python = _PYTHON_CALL.match(rest)
        is_python = in_python is not None and may_be_called(in_python[1], offered)
        if is_python and was_python:
            continue  # what is no program from its first call on is prose, and to parse it takes long
        was_python |= is_python
        values = _python_calls(rest, offered) if is_python else _objects(rest)
        made = ((call_of_value(value, offered, count + number), raw) for number, (value, raw) in enumerate(values))
        calls = takewhile(lambda each: each[0] is not None and not is_quoted(each[1]), made)
        if found := [call for call, _ in calls if call is not None]:
            return match.start(), found
    return len(words), []


def _without_tags(text: str, blank: str = " ") -> str:
    """The text with blanks and a line break in place of each tag around calls, so that all else stays at its place."""
    return _TAG.sub(lambda tag: blank * (len(tag[0]) - 1) + "\n", text)


def _objects(text: str) -> Iterator[tuple[object, str]]:
    """The JSON objects with which the text begins, one after the other or in lists, and how they stand there. Tags may
    be between them; within one they are what it holds."""
    reader = json.JSONDecoder(strict=False)  # by hand, models write line breaks within strings as they are
    between = _without_tags(text)
    at = 0
    while at < len(text):
        if between[at].isspace() or between[at] in ",;":
            at += 1
            continue
        begins = at
        try:
            value, at = reader.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        raw = text[begins:at]
        yield from ((each, raw) for each in _each_of(value))


def _each_of(value: object) -> list[object]:
    inner = next(iter(value.values())) if isinstance(value, dict) and value.keys() and value.keys() <= _LISTS else value
    return inner if isinstance(inner, list) else [value]


def _python_calls(text: str, offered: Mapping[str, ToolSpec]) -> Iterator[tuple[object, str]]:
    """The calls as which the text is a Python program, in the form of JSON's: `read(path="a.py")`, bare, printed or in
    a list. Each with how all of them stand there. None where a tag is within one of them."""
    found = list(_calls_of_program(_without_tags(text), offered))
    same = not _TAG.search(text) or found == list(_calls_of_program(_without_tags(text, "\t"), offered))
    yield from ((call, text) for call in found if same)


def _calls_of_program(text: str, offered: Mapping[str, ToolSpec]) -> Iterator[dict[str, object]]:
    try:
        body = parse(text.strip()).body
    except (SyntaxError, SourceError):
        return
    for statement in body:
        value = statement.value if isinstance(statement, ast.Expr) else None
        for node in value.elts if isinstance(value, ast.List) else [value]:
            call = node.args[0] if isinstance(node, ast.Call) and _is_print(node) else node
            arguments = _arguments_of(call, offered) if isinstance(call, ast.Call) and _is_name(call.func) else {}
            if not isinstance(call, ast.Call) or not arguments:
                return
            yield {"name": ast.unparse(call.func), "arguments": arguments}


def _arguments_of(call: ast.Call, offered: Mapping[str, ToolSpec]) -> dict[str, object]:
    """The arguments by their names, those without one by their places in the tool's schema; none where one is no plain
    value, or may be one of Python's own function of that name."""
    name = ast.unparse(call.func)
    tool = offered.get(tool_called(name, offered))
    properties = tool.parameters.get("properties") if tool is not None and not hasattr(builtins, name) else None
    placed = list(properties)[: len(call.args)] if isinstance(properties, dict) else []
    named = [each.arg for each in call.keywords]
    if len(placed) < len(call.args) or None in named or set(placed) & set(named):
        return {}
    values = [*call.args, *(each.value for each in call.keywords)]
    try:
        return {str(name): ast.literal_eval(value) for name, value in zip([*placed, *named], values, strict=True)}
    except (TypeError, ValueError, RecursionError):
        return {}


def _is_name(node: ast.expr) -> bool:
    """Whether it is the name of a function, or of one in a module of tools."""
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id in MODULES
    return isinstance(node, ast.Name)


def _is_print(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "print" and len(call.args) == 1
