"""Calls of tools that a model has written between tags of its own, an argument each.

Qwen's models for code write `<function=edit>` with `<parameter=path>` in it; others `<invoke name="edit">` with
`<parameter name="path">`, or `<edit>` with `<path>`; GLM `edit` behind `<tool_call>`, with pairs of `<arg_key>` and
`<arg_value>`. What an argument holds is as it is to be, so that its type is in the tool alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from treadle.core.errors import ReplyError
from treadle.core.models.messages import ToolCall, ToolSpec
from treadle.core.replies.call_arguments import read_arguments
from treadle.plugins.agents.tool_names import call_meant, may_be_called

_NAME = r"""(?:=\s*["']?|\s+name\s*=\s*["'])(?P<name>[\w.:-]+)["']?\s*>"""
_CALL = re.compile(
    rf"(?<![`\"'])<(?P<tag>function|invoke){_NAME}"
    r"|(?<![`\"'])<(?P<around>tool_call)>\s*(?P<called>[\w.:-]+)\s*(?=<arg_key>|</tool_call>)"
    r"|^[ \t]*<(?P<bare>[a-z]\w*)>",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = re.compile(r"\s*<arg_key>\s*(?P<name>\w+)\s*</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>", re.DOTALL)
_ARGUMENT = re.compile(rf"\s*<(?P<tag>parameter){_NAME}", re.IGNORECASE)
_BARE_ARGUMENT = re.compile(r"\s*<(?P<name>\w+)>")
_AROUND_ARGUMENTS = re.compile(r"\s*<(args|file)>(?=\s*<)(.*)</\1>\s*", re.DOTALL)
_AROUND = re.compile(r"(?:\s|</?[\w:|]*(?:tool_call|function_call)s?\|?>)*", re.IGNORECASE)
_END = re.compile(r"</(?:function|invoke|parameter)\s*>", re.IGNORECASE)
_ENDS = {tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in ("function", "invoke", "parameter", "tool_call")}
_MOST_BARE = 200
"""Tags that may be a tool's name, and are looked at."""


@dataclass(frozen=True)
class _Tagged:
    """A call as it stands in the text: from `begins` to before `ends`."""

    begins: int
    ends: int
    call: ToolCall


def tagged_calls(
    text: str, tools: Sequence[ToolSpec], is_quoted: Callable[[str], bool]
) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the first of these calls, and those that follow each other there; the text, and none, where
    there are none, or one is of no tool that was offered, or not whole, as far as anybody can tell. One in quotes is an
    example."""
    offered = {tool.name: tool for tool in tools}
    found: list[_Tagged] = []
    at = 0
    while (opens := _opening(text, at, offered)) and (not found or _AROUND.fullmatch(text, at, opens.start())):
        tagged = _call(text, opens, offered, len(found))
        if tagged is None or is_quoted(text[tagged.begins : tagged.ends]):
            break
        found.append(tagged)
        at = tagged.ends
    if not found or _goes_on(text, at, offered):
        return text, ()
    return _without_tags_behind(text[: found[0].begins]), tuple(each.call for each in found)


def _goes_on(text: str, at: int, offered: Mapping[str, ToolSpec]) -> bool:
    """Whether the end of something stands there that was not begun there: what a call before it holds has such ends
    itself, and was taken for shorter than it is."""
    ends, opens = _END.search(text, at), _opening(text, at, offered)
    return ends is not None and (opens is None or ends.start() < opens.start())


def _opening(text: str, at: int, offered: Mapping[str, ToolSpec]) -> re.Match[str] | None:
    """Where the next call may begin. Bare tags that are no tool's name are of the text."""
    bare = 0
    while opens := _CALL.search(text, at):
        if opens["tag"] or opens["around"] or may_be_called(opens["bare"], offered):
            return opens
        bare += 1
        if bare > _MOST_BARE:
            return None
        at = opens.end()
    return None


def _call(text: str, opens: re.Match[str], offered: Mapping[str, ToolSpec], number: int) -> _Tagged | None:
    """The call that begins there; None where it is of no tool that was offered, or not whole."""
    bare = opens["bare"]
    if bare:
        end = text.find(f"</{bare}>", opens.end())
        after = end + len(f"</{bare}>")
    else:
        closes = _ENDS[(opens["tag"] or opens["around"]).lower()].search(text, opens.end())
        end, after = closes.span() if closes else (-1, -1)
    if end < 0:
        return None
    inside = text[opens.end() : end]
    read = _bare_arguments if bare else _pairs if opens["around"] else _arguments
    arguments = read(inside)
    if arguments is None:
        return None
    made = ToolCall(
        id="", name=bare or opens["called"] or opens["name"], arguments=json.dumps(arguments, ensure_ascii=False)
    )
    meant = call_meant(made, offered)
    if meant.name not in offered:
        return None
    try:
        given = read_arguments(meant.name, meant.arguments)
    except ReplyError:
        return None
    typed = {key: _typed(str(value), offered[meant.name], key) for key, value in given.items()}
    call = ToolCall(id=f"in_tags_{number}", name=meant.name, arguments=json.dumps(typed, ensure_ascii=False))
    return _Tagged(opens.start(), after, call)


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


def _pairs(inside: str) -> Mapping[str, str] | None:
    """The same where each argument is a pair of tags."""
    found: dict[str, str] = {}
    at = 0
    while pair := _PAIR.match(inside, at):
        if pair["name"] in found:
            return None
        found[pair["name"]] = _without_outer_breaks(pair["value"])
        at = pair.end()
    return None if inside[at:].strip() else found


def _bare_arguments(inside: str) -> Mapping[str, str] | None:
    """The same of tags that are the names of the arguments. One is closed where another one follows, or nothing: what
    it holds may have such tags of its own."""
    while around := _AROUND_ARGUMENTS.fullmatch(inside):
        inside = around[2]
    found: dict[str, str] = {}
    at = 0
    while opens := _BARE_ARGUMENT.match(inside, at):
        closes = re.compile(rf"</{opens['name']}>(?=\s*(?:<\w+>|\Z))").search(inside, opens.end())
        if closes is None or opens["name"] in found:
            return None
        value = inside[opens.end() : closes.start()]
        found[opens["name"]] = value.removeprefix("\n") if "\n" in value.strip() else value.strip("\n")
        at = closes.end()
    return found if found and not inside[at:].strip() else None


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
