"""Calls of tools that a model has written between the marks of its own language: a name, and its arguments as JSON.

The marks are those of the makers' published chat templates: DeepSeek's V3 and V3.1, Kimi's K2, Mistral's since the
eleventh version of its tokenizer, OpenAI's harmony, Llama's `<function=NAME>{...}`; and the words of agents that were
taught to say `Action:` and `Action Input:`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from treadle.core.models.messages import ToolCall, ToolSpec
from treadle.plugins.agents.tool_names import call_meant

_HARMONY = r"(?:<\|channel\|>\w++)?\s*+(?:<\|constrain\|>\s*+)?\w*+\s*+<\|message\|>"
"""Behind the tool, which is named in the channel or before it."""
_OPENINGS = (
    r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?{name}(?:<｜tool▁sep｜>|\s*(?=```))",
    r"<\|tool_call_begin\|>\s*{name}(?::\d+)?\s*<\|tool_call_argument_begin\|>",
    r"\[TOOL_CALLS\]\s*{name}(?:\[CALL_ID\]\w+)?\[ARGS\]",
    rf"(?:<\|channel\|>\w+|<\|start\|>assistant)\s+to={{name}}{_HARMONY}",
    r"(?<![`\"'])<function={name}>",
    r"^[ \t*]*Action:[ \t*]*`?{name}`?[ \t*]*\n\s*Action Input:",
)
_OPENS = re.compile(
    "|".join(form.replace("{name}", rf"(?P<name{place}>[\w.-]+)") for place, form in enumerate(_OPENINGS)), re.MULTILINE
)
_FENCE = re.compile(r"\s*(?:```(?:json)?\s*)?(?=\{)")
_BETWEEN = re.compile(
    r"(?:\s|```|<｜tool▁calls?▁(?:begin|end)｜>|<\|tool_calls?(?:_section)?_end\|>|<\|call\|>|</function>"
    r"|<\|start\|>assistant)*"
)
_BEFORE = re.compile(r"<\|start\|>assistant|<｜tool▁calls▁begin｜>|<\|tool_calls_section_begin\|>")
_THINKS, _HAS_THOUGHT = "<|channel|>analysis<|message|>", "<|end|>"


def marked_calls(
    text: str, tools: Sequence[ToolSpec], is_quoted: Callable[[str], bool]
) -> tuple[str, tuple[ToolCall, ...]]:
    """What is said before the first of these calls, and those that follow each other there; the text, and none, where
    there are none, or the first is of no tool that was offered, or not whole."""
    offered = frozenset(tool.name for tool in tools)
    reader = json.JSONDecoder(strict=False)  # by hand, models write line breaks within strings as they are
    calls: list[ToolCall] = []
    opens = first = _OPENS.search(text)
    while opens is not None and (begins := _FENCE.match(text, opens.end())):
        try:
            given, ends = reader.raw_decode(text, begins.end())
            call = ToolCall(
                id=f"in_marks_{len(calls)}",
                name=str(opens[opens.lastgroup or 0]),
                arguments=json.dumps(given, ensure_ascii=False),
            )
            call.arguments.encode()  # it fails for half of a surrogate pair, which can't be sent back
        except (ValueError, RecursionError):
            break
        call = call_meant(call, offered)
        if call.name not in offered or is_quoted(text[opens.start() : ends]):
            break
        calls.append(call)
        between = _BETWEEN.match(text, ends)
        opens = _OPENS.match(text, between.end() if between else ends)
    if first is None or not calls:
        return text, ()
    return _BEFORE.sub("", _without_thought(text[: first.start()])).strip(), tuple(calls)


def _without_thought(text: str) -> str:
    """What stands before and behind it, where it has an end."""
    begins, ends = text.find(_THINKS), text.rfind(_HAS_THOUGHT)
    return text[:begins] + text[ends + len(_HAS_THOUGHT) :] if 0 <= begins < ends else text
