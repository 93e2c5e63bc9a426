"""The events of one streamed answer, put together into its content blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from treadle import Usage
from treadle.plugins.models.anthropic.turns import Block
from treadle.plugins.models.bound import Bound
from treadle.plugins.models.circles import InCircles
from treadle.plugins.models.fitting import object_of
from treadle.plugins.models.halves import joined, joined_json, mended, reader
from treadle.plugins.models.stops import CIRCLES
from treadle.plugins.models.told import NOTHING, Count, told


class Broken(Exception):
    """The answer is none, or ends in the middle. The text says what is wrong with it."""


class ErrorEvent(Exception):
    """The service said, in the middle of its answer, that it can't go on."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Tokens(msgspec.Struct):
    """Totals, not increments; None: as said before."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None


class _Message(msgspec.Struct):
    model: str | None = None
    usage: msgspec.Raw = NOTHING


class _Delta(msgspec.Struct):
    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    citation: Any = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    """Any event; each holds some of these fields, and may hold more. Gateways send the others as null."""

    type: str | None = None
    index: int | None = None
    message: _Message | None = None
    content_block: dict[str, Any] | None = None
    delta: _Delta | None = None
    usage: msgspec.Raw = NOTHING
    error: Any = None


class _Part:
    """A content block that is not whole yet."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.pieces: dict[str, list[str]] = {"text": [], "thinking": [], "partial_json": []}
        cited = block.get("citations")
        self.citations: list[object] = list(cited) if isinstance(cited, list) else []

    def whole(self) -> Block:
        """It, without halves of characters. Raises `ValueError` and `RecursionError`."""
        block = dict(self.block)
        for name in ("text", "thinking"):
            if self.pieces[name]:
                block[name] = joined((str(block.get(name) or ""), *self.pieces[name]))
        if self.citations:
            block["citations"] = self.citations
        if self.pieces["partial_json"]:
            block["input"] = object_of(self.arguments)
        whole: Block = mended(block)
        return whole

    @property
    def arguments(self) -> str:
        return joined_json(self.pieces["partial_json"])


class Answer:
    """One answer, as far as it has come. `whole` once the service has said that it is, or it goes round in circles."""

    def __init__(self, said: Callable[[str, bool], None], max_tokens: int | None = None) -> None:
        """`said` is told each piece of text, and whether it is thinking; `max_tokens` were asked for at most."""
        self._said = said
        self.bound = Bound(max_tokens)
        self._parts: dict[int, _Part] = {}
        self._read = reader(_Event)
        self._tokens: _Tokens | None = None
        self._counts_make_sense = True
        self._written_is_told = False
        self.model = ""
        self.stop = ""
        self.begun = False
        self.whole = False

    def take(self, kind: str | None, data: str) -> None:
        """The next event. Raises `Broken`, and `ErrorEvent`."""
        if kind == "ping" or not data:
            return
        try:
            event = self._read(data)
        except (ValueError, RecursionError) as error:
            raise Broken(f"an event of its answer can't be read: {error}") from error
        handle = self._HANDLERS.get(event.type or "")
        if handle is not None:  # there may be more kinds than those that are known
            try:
                handle(self, event)
            except InCircles:
                self.stop, self.whole = CIRCLES, True

    @property
    def content(self) -> list[Block]:
        """Its blocks, in order."""
        return [part.whole() for _, part in sorted(self._parts.items())]

    @property
    def calls(self) -> list[tuple[str, str, str]]:
        """Id, name and arguments of each call, these as the model has written them."""
        return [
            (mended(str(part.block.get("id", ""))), mended(str(part.block.get("name", ""))), _written(part))
            for _, part in sorted(self._parts.items())
            if part.block.get("type") == "tool_use"
        ]

    @property
    def usage(self) -> Usage | None:
        """What it took, as the service has told; None when it has not, or what makes no sense. What the beginning of an
        answer says of the tokens written holds for that beginning."""
        tokens = self._tokens
        if tokens is None or not self._counts_make_sense or not self._written_is_told:
            return None
        return Usage(
            input=tokens.input_tokens or 0,
            output=tokens.output_tokens or 0,
            cache_read=tokens.cache_read_input_tokens or 0,
            cache_written=tokens.cache_creation_input_tokens or 0,
        )

    def _start(self, event: _Event) -> None:
        self.begun = True
        if event.message is not None:
            self.model = mended(event.message.model or "")
            self._count(event.message.usage)

    def _open(self, event: _Event) -> None:
        if event.content_block is None or not isinstance(event.content_block.get("type"), str):
            raise Broken("a part of its answer has no kind")
        self._parts[event.index or 0] = part = _Part(event.content_block)
        for name in ("text", "thinking"):
            self._tell(str(part.block.get(name) or ""), thinking=name == "thinking")

    def _add(self, event: _Event) -> None:
        part, delta = self._parts.get(event.index or 0), event.delta
        if part is None or delta is None:
            raise Broken("a piece of its answer belongs to no part of it")
        if delta.type == "text_delta":
            part.pieces["text"].append(delta.text or "")
            self._tell(delta.text or "", thinking=False)
        elif delta.type == "thinking_delta":
            part.pieces["thinking"].append(delta.thinking or "")
            self._tell(delta.thinking or "", thinking=True)
        elif delta.type == "input_json_delta":
            part.pieces["partial_json"].append(delta.partial_json or "")
            self._measure(delta.partial_json or "")
        elif delta.type == "signature_delta":
            part.block["signature"] = delta.signature or ""
        elif delta.type == "citations_delta":
            part.citations.append(delta.citation)

    def _change(self, event: _Event) -> None:
        tokens = self._count(event.usage)
        self._written_is_told |= tokens is not None and tokens.output_tokens is not None
        if event.delta is not None:
            self.stop = event.delta.stop_reason or self.stop

    def _end(self, event: _Event) -> None:
        if not self.begun:
            raise Broken("its answer ends before it has begun")
        self.whole = True

    def _fail(self, event: _Event) -> None:
        error = event.error
        if not isinstance(error, dict):
            raise ErrorEvent("", str(error or ""))
        raise ErrorEvent(str(error.get("type") or ""), str(error.get("message") or ""))

    _HANDLERS = {
        "message_start": _start,
        "content_block_start": _open,
        "content_block_delta": _add,
        "message_delta": _change,
        "message_stop": _end,
        "error": _fail,
    }

    def _count(self, usage: msgspec.Raw) -> _Tokens | None:
        """Take what is told there; it, None where that is nothing that makes sense."""
        tokens = told(usage, _Tokens) if usage != NOTHING else None
        if tokens is None:
            self._counts_make_sense &= usage == NOTHING
            return None
        if self._tokens is None:
            self._tokens = tokens
            return tokens
        for name in tokens.__struct_fields__:
            if (total := getattr(tokens, name)) is not None:
                setattr(self._tokens, name, total)
        return tokens

    def _tell(self, text: str, *, thinking: bool) -> None:
        if text:
            self._measure(text)
            self._said(text, thinking)

    def _measure(self, text: str) -> None:
        if why := self.bound.passed_by(text):
            raise Broken(why)


def _written(part: _Part) -> str:
    given = part.block.get("input")
    return part.arguments or (msgspec.json.encode(mended(given)).decode() if given else "")
