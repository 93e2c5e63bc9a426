"""Finding tools beyond an agent's own: what is rarely wanted is not listed in every request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from treadle import skills
from treadle.core.records import Record
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, Tool
from treadle.plugins.agents.words import telling

NAME = "search_tools"
_MOST = 5


class SearchToolsArguments(Arguments, frozen=True, kw_only=True):
    """Find more tools than those listed, by what they do. Those found can be called from then on."""

    words: Annotated[str, Meta(description="What the tool should do, in a few words", min_length=1)]


class _Findable(Record, frozen=True, kw_only=True):
    name: str
    summary: str
    words: tuple[str, ...] = ()


def search_tools(
    beyond: Callable[[Desk], Iterable[Tool]], take: Callable[[Tool], None]
) -> OwnTool[SearchToolsArguments]:
    """The tool that searches those `beyond` the agent's own, and has it `take` those found."""

    def search(arguments: SearchToolsArguments, desk: Desk) -> str:
        known = {tool.spec.name: tool for tool in beyond(desk)}
        told = [_Findable(name=name, summary=tool.spec.description) for name, tool in known.items()]
        words = telling(arguments.words)
        found = skills.find(words, told)[:_MOST] if words else ()
        if not found:
            return f"no other tool fits {arguments.words!r}"
        lines = []
        for name in (each.name for each in found):
            take(known[name])
            spec = known[name].spec
            lines += [f"{name}: {spec.description}", f"    parameters: {msgspec.json.encode(spec.parameters).decode()}"]
        return "\n".join([*lines, "They can be called now."])

    return OwnTool(NAME, SearchToolsArguments, search)
