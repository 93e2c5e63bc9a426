"""Tools that plugins bring."""

from __future__ import annotations

from dataclasses import dataclass

from treadle.core import contributions
from treadle.core.errors import NoPlugin, PluginFault, UsageError
from treadle.core.models.messages import ToolSpec
from treadle.core.replies.call_arguments import read_arguments
from treadle.plugins.agents.tools.meant_arguments import as_meant
from treadle.plugins.agents.tools.schema_check import misfit
from treadle.plugins.agents.tools.tool import Desk, ToolError, takes_of


@dataclass(frozen=True)
class BroughtTool:
    """A tool of a plugin's. It acts by itself, not on the draft."""

    descriptor: contributions.Tool
    writes: bool = False
    more: str = "ask for less at once"

    @property
    def spec(self) -> ToolSpec:
        brought = self.descriptor
        return ToolSpec(name=brought.name, description=brought.summary, parameters=brought.parameters)

    def run(self, arguments: str, desk: Desk) -> str:
        name = self.descriptor.name
        found = as_meant(read_arguments(name, arguments), self.descriptor.parameters)
        wrong = misfit(found, self.descriptor.parameters)
        if wrong:
            raise ToolError(f"{name} was called wrongly: {wrong}. It takes {takes_of(self.descriptor.parameters)}")
        return answer_of(desk, "tool", name, found)


def answer_of(desk: Desk, kind: str, name: str, arguments: dict[str, object]) -> str:
    """What a plugin answers that brings a `kind` of that name. Raises `ToolError` when it fails, is gone, or does not
    take the arguments: the model can do without it. What ends or rests the session passes."""
    try:
        answer = desk.context.call(kind, name, arguments)
    except (PluginFault, NoPlugin, UsageError) as error:
        raise ToolError(f"the {kind} {name} can't be had: {error}; do without it") from None
    if not isinstance(answer, str):
        raise ToolError(f"the plugin that brings the {kind} {name} failed: do without it")
    return answer
