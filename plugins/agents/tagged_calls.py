"""Calls of tools that a model has written between tags of its own, an argument each.

Qwen's models for code write `<function=edit>` with `<parameter=path>` in it; others `<invoke name="edit">` with
`<parameter name="path">`. What an argument holds is as it is to be, so that its type is in the tool alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from treadle.core.models.messages import ToolCall, ToolSpec

_NAME = r"""(?:=\s*["']?|\s+name\s*=\s*["'])(?P<{group}>[\w.-]+)["']?\s*>"""
_CALL = re.compile(
    rf"<(?P<tag>function|invoke){_NAME.format(group='name')}(?P<inside>.*?)</(?P=tag)\s*>", re.DOTALL | re.IGNORECASE
)
_ARGUMENT = re.compile(
    rf"<parameter{_NAME.format(group='key')}(?P<value>.*?)</parameter\s*>", re.DOTALL | re.IGNORECASE
)
_AROUND = re.compile(r"(?:\s|</?[\w:|]*(?:tool_call|function_call)s?\|?>)*", re.IGNORECASE)
_BEFORE = re.compile(rf"{_AROUND.pattern}\Z", re.IGNORECASE)


def tagged_calls(text: str, tools: Sequence[ToolSpec]) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the first of these calls, and those that follow each other there; the text, and none, where
    there are none, or one is of no tool that was offered, or not whole."""
    offered = {tool.name: tool for tool in tools}
    found: list[ToolCall] = []
    begins = at = 0
    while (match := _CALL.search(text, at)) and (not found or _AROUND.fullmatch(text[at : match.start()])):
        arguments = _arguments(match["inside"])
        if match["name"] not in offered or arguments is None:
            break
        begins = begins if found else match.start()
        typed = {key: _typed(value, offered[match["name"]], key) for key, value in arguments.items()}
        made = json.dumps(typed, ensure_ascii=False)
        found.append(ToolCall(id=f"in_tags_{len(found)}", name=match["name"], arguments=made))
        at = match.end()
    return (_BEFORE.sub("", text[:begins]).strip(), tuple(found)) if found else (text, ())


def _arguments(inside: str) -> Mapping[str, str] | None:
    """The arguments as they stand there; None where something else does, too."""
    if _ARGUMENT.sub("", inside).strip():
        return None
    return {match["key"]: _without_outer_breaks(match["value"]) for match in _ARGUMENT.finditer(inside)}


def _without_outer_breaks(value: str) -> str:
    """Behind the opening tag and before the closing one a line may be broken."""
    return value.removeprefix("\n").removesuffix("\n")


def _typed(value: str, tool: ToolSpec, key: str) -> object:
    """The value as the tool takes it: a text stays one, of everything else JSON is written."""
    known = tool.parameters.get("properties")
    asked = known.get(key) if isinstance(known, dict) else None
    if isinstance(asked, dict) and asked.get("type") not in (None, "string"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value.strip()
    return value
