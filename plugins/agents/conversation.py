"""A conversation with a model that works with tools, until it says that it has finished or nothing more comes of it.

A reply that was cut off is never acted on. Where nobody knows whether a reply with files was, its model is asked, and
they are taken once it has said that all of them came. What the model did wrong it is told, and it may try again; the
same call over and over, looking for long, replies that are cut off again and again, or may be, and too many turns end
the conversation.
It is a function of what the model and the sandbox answered, so that a resumed session has the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from treadle.core.models.messages import Message, ModelReply, ModelRequest, StopReason, ToolCall, ToolResult
from treadle.plugins.agents.calls_in_text import with_calls_in_text
from treadle.plugins.agents.cut_replies import MOST_CHARACTERS, MOST_CUT, characters, left_of
from treadle.plugins.agents.folding import folded, no_longer_shown
from treadle.plugins.agents.may_be_cut import ASKED, MayBeCut
from treadle.plugins.agents.only_looking import OnlyLooking
from treadle.plugins.agents.tool_names import with_tools_called
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox

MOST_TURNS = 40
"""Replies, each with what came of it."""
MOST_ANSWERED = 100_000
"""Characters of results in one turn, from which on its further calls are not done: a dozen long answers."""
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
    on_text: Callable[[str, bool], str | None] = lambda text, has_ended: None,
    holds_files: Callable[[str], bool] = lambda text: False,
) -> Ending:
    """Speak until it ends. `on_text` is given a reply in which no tool is called, and whether its service says that it
    has ended, and takes what it holds: it answers with what the model must be told, None when the reply is taken as its
    last words. `holds_files` says whether it would take files from it, which must not be halves of files."""
    conversation = _Conversation(brief, opening, toolbox, desk, on_text, holds_files)
    for _ in range(MOST_TURNS):
        ending = conversation.after(conversation.reply())
        if ending is not None:
            return ending
    return conversation.ended("too many turns")


class _Conversation:
    """What was said so far, and what is counted of it: turn by turn a reply, and what the model is told of it."""

    def __init__(
        self,
        brief: Brief,
        opening: str,
        toolbox: Toolbox,
        desk: Desk,
        on_text: Callable[[str, bool], str | None],
        holds_files: Callable[[str], bool],
    ) -> None:
        self._brief = brief
        self._toolbox = toolbox
        self._desk = desk
        self._on_text = on_text
        self._messages: tuple[Message, ...] = (Message(text=opening),)
        self._context: int | None = None
        self._called = False
        self._cut = 0
        self._may_be_cut = MayBeCut(holds_files)
        self._looking = OnlyLooking()

    def ended(self, why: Why, text: str = "", call: ToolCall | None = None) -> Ending:
        return Ending(why, text, call, self._called)

    def reply(self) -> ModelReply:
        """The next reply of the model, with the calls that it wrote as words."""
        shorter = folded(self._messages, self._context)
        self._toolbox.forget(no_longer_shown(self._messages, shorter))
        self._messages = shorter
        request = self._request()
        reply = with_calls_in_text(self._desk.context.complete(request), request.tools, self._messages)
        self._context = reply.context
        return with_tools_called(reply, (tool.name for tool in request.tools))

    def after(self, reply: ModelReply) -> Ending | None:
        """What comes of a reply: an ending, or a further turn."""
        if reply.stop == "refusal":
            return self.ended("refused", reply.text)
        if reply.stop in _CUT or characters(reply) > MOST_CHARACTERS:
            return self._not_done(reply)
        self._cut = 0
        self._messages = (*self._messages, reply.turn)
        return self._work(reply) if reply.calls else self._words(reply)

    def _not_done(self, reply: ModelReply) -> Ending | None:
        self._may_be_cut.forget()
        self._cut += 1
        if self._cut > MOST_CUT:
            return self.ended(_CUT.get(reply.stop, "cut off"), reply.text[:MOST_CHARACTERS])
        self._messages = (*self._messages, *left_of(reply))
        return None

    def _work(self, reply: ModelReply) -> Ending | None:
        self._may_be_cut.over()
        self._called = True
        results = self._looking.after(reply.calls, _answers(reply.calls, self._toolbox, self._desk))
        if self._toolbox.finished is not None:
            return self.ended("finished", self._toolbox.finished, self._toolbox.ended)
        if self._toolbox.runaway or self._looking.too_long:
            return self.ended(CIRCLES, reply.text)
        self._messages = (*self._messages, Message(results=results))
        return None

    def _words(self, reply: ModelReply) -> Ending | None:
        whole = self._may_be_cut.whole(reply)
        if whole is None and self._may_be_cut.too_often:
            return self.ended("cut off", reply.text)
        told = self._on_text(whole, reply.stop == "end") if whole is not None else ASKED
        if told is None:
            return self.ended("spoke", whole or "")
        self._messages = (*self._messages, Message(text=told))
        return None

    def _request(self) -> ModelRequest:
        brief = self._brief
        return ModelRequest(
            role=brief.role,
            system="\n\n".join(filter(None, (brief.system, brief.without_tools))) if brief.in_text else brief.system,
            messages=self._messages,
            tools=() if brief.in_text else self._toolbox.specs(),
            without_tools=brief.without_tools,
            step=brief.step,
            after_s=0.0 if len(self._messages) > 1 else brief.after_s,
        )


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
