"""Calls of tools that a model has written as words.

Small models call tools in a form of their own, which not every server knows: then the call comes as text, between tags,
in a fence of JSON, or bare. It is a call where it names a tool that the model was offered, and nothing follows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

import msgspec

from treadle.core.models.messages import ModelReply, ToolCall
from treadle.core.replies.fences import Block, Edit, UnclosedThought, read_parts

_TAG = re.compile(r"</?(?:tool_call|tool_calls|tools|function_call|functioncall)>|<\|tool_call\|>|\[/?TOOL_CALLS\]")
_LANGUAGES = frozenset({"json", "tool_call", "tool_code", "xml", ""})
_ARGUMENTS = ("arguments", "parameters")
_BESIDES = frozenset({"id", "type"})
"""What stands beside a call's name and arguments."""
_LONGEST = 400_000
"""Characters of a reply that is looked through."""


def with_calls_in_text(reply: ModelReply, offered: Collection[str]) -> ModelReply:
    """The reply, with the calls that its words are. One that was cut off is as it was."""
    if reply.calls or reply.stop not in ("end", "unknown") or not offered or "{" not in reply.text[:_LONGEST]:
        return reply
    before, calls = _read(reply.text, frozenset(offered))
    return msgspec.structs.replace(reply, text=before, calls=calls, stop="tool calls") if calls else reply


def _read(text: str, offered: frozenset[str]) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the calls, and the calls; none where there is another word behind them, or a block between
    them that is none."""
    if len(text) > _LONGEST:
        return text, ()
    try:
        parts = list(read_parts(text))
    except UnclosedThought:
        return text, ()
    before: list[str] = []
    calls: list[ToolCall] = []
    for part in parts:
        if isinstance(part, Edit) or (isinstance(part, Block) and part.info.lower() not in _LANGUAGES):
            return text, ()
        words = "\n".join(part.content if isinstance(part, Block) else part.lines)
        said, found = _calls_at_the_end(words, offered, len(calls))
        if said.strip() and (calls or isinstance(part, Block)):
            return text, ()
        before.append(said)
        calls.extend(found)
    return "\n".join(before).strip(), tuple(calls)


def _calls_at_the_end(words: str, offered: frozenset[str], count: int) -> tuple[str, list[ToolCall]]:
    plain = _TAG.sub("\n", words)
    starts = (match.start() for match in re.finditer(r"^[ \t]*[\[{]", plain, re.MULTILINE))
    start = next(starts, None)
    if start is None:
        return plain, []
    objects = _objects(plain[start:])
    found = [_call(each, offered, count + number) for number, each in enumerate(objects)] if objects else []
    calls = [call for call in found if call is not None]
    return (plain[:start], calls) if calls and len(calls) == len(found) else (words, [])


def _objects(text: str) -> list[object] | None:
    """The JSON objects of which the text is, one after the other or in lists; None where it is something else too."""
    reader = json.JSONDecoder(strict=False)  # by hand, models write line breaks within strings as they are
    found: list[object] = []
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] in ",;":
            at += 1
            continue
        try:
            value, at = reader.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        found.extend(value if isinstance(value, list) else [value])
    return found


def _call(value: object, offered: frozenset[str], number: int) -> ToolCall | None:
    """The call that a JSON value is: of a tool that was offered, with an object of arguments, and nothing else."""
    names = dict(_named(value))
    function = names.get("function")
    if isinstance(function, dict) and names.keys() <= {"function", *_BESIDES}:
        names = dict(_named(function))
    name = names.get("name")
    key = next((key for key in _ARGUMENTS if key in names), "")
    if not isinstance(name, str) or name not in offered or names.keys() - {"name", key, *_BESIDES}:
        return None
    arguments = names.get(key, {})
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(id=f"in_text_{number}", name=name, arguments=arguments) if isinstance(arguments, str) else None


def _named(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from value.items()
