"""Answers from small files, which either protocol can say, and what a provider is to make of them.

    # What goes wrong, in a sentence.
    [[answer]]                  the answers to the requests, in their order
    text = "As far as "
    then = "reset"

    [ask]                       how it is asked, where that matters
    silence_s = 0.3

    [means]                     what it means, by either protocol
    trouble = "unreachable"
    told = "broke off"

A key that is not known, and a value of a wrong type, is a `msgspec.ValidationError` that names its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from tests.plugins.models.protocols import Wire
from tests.plugins.models.scripted_service import END, STREAM, Act, Service, chunk, whole

SCRIPTS = Path(__file__).parent / "scripts"
_ALIVE = 200
"""How often a service shows that it is alive, before it is silent: for some seconds."""


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a tool; `arguments` are JSON as the model has written it, or what it takes to be JSON."""

    name: str
    arguments: str = "{}"


def repeated(text: str, times: int) -> str:
    """The text, so many times, each with its number where there are several: it goes on, and not round in circles."""
    return "".join(f"{number}{text}" for number in range(times)) if times > 1 else text


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer. With a `status` other than 200 it is an error, whose body is `message` in the words of the protocol;
    or it is the `page` as it is, whatever the status. Else it is a stream: the `text`, so many `times`, the `calls`,
    the `event` as it is, then the end, for the reason `stop`, in Treadle's words or in any other.

    `then` says what comes in place of the end: the connection breaks (`reset`), or ends (`close`), nothing more is said
    (`hang`), or it ends without its last events (`stop short`). Ahead of that, `alive` is said again and again. With
    `before` nothing comes ahead of it. The bytes come in pieces of `split` bytes, each followed by `drip_s` seconds of
    nothing."""

    text: str = ""
    times: int = 1
    calls: tuple[Call, ...] = ()
    event: str = ""
    stop: str = "end"
    status: int = 200
    message: str = "It is so"
    page: str | None = None
    headers: dict[str, str] = {}
    then: Literal["end", "reset", "close", "hang", "stop short"] = "end"
    before: bool = False
    split: int = 0
    drip_s: float = 0.0
    alive: str = ""

    @property
    def whole_text(self) -> str:
        """All of the text."""
        return repeated(self.text, self.times)

    @property
    def comes_to_an_end(self) -> bool:
        """Whether a client that waits for the end sees one."""
        return self.then != "hang" and not self.drip_s

    def acts(self, wire: Wire) -> Iterator[Act]:
        """What the service does, in the words of the protocol."""
        if self.status != 200 or self.page is not None:
            body = wire.error(self.status, self.message) if self.page is None else self.page
            yield whole(self.status, body, self.headers)
            return
        if not self.before:
            yield STREAM
            event = [f"data: {self.event}\n\n".encode()] if self.event else []
            ending = wire.ended(self) if self.then == "end" else []
            yield from self._pieces(b"".join((*wire.begun(self), *event, *ending)))
        for _ in range(_ALIVE if self.alive else 0):
            yield from (chunk(self.alive.encode()), 0.05)
        if self.then in ("reset", "close", "hang"):
            yield self.then
        else:
            yield END

    def _pieces(self, data: bytes) -> Iterator[Act]:
        """Chunks of HTTP: clients hand each on as it is, however the network joins them."""
        size = self.split or len(data)
        for start in range(0, len(data), size):
            yield chunk(data[start : start + size])
            if self.drip_s:
                yield self.drip_s


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is asked: the `seconds` for the whole reply and its tokens, the seconds of silence that are borne, and
    whether anybody `listens` at the address."""

    seconds: float | None = None
    silence_s: float = 60.0
    listens: bool = True
    max_tokens: int = 100


class Means(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is made of it: a `trouble`, whose message matches the pattern `told`, or a reply. `begun` as of
    `ModelFailure`; `waited`: for an answer of which nothing has come."""

    trouble: str = ""
    told: str = ""
    retry_after_s: float | None = None
    begun: bool = False
    waited: bool = False
    text: str = ""
    times: int = 1
    calls: tuple[Call, ...] = ()
    stop: str = "end"

    @property
    def whole_text(self) -> str:
        """All of the text."""
        return repeated(self.text, self.times)


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file."""

    answer: tuple[Answer, ...] = ()
    ask: Ask = Ask()
    means: Means = Means()

    def lay_ready(self, service: Service, wire: Wire) -> None:
        """Have the service answer so."""
        for answer in self.answer:
            service.will(*answer.acts(wire))


def read_script(name: str) -> Script:
    """The script of this name, without its suffix."""
    return msgspec.toml.decode((SCRIPTS / f"{name}.toml").read_bytes(), type=Script)


def names(under: str = ".") -> list[str]:
    """Those of all scripts in a folder, in order."""
    return sorted(file.stem for file in (SCRIPTS / under).glob("*.toml"))
