"""What is said to a language model, and what it answers: the same for every service.

Plugins that speak to a service translate these records; whoever asks knows nothing of the service. What a request is
made of is packed without its defaults: a field that is new here changes nothing of what was recorded before it was.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from treadle.core.records import Record

StopReason = Literal["end", "tool calls", "length", "circles", "refusal", "unknown"]
"""Why a reply ended. `length`: at `max_tokens`, or at the end of the model's context, so it is cut off."""


class ToolCall(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What a model wants to have done. `arguments` is JSON text exactly as the model wrote it, which may be no JSON at
    all; `id` is what the result refers to."""

    id: str
    name: str
    arguments: str


class ToolResult(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a call, for the model to read. `failed`: it was not done."""

    call: str
    text: str
    failed: bool = False


class Message(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One turn of the conversation. Only an assistant's holds `calls`, only a user's `results`: those of all calls of
    the turn before, together. `state` is `ModelReply.state` of the reply that this turn was, given back as it came."""

    role: Literal["user", "assistant"] = "user"
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    state: str = ""


class ToolSpec(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A tool that the model may call; `parameters` is the JSON Schema of its arguments, an object."""

    name: str
    description: str
    parameters: dict[str, object] = msgspec.field(default_factory=lambda: {"type": "object", "properties": {}})


class ModelRequest(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A request to a language model. `role` says what for (coder, planner, ...), by which the model is chosen unless
    `model` names one; `step` asks for one so many rungs up the ladder of models, or down. Limits that are None are the
    model's own; `max_tokens` bounds the reply, `seconds` the time in which it has to be whole. A model that can't call
    tools is sent none, and `without_tools` at the end of `system` instead. `effort` is how much it shall reason, in its
    service's words; empty: as it does by itself. `after_s`: seconds to wait before it is sent, somewhat more by chance,
    and never more than `models.patience_s`."""

    role: str
    system: str = ""
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    without_tools: str = ""
    model: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    effort: str = ""
    step: int = 0
    seconds: float | None = None
    after_s: float = 0.0


class Usage(Record, frozen=True, kw_only=True):
    """Tokens of one request, as the service counted them. `input` are those that were read anew, `cache_read` and
    `cache_written` those of the service's prompt cache; they do not overlap."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


class ModelReply(Record, frozen=True, kw_only=True, tag="reply"):
    """What a language model answered. `usage` is None when the service does not tell; `model` is its own name there.
    `thinking` is what it shows of its reasoning, which is no part of the answer. `state` is what the service wants to
    have given back with this turn (signed reasoning, say), in words that only its provider understands. `context` are
    the tokens of prompt and reply together that the model takes, None when nobody knows: Treadle itself says it, in
    place of what a provider says."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: Usage | None = None
    model: str = ""
    thinking: str = ""
    state: str = ""
    context: int | None = None

    @property
    def turn(self) -> Message:
        """The reply as a turn of the conversation that goes on."""
        return Message(role="assistant", text=self.text, calls=self.calls, state=self.state)


Trouble = Literal[
    "unreachable", "busy", "broken", "bad call", "refused", "unknown model", "too long", "no tools", "bad request"
]
"""Why a service gave no reply. `unreachable`: no connection, or none that lasted; `busy`: it asks for patience (429,
503, 529); `broken`: an error of its own, or an answer that ends in the middle; `bad call`: its model called a tool in a
way that it can't read, and may do better when it is asked again; `refused`: the key is missing, wrong, or not enough
for the service; `unknown model`: it is not there, or not for this key, and others may be; `too long`: the request does
not fit into the model's context; `no tools`: it has tools, which the model, or its server as it was started, does not
take: it is asked once more, and from then on, without."""

PASSING: frozenset[Trouble] = frozenset({"unreachable", "busy", "broken", "bad call"})
"""Troubles that may be over when the same request is sent again."""


class ModelFailure(Record, frozen=True, kw_only=True, tag="failure"):
    """Why there is no reply: trouble of the service, which is no fault of the plugin. `message` is a sentence that says
    what to do; `retry_after_s` are the seconds that the service asked to be left alone, None when it did not. `begun`:
    the service may have been at work on it, so that the request may be paid for: a part of the answer has come, or the
    whole request was sent, and then nothing came, or the connection broke; `written` are the tokens that have come,
    roughly. `context` are the tokens of prompt and reply together that the model takes, where it is `too long` and the
    service says so: a shorter reply is asked for then."""

    trouble: Trouble
    message: str
    retry_after_s: float | None = None
    begun: bool = False
    written: int = 0
    context: int | None = None

    @property
    def may_be_paid(self) -> bool:
        """Whether the service may ask money for the request: it was at work on it, or broke down over it, or its model
        has answered what it can't read."""
        return self.begun or self.trouble in ("broken", "bad call")


class OfferedModel(Record, frozen=True, kw_only=True):
    """A model that a service has now: its `name` there, its `context` in tokens, and whether it takes `tools`; None
    where the service does not tell. `local`: whether it runs on this machine and costs no money; None: as its provider
    says."""

    name: str
    context: int | None = None
    tools: bool | None = None
    local: bool | None = None


class Offer(Record, frozen=True, kw_only=True):
    """Which models a service has now. `missing` says in a sentence why there are none, and what to do; `set_up`: the
    person has set the service up, so that this is told where no model can be asked. `unlisted` is what holds of models
    that are not among them and can be asked all the same: each is named by the beginning of their names, of one service
    among several (`mine/`), or empty for all."""

    models: tuple[OfferedModel, ...] = ()
    missing: str = ""
    set_up: bool = False
    unlisted: tuple[OfferedModel, ...] = ()

    def model(self, name: str) -> OfferedModel | None:
        """What is known of the model of that name, whether it is listed or not; None when that is nothing."""
        listed = next((each for each in self.models if each.name == name), None)
        return listed or next((each for each in self.unlisted if name.startswith(each.name)), None)
