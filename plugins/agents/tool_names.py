"""Which of the tools that a model was offered it calls: some write a name as their own training has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from treadle.core.models.messages import ModelReply

_WITHIN = re.compile(r"[.:/]+")
MODULES = frozenset({"functions", "default_api", "tools", "api"})
"""Of which models say in Python that tools are of them. Another object's method is no tool."""


def tool_called(name: str, offered: Iterable[str]) -> str:
    """The tool of that name; else the one without the modules of tools before it (`functions.edit`,
    `default_api:edit`), in any case of its letters; else the name as it is."""
    known = {each.lower(): each for each in offered}
    *within, last = _WITHIN.split(name.strip().lower())
    return name if name in known.values() or not MODULES.issuperset(within) else known.get(last, name)


def with_tools_called(reply: ModelReply, offered: Iterable[str]) -> ModelReply:
    """The reply with the names of its calls as they were offered: others a service may not take back."""
    names = tuple(offered)
    calls = tuple(msgspec.structs.replace(call, name=tool_called(call.name, names)) for call in reply.calls)
    return reply if calls == reply.calls else msgspec.structs.replace(reply, calls=calls)
