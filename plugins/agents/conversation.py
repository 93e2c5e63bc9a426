"""A conversation with a model that works with tools, until it says that it has finished or nothing more comes of it.

A reply that was cut off is never acted on. Where nobody knows whether a reply with files was, its model is asked, and
they are taken once it has said that all of them came. What the model did wrong it is told, and it may try again; the
same call over and over, looking for long, replies that are cut off again and again, or may be, and too many turns end
the conversation.
It is a function of what the model and the sandbox answered, so that a resumed session has the same one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from treadle.core.models.messages import Message, ModelReply, ModelRequest, StopReason, ToolCall, ToolResult
from treadle.plugins.agents.calls_in_text import with_calls_in_text
from treadle.plugins.agents.cut_replies import MOST_CHARACTERS, begun, characters, told_of_its_length, told_of_the_cut
from treadle.plugins.agents.folding import folded, no_longer_shown
from treadle.plugins.agents.only_looking import OnlyLooking
from treadle.plugins.agents.tool_names import with_tools_called
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox

MOST_TURNS = 40
"""Replies, each with what came of it."""
MOST_CUT = 2
"""Replies that may be cut off at their limit, one after the other, and as many that may be, since nobody says."""
MOST_ANSWERED = 100_000
"""Characters of results in one turn, from which on its further calls are not done: a dozen long answers."""
_MAY_BE_CUT = (
    "Your service does not say why that reply ended. It may be cut off, so nothing of it was taken yet. If all of it "
    "came, as you see it above, reply with the single word WHOLE. If not, send all of it again."
)
_WHOLE = re.compile(r"\W*WHOLE\W*", re.IGNORECASE)
_NOT_DONE = "this call was not done: the answers to those before it are as much as can be shown at once. Call it again"

Why = Literal["finished", "spoke", "refused", "cut off", "repeated itself", "ran in circles", "too many turns"]
CIRCLES: Why = "ran in circles"
_CUT: Mapping[StopReason, Why] = {"length": "cut off", "circles": "repeated itself"}
"""Why a reply is not whole, and how a conversation ends in which that happens again and again."""
_FAILED: frozenset[Why] = frozenset({"refused", *_CUT.values(), CIRCLES, "too many turns"})


@dataclass(frozen=True)
class Brief:
    """Who is spoken to: the `role` by which the model is chosen, `step` rungs up the ladder of models, and what it is
    told of its work, `without_tools` if it can't call any. `in_text`: it is offered none, as if it could not. `after_s`
    are seconds that are waited before it begins."""

    role: str
    system: str
    without_tools: str = ""
    step: int = 0
    in_text: bool = False
    after_s: float = 0.0


@dataclass(frozen=True)
class Ending:
    """How a conversation ended, the last words of the model, the call by which it said that it has finished, and
    whether it `called` any tool."""

    why: Why
    text: str
    call: ToolCall | None = None
    called: bool = False

    @property
    def failed(self) -> bool:
        """Whether it ended before the model had its say."""
        return self.why in _FAILED


def converse(
    brief: Brief,
    opening: str,
    toolbox: Toolbox,
    desk: Desk,
    *,
    on_text: Callable[[str, bool], str | None] | None = None,
    holds_files: Callable[[str], bool] = lambda text: False,
) -> Ending:
    """Speak until it ends. `on_text` is given a reply in which no tool is called, and whether its service says that it
    has ended, and takes what it holds: it answers with what the model must be told, None when the reply is taken as its
    last words. `holds_files` says whether it
    would take files from it, which must not be halves of files."""
    messages: tuple[Message, ...] = (Message(text=opening),)
    cut = 0
    called = False
    context: int | None = None
    doubted: str | None = None
    doubts = 0
    looking = OnlyLooking()
    for _ in range(MOST_TURNS):
        shorter = folded(messages, context)
        toolbox.forget(no_longer_shown(messages, shorter))
        messages = shorter
        request = _request(brief, messages, toolbox)
        reply = with_calls_in_text(desk.context.complete(request), request.tools, messages)
        reply = with_tools_called(reply, (tool.name for tool in request.tools))
        context = reply.context
        before, doubted = doubted, None
        if reply.stop == "refusal":
            return Ending("refused", reply.text, called=called)
        huge = characters(reply) > MOST_CHARACTERS
        cut = cut + 1 if huge or reply.stop in _CUT else 0
        if cut > MOST_CUT:
            return Ending(_CUT.get(reply.stop, "cut off"), reply.text[:MOST_CHARACTERS], called=called)
        if huge:
            messages = (*messages, *told_of_its_length(reply))
            continue
        if cut:
            messages = (*messages, begun(reply), told_of_the_cut(reply))
            continue
        messages = (*messages, reply.turn)
        if reply.calls:
            called = True
            doubts = 0
            results = looking.after(reply.calls, _answers(reply.calls, toolbox, desk))
            if toolbox.finished is not None:
                return Ending("finished", toolbox.finished, toolbox.ended, called)
            if toolbox.runaway or looking.too_long:
                return Ending(CIRCLES, reply.text, called=called)
            messages = (*messages, Message(results=results))
            continue
        is_whole = before is not None and _says_whole(reply.text, before)
        doubted = None if is_whole else _doubted(reply, before, holds_files)
        if doubted is not None:
            doubts += 1
            if doubts > MOST_CUT:
                return Ending("cut off", reply.text, called=called)
            messages = (*messages, Message(text=_MAY_BE_CUT))
        else:
            doubts = 0
            text = before if before is not None and is_whole else reply.text
            told = on_text(text, reply.stop == "end") if on_text is not None else None
            if told is None:
                return Ending("spoke", text, called=called)
            messages = (*messages, Message(text=told))
    return Ending("too many turns", "", called=called)


def _says_whole(text: str, before: str) -> bool:
    """Whether the model says that all of it came: in the word that it was asked for, or by sending the same again."""
    return _WHOLE.fullmatch(text) is not None or text.strip() == before.strip()


def _doubted(reply: ModelReply, before: str | None, holds_files: Callable[[str], bool]) -> str | None:
    """The text with files of which nobody knows whether all of it came: the reply's, or the one `before`, about which
    the model was asked, where it has said something else than that it is whole. None: there is none."""
    if not holds_files(reply.text):
        return before
    return reply.text if reply.stop == "unknown" else None


def _answers(calls: tuple[ToolCall, ...], toolbox: Toolbox, desk: Desk) -> tuple[ToolResult, ...]:
    """What came of each call. Those behind more than there is room for are not done."""
    results: list[ToolResult] = []
    said = 0
    for call in calls:
        if said < MOST_ANSWERED:
            results.append(toolbox.call(call, desk))
            said += len(results[-1].text)
        else:
            results.append(ToolResult(call=call.id, text=_NOT_DONE, failed=True))
    return tuple(results)


def _request(brief: Brief, messages: tuple[Message, ...], toolbox: Toolbox) -> ModelRequest:
    return ModelRequest(
        role=brief.role,
        system="\n\n".join(filter(None, (brief.system, brief.without_tools))) if brief.in_text else brief.system,
        messages=messages,
        tools=() if brief.in_text else toolbox.specs(),
        without_tools=brief.without_tools,
        step=brief.step,
        after_s=0.0 if len(messages) > 1 else brief.after_s,
    )
