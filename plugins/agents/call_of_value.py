"""The call of a tool that a JSON value is, in one of the forms in which models write it as words.

A name and an object of arguments is a call of any tool that was offered. Where the arguments stand beside the name
(`{"tool": "read", "path": "a.py"}`), or the name is the key to them (`{"read": {"path": "a.py"}}`), they must fit the
tool: else it may be any JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from treadle.core.models.messages import ToolCall, ToolSpec
from treadle.plugins.agents.tool_names import call_meant
from treadle.plugins.agents.tools.meant_arguments import as_meant, left_over
from treadle.plugins.agents.tools.schema_check import misfit

_NAMES = ("name", "tool", "tool_name", "function", "action", "command")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "action_input")
_BESIDES = frozenset({"id", "type", "index", "tool_call_id", "thought", "reasoning"})
"""What stands beside a call's name and arguments."""


def call_of_value(value: object, offered: Mapping[str, ToolSpec], number: int) -> ToolCall | None:
    """The call of one of the tools `offered`, by their names, that the value is, and nothing else; its id holds
    `number`. None where it is none, or half a character is in it, which can't be sent back."""
    if not isinstance(value, dict):
        return None
    function = value.get("function")
    if isinstance(function, dict) and value.keys() <= {"function", *_BESIDES}:
        value = function
    called, key = (next((key for key in keys if key in value), "") for keys in (_NAMES, _ARGUMENTS))
    name, others = value.get(called), {each: value[each] for each in value if each not in _BESIDES}
    if isinstance(name, str) and others.keys() <= {called, key}:
        return _made(name, value.get(key, {}), offered, number)
    if isinstance(name, str):
        return _fitting(name, {each: value[each] for each in others if each != called}, offered, number)
    if len(value) == 1:
        ((name, given),) = value.items()
        return _fitting(name, given, offered, number)
    return None


def _fitting(name: str, given: object, offered: Mapping[str, ToolSpec], number: int) -> ToolCall | None:
    """The call with these arguments, where there are any and its tool takes them."""
    call = _made(name, given, offered, number) if isinstance(given, dict) and given else None
    if call is None or not isinstance(given, dict):
        return None
    schema = offered[call.name].parameters
    meant = as_meant(given, schema)
    over = left_over(meant, schema)
    fits = not any(over.values()) and not misfit({each: meant[each] for each in meant if each not in over}, schema)
    return call if fits else None


def _made(name: str, given: object, offered: Mapping[str, ToolSpec], number: int) -> ToolCall | None:
    try:
        arguments = json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else given
        if not isinstance(arguments, str):
            return None
        arguments.encode()
    except (TypeError, ValueError, RecursionError):
        return None
    call = call_meant(ToolCall(id=f"in_text_{number}", name=name, arguments=arguments), offered)
    return call if call.name in offered else None
