"""The chunks of one answer, put together; a server that does not stream sends one of them, whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from treadle import ModelReply, ToolCall, Usage
from treadle.core.models.messages import StopReason
from treadle.core.replies.said_and_thought import said_and_thought
from treadle.plugins.models.bound import Bound
from treadle.plugins.models.circles import InCircles
from treadle.plugins.models.fitting import unsaid
from treadle.plugins.models.halves import joined, joined_json, mended, reader
from treadle.plugins.models.openai_compatible.request import State
from treadle.plugins.models.stops import CIRCLES, CUT, stop_reason
from treadle.plugins.models.told import NOTHING, Count, told

_STOPS: dict[str, StopReason] = {
    "stop": "end",
    "eos": "end",
    "eos_token": "end",
    "stop_sequence": "end",
    "end_turn": "end",
    "tool_calls": "tool calls",
    "function_call": "tool calls",
    "length": "length",
    "model_length": "length",
    CIRCLES: "circles",
    "content_filter": "refusal",
}
"""`model_length` is Mistral's word for the end of its context; `eos_token` and `stop_sequence` are those of older
servers of Hugging Face for an end, `end_turn` that of gateways to Anthropic's models."""
_GAVE_UP = frozenset({"error", "insufficient_system_resource", "abort"})
"""Why Mistral and OpenRouter, DeepSeek, and vLLM end an answer in the middle, without an error."""


class Broken(Exception):
    """The answer is none, or ends in the middle. The text says what is wrong with it."""


class Silent(Broken):
    """Nothing of an answer came, and no reason why. It is what some servers make of a prompt that is longer than their
    context, once they have said that they will stream: only who does not stream is told."""


class Refused(Exception):
    """The service said, in the middle of its answer, that it can't go on."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: Any = None


class _Call(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None
    extra_content: Any = None


class _Said(msgspec.Struct):
    content: Any = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    index: int | None = None
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None


class _Tokens(msgspec.Struct):
    """`prompt_cache_hit_tokens` are DeepSeek's word for the `cached_tokens`. Tokens of audio and of images have prices
    of their own, and are neither sent nor asked for."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    total_tokens: Count | None = None
    prompt_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: Count | None = None


class _Chunk(msgspec.Struct):
    model: str | None = None
    choices: list[_Choice] | None = None
    usage: msgspec.Raw = NOTHING
    error: Any = None


