"""Calls of tools that a model has written between tags of its own, an argument each.

Qwen's models for code write `<function=edit>` with `<parameter=path>` in it; others `<invoke name="edit">` with
`<parameter name="path">`. What an argument holds is as it is to be, so that its type is in the tool alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

from treadle.core.models.messages import ToolCall, ToolSpec
from treadle.plugins.agents.tool_names import tool_called

_NAME = r"""(?:=\s*["']?|\s+name\s*=\s*["'])(?P<name>[\w.:-]+)["']?\s*>"""
_CALL = re.compile(rf"(?<![`\"'])<(?P<tag>function|invoke){_NAME}", re.IGNORECASE)
_ARGUMENT = re.compile(rf"\s*<(?P<tag>parameter){_NAME}", re.IGNORECASE)
_AROUND = re.compile(r"(?:\s|</?[\w:|]*(?:tool_call|function_call)s?\|?>)*", re.IGNORECASE)
_ENDS = {tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in ("function", "invoke", "parameter")}


def tagged_calls(
    text: str, tools: Sequence[ToolSpec], is_quoted: Callable[[str], bool]
) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the first of these calls, and those that follow each other there; the text, and none, where
    there are none, or one is of no tool that was offered, or not whole. One in quotes is an example."""
    offered = {tool.name: tool for tool in tools}
    found: list[ToolCall] = []
    begins = at = 0
    while (opens := _CALL.search(text, at)) and (not found or _AROUND.fullmatch(text, at, opens.start())):
        ends = _ENDS[opens["tag"].lower()].search(text, opens.end())
        arguments = _arguments(text[opens.end() : ends.start()]) if ends else None
        name = tool_called(opens["name"], offered)
        if ends is None or arguments is None or name not in offered:
            break
        if is_quoted(text[opens.start() : ends.end()]):
            break
        begins = begins if found else opens.start()
        typed = {key: _typed(value, offered[name], key) for key, value in arguments.items()}
        made = json.dumps(typed, ensure_ascii=False)
        found.append(ToolCall(id=f"in_tags_{len(found)}", name=name, arguments=made))
        at = ends.end()
    return (_without_tags_behind(text[:begins]), tuple(found)) if found else (text, ())


def _without_tags_behind(text: str) -> str:
    end = len(text.rstrip())
    while (at := text.rfind("<", 0, end)) >= 0 and _AROUND.fullmatch(text, at, end):
        end = at
    return text[:end].strip()


def _arguments(inside: str) -> Mapping[str, str] | None:
    """The arguments as they stand there; None where something else does, too, or one twice."""
    found: dict[str, str] = {}
    at = 0
    while opens := _ARGUMENT.match(inside, at):
        ends = _ENDS["parameter"].search(inside, opens.end())
        if ends is None or opens["name"] in found:
            return None
        found[opens["name"]] = _without_outer_breaks(inside[opens.end() : ends.start()])
        at = ends.end()
    return None if inside[at:].strip() else found


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
