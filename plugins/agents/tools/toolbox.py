"""The tools of one agent: what its model is told of them, and every call answered, also one that makes no sense."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from treadle.core import contributions
from treadle.core.errors import ReplyError, UsageError
from treadle.core.models.messages import ToolCall, ToolResult, ToolSpec
from treadle.core.nearest import did_you_mean
from treadle.core.one_line import printable
from treadle.core.redaction import shown_by_line
from treadle.core.replies.call_arguments import read_arguments
from treadle.plugins.agents.tool_names import tool_called
from treadle.plugins.agents.tools import conversation, editing, finding, more_tools, reading, running, skills, writing
from treadle.plugins.agents.tools.brought import BroughtTool
from treadle.plugins.agents.tools.capped import capped
from treadle.plugins.agents.tools.tool import Desk, Tool, ToolError
from treadle.plugins.agents.tools.unfinished import Unfinished

OWN: Mapping[str, Tool] = {
    tool.spec.name: tool
    for tool in (
        *(reading.OUTLINE, reading.READ, finding.LIST, finding.SEARCH),
        *(writing.WRITE, editing.EDIT, writing.MOVE, writing.DELETE),
        *(running.RUN_TESTS, running.RUN_PYTHON, skills.SEARCH_SKILLS),
        *(conversation.ASK_PERSON, conversation.FINISH),
    )
}
"""Treadle's own tools by name; `search_tools`, which belongs to a toolbox, comes besides."""

REPEATED = 3
"""From the third time on, a call that was answered in the same state of the draft is not run any more, as long as the
model is shown what was answered."""
RUNAWAY = 5
"""At the fifth time the model goes in circles."""


class Toolbox:
    """The tools of one agent in one conversation: those of these `names`, and the `endings` by which it ends its work.
    Further ones, those of plugins among them, are found by `search_tools`, when that is among its own; such as change
    the draft only by an agent that has one of them itself. `doubt` says what speaks against finishing, "" for nothing.
    Raises `UsageError` for a name that nobody knows.

    What it answers is a function of the calls, of the draft, and of what the context answers, so that a session that is
    resumed goes the same way.
    """

    def __init__(
        self, names: Iterable[str], endings: Iterable[Tool] = (), *, doubt: Callable[[], str] = lambda: ""
    ) -> None:
        known = {**OWN, more_tools.NAME: more_tools.search_tools(self._beyond, self._take)}
        self._tools: dict[str, Tool] = {}
        for name in names:
            if name not in known:
                raise UsageError(f"there is no tool {name!r}; {did_you_mean(name, known)}there are {', '.join(known)}")
            self._tools[name] = known[name]
        self._endings = {tool.spec.name: tool for tool in (*endings, conversation.FINISH)}
        self._tools |= {tool.spec.name: tool for tool in endings}
        self._hands_in = len(self._endings) > 1
        self._may_write = any(tool.writes for tool in self._tools.values())
        self._unfinished = Unfinished()
        self._doubt = doubt
        self._times: dict[tuple[str, str], Counter[str]] = {}
        """How often each call was made, by the state of the draft."""
        self.runaway = False
        """Whether the model repeats itself without end."""
        self.finished: str | None = None
        """The summary with which the work was ended, None as long as it was not."""
        self.ended: ToolCall | None = None
        """The call that ended the work."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told: its own tools, then those that it has found."""
        return tuple(tool.spec for tool in self._tools.values())

    def call(self, call: ToolCall, desk: Desk) -> ToolResult:
        """Answer a call. What the model did wrong is answered with `failed`; what the context raises (`Signalled`)
        passes."""
        self._unfinished.begins(desk.draft)
        try:
            result = ToolResult(call=call.id, text=self._run(call, desk))
        except (ToolError, ReplyError) as error:
            result = ToolResult(call=call.id, text=capped(printable(str(error)), "send less"), failed=True)
        tool = self._tools.get(call.name)
        if tool is not None and tool.writes:
            self._unfinished.wrote(call.name, result)
        return result

    def forget(self, calls: Iterable[ToolCall]) -> None:
        """Take note of calls whose answers the model is no longer shown: to make them again is no repetition."""
        for call in calls:
            self._times.pop(_same(call), None)

    def _run(self, call: ToolCall, desk: Desk) -> str:
        self._refuse_repeated(call, desk)
        tool = self._tools.get(call.name) or self._found(call.name, desk)
        if tool is None:
            raise ToolError(self._unknown(call.name, desk))
        # Secrets are taken out here, of the whole answer: what is folded later, or cut, would hold a part of one.
        answer = capped(shown_by_line(printable(tool.run(call.arguments, desk))), tool.more)
        if self._endings.get(call.name) is tool:
            self._refuse_unfinished(call, tool, desk, answer)
            self.finished, self.ended = answer, call
        return answer or "(nothing)"

    def _refuse_unfinished(self, call: ToolCall, tool: Tool, desk: Desk, said: str) -> None:
        """Of who hands nothing in, what was changed is all that comes of the work."""
        is_all = tool is conversation.FINISH and self._may_write and not self._hands_in
        if is_all and (doubt := self._unfinished.doubt(desk.draft, said, desk.likely) or self._doubt()):
            self.forget([call])  # to make it again is what is asked for
            raise ToolError(doubt)

    def _refuse_repeated(self, call: ToolCall, desk: Desk) -> None:
        state = desk.draft.state
        made = self._times.setdefault(_same(call), Counter())
        made[state] += 1
        times = made[state]
        self.runaway = self.runaway or times >= RUNAWAY
        if times >= REPEATED:
            raise ToolError(
                f"the same call of {call.name[:100]} again, {times} times now, and nothing has changed in between: "
                "the answer would be the same. Do something else, or finish"
            )

    def _found(self, name: str, desk: Desk) -> Tool | None:
        """The tool of Treadle's own of that name that could have been found: who calls it by its name needs no
        search."""
        beyond = self._names_beyond(desk)
        called = tool_called(name, beyond)
        tool = OWN.get(called) if called in beyond else None
        if tool is not None:
            self._take(tool)
        return tool

    def _names_beyond(self, desk: Desk) -> list[str]:
        return [tool.spec.name for tool in self._beyond(desk)] if more_tools.NAME in self._tools else []

    def _unknown(self, name: str, desk: Desk) -> str:
        others = self._names_beyond(desk)
        if name in others:
            return f"{name} is not among your tools yet: find it with {more_tools.NAME}, then call it"
        near = did_you_mean(name, [*self._tools, *others])
        return f"there is no tool {name[:100]!r}; {near}there are {', '.join(self._tools)}"

    def _beyond(self, desk: Desk) -> Iterator[Tool]:
        """The tools that can be found: those of Treadle, then those of plugins, that are not the agent's already."""
        brought = (each for each in desk.context.contributions("tool") if isinstance(each, contributions.Tool))
        for tool in (*OWN.values(), *map(BroughtTool, brought)):
            name = tool.spec.name
            hidden = tool is conversation.FINISH or (tool.writes and not self._may_write)
            if name not in self._tools and not hidden and OWN.get(name, tool) is tool and name != more_tools.NAME:
                yield tool

    def _take(self, tool: Tool) -> None:
        self._tools.setdefault(tool.spec.name, tool)


def _same(call: ToolCall) -> tuple[str, str]:
    """What is the same in calls that are: what their arguments mean, and the words alone where they mean nothing."""
    try:
        return call.name, json.dumps(read_arguments(call.name, call.arguments), sort_keys=True)
    except ReplyError:
        return call.name, " ".join(call.arguments.split())