class _Begun:
    """A call that is not whole yet."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.pieces: list[str] = []
        self.extra: Any = None


class Answer:
    """One answer, as far as it has come. `begun` once something of it is there, `ended` once the service has said why
    it stops, or that nothing more comes."""

    def __init__(self, said: Callable[[str, bool], None], max_tokens: int | None = None, *, service: str = "") -> None:
        """`said` is told each piece of text, and whether it is reasoning; `max_tokens` were asked for at most."""
        self._said = said
        self._service = service
        self.bound = Bound(max_tokens)
        self._read = reader(_Chunk)
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._reasoning_field = ""
        self._refusal: list[str] = []
        self._calls: dict[int, _Begun] = {}
        self._latest: dict[int, _Begun] = {}
        self._tokens: _Tokens | None = None
        self._stop: str | None = None
        self._model = ""
        self.begun = False
        self.done = False

    @property
    def ended(self) -> bool:
        """Whether it is whole."""
        return self._stop is not None or (self.done and self.begun)

    def take(self, data: bytes) -> None:
        """The next chunk. Raises `Broken`, and `Refused`."""
        if data.strip() == b"[DONE]":
            self.done = True
            return
        try:
            chunk = self._read(data)
        except (ValueError, RecursionError) as error:
            if self._stop is not None:
                return  # it is whole, and what would have followed are its counts
            raise Broken(f"a part of its answer can't be read: {error}") from error
        if chunk.error:
            raise _refused(chunk.error)
        self._model = mended(chunk.model) or self._model
        if chunk.usage != NOTHING:
            self._tokens = told(chunk.usage, _Tokens)
        try:
            for choice in chunk.choices or ():
                if not choice.index:
                    self._add(choice)
        except RecursionError as error:
            raise Broken("a part of its answer is nested too deeply to be read") from error
        except InCircles:
            self._stop, self.done = CIRCLES, True

    def reply(self) -> ModelReply:
        """The answer as a reply. Raises `Broken` when it is not whole."""
        if not self.ended and not self.begun:
            raise Silent("it ends before it begins")
        if not self.ended:
            raise Broken("it ends in the middle")
        if (self._stop or "").strip().lower() in _GAVE_UP:
            raise Broken(f"it ends in the middle ({self._stop})")
        stop = stop_reason(self._stop, _STOPS)
        calls = tuple(self._call(begun, number, stop) for number, (_, begun) in enumerate(sorted(self._calls.items())))
        if calls and stop == "end":
            stop = "tool calls"  # some servers end every answer with "stop"
        text, aloud = said_and_thought(unsaid(joined(self._text)))
        refusal = joined(self._refusal)
        if refusal and not text and not calls:
            text, stop = refusal, "refusal"
        reasoning = joined(self._reasoning)
        thinking = "\n\n".join(filter(None, (reasoning, aloud)))
        state = self._state(reasoning) if calls else ""
        return ModelReply(
            text=text, calls=calls, stop=stop, usage=self._usage(), model=self._model, thinking=thinking, state=state
        )

    def _state(self, reasoning: str) -> str:
        """What is kept of a turn with calls; empty when that is nothing."""
        extra = [begun.extra for _, begun in sorted(self._calls.items())]
        kept = State(reasoning=reasoning)
        if reasoning:
            kept.field = self._reasoning_field
        if any(extra):
            kept.service, kept.extra = self._service, extra
        return msgspec.json.encode(kept).decode() if reasoning or any(extra) else ""

    def _add(self, choice: _Choice) -> None:
        said = choice.delta or choice.message or _Said()
        self.begun = True
        for piece, kept, thinking in (
            (_text_of(said.content), self._text, False),
            (said.reasoning_content or said.reasoning or _thinking_of(said.content), self._reasoning, True),
            (said.refusal, self._refusal, False),
        ):
            if piece:
                self._measure(piece)
                kept.append(piece)
                self._said(piece, thinking)
        if said.reasoning_content or said.reasoning:
            self._reasoning_field = "reasoning_content" if said.reasoning_content else "reasoning"
        for number, call in enumerate(said.tool_calls or ()):
            self._add_call(call, number)
        self._stop = choice.finish_reason or self._stop

    def _add_call(self, call: _Call, number: int) -> None:
        told = call.index if call.index is not None else number
        begun = self._latest.get(told)
        if begun is None or _is_another(call, begun):
            place = max(self._calls) + 1 if told in self._calls else told
            begun = self._latest[told] = self._calls[place] = _Begun()
        begun.id = self._kept(mended(call.id), begun.id)
        begun.extra = self._kept(mended(call.extra_content), begun.extra)
        if call.function is not None:
            begun.name = self._kept(mended(call.function.name), begun.name)
            piece = call.function.arguments
            if piece is not None:
                text = piece if isinstance(piece, str) else msgspec.json.encode(mended(piece)).decode()
                self._measure(text)
                begun.pieces += [text] if text else []

    def _kept(self, new: Any, before: Any) -> Any:
        """What is kept of a call beside its arguments, and sent again with every later request. Some servers repeat it
        in each piece, which is counted once."""
        if not new or new == before:
            return before
        self._measure(new if isinstance(new, str) else msgspec.json.encode(new).decode())
        return new

    def _call(self, begun: _Begun, number: int, stop: StopReason) -> ToolCall:
        arguments = joined_json(begun.pieces)
        if not arguments.strip():
            arguments = "" if stop in CUT else "{}"
        return ToolCall(id=begun.id or f"call_{number}", name=begun.name, arguments=arguments)

    def _usage(self) -> Usage | None:
        tokens = self._tokens
        return None if tokens is None or tokens.prompt_tokens is None else _usage(tokens, tokens.prompt_tokens)

    def _measure(self, text: str) -> None:
        if why := self.bound.passed_by(text):
            raise Broken(why)


def _is_another(call: _Call, begun: _Begun) -> bool:
    """Whether it is another call than the one that was begun under its number: some servers number none of their calls,
    and Ollama gives all of them the same number. A new id alone says nothing: there are servers that make up another
    for each piece. Nor does a name: others repeat it in each. Where there are no two ids, one that comes behind whole
    arguments tells."""
    if call.function is None or not call.function.name or not begun.name:
        return False
    if call.id and begun.id:
        return call.id != begun.id
    is_more = bool(call.function.arguments) or call.function.name != begun.name
    return is_more and bool(begun.pieces) and begun.pieces[-1].rstrip().endswith("}") and _is_object(begun.pieces)


def _is_object(pieces: list[str]) -> bool:
    try:
        return isinstance(msgspec.json.decode(joined_json(pieces)), dict)
    except (ValueError, RecursionError):
        return False


def _usage(tokens: _Tokens, prompt: int) -> Usage:
    """Each token once, where it is billed."""
    details = tokens.prompt_tokens_details or _Details()
    read = details.cached_tokens or tokens.prompt_cache_hit_tokens or 0
    written = details.cache_write_tokens or 0
    # They are parts of the prompt; where they are more than all of it they can only stand beside it.
    anew = prompt - read - written if read + written <= prompt else prompt
    answered = tokens.completion_tokens or 0
    # Some count the reasoning in the completion (OpenAI), some beside it (xAI, Gemini): the total tells which.
    beside = (tokens.total_tokens or 0) - anew - read - written - answered
    return Usage(input=anew, output=answered + max(0, beside), cache_read=read, cache_written=written)


def _text_of(content: Any) -> str:
    """The words of a content, which some services split into typed parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def _thinking_of(content: Any) -> str:
    """The reasoning that Mistral puts among the parts of a content."""
    parts = content if isinstance(content, list) else ()
    return "".join(_text_of(part.get("thinking")) for part in parts if isinstance(part, dict))


def _refused(error: Any) -> Refused:
    if isinstance(error, dict):
        code = str(error.get("code") or error.get("type") or "")
        return Refused(code, str(error.get("message") or ""))
    return Refused("", str(error))
