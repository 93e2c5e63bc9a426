"""A plugin's `context` in its own process: each method is a question to Treadle, and the types of all of them."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from treadle.core import context, records, wire
from treadle.core.counting import counted
from treadle.core.hook_types import other_record
from treadle.core.models.messages import ModelReply, ModelRequest
from treadle.core.records import Execution, Job, Question

if TYPE_CHECKING:
    from treadle.core.contributions import Contribution

Asking = Callable[[str, tuple[msgspec.Raw, ...]], msgspec.Raw]


class Method(msgspec.Struct, frozen=True):
    """One method of the protocol: the types of what it takes, in order (further named values come last, as a table),
    and of its answer."""

    takes: tuple[Any, ...]
    answer: Any
    fields: bool

    def unpack(
        self, sent: tuple[msgspec.Raw, ...], read: Callable[[msgspec.Raw, Any], Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments and further values, each read as its type. Raises `ValueError` when they are others than it
        takes."""
        if len(sent) != len(self.takes):
            raise ValueError(f"it takes {counted(len(self.takes), 'value')}, not {len(sent)}")
        values: list[Any] = [read(raw, kind) for raw, kind in zip(sent, self.takes, strict=True)]
        return (values[:-1], values[-1]) if self.fields else (values, {})


@functools.cache
def methods() -> Mapping[str, Method]:
    """Every method of the protocol by its name."""
    from treadle.core import contributions  # a plugin that asks nothing of its context starts without

    found = {}
    for name, function in vars(context.Context).items():
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        hints = typing.get_type_hints(function, globalns={**vars(records), **vars(contributions), **vars(context)})
        answer = hints.pop("return")
        kinds = {p.name: p.kind for p in inspect.signature(function).parameters.values()}
        fields = [each for each in hints if kinds[each] is inspect.Parameter.VAR_KEYWORD]
        takes = tuple(dict[str, Any] if each in fields else hint for each, hint in hints.items())
        found[name] = Method(takes=takes, answer=answer, fields=bool(fields))
    return found


class RemoteContext:
    """Implements `core.context.Context`. What Treadle raises there, each method raises here."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self._ask("emit", kind, data)

    def note(self, text: str) -> None:
        self._ask("note", text)

    def progress(self, done: int, total: int | None, text: str) -> None:
        self._ask("progress", done, total, text)

    def delta(self, text: str, thinking: bool) -> None:
        self._ask("delta", text, thinking)

    def cancelled(self) -> bool:
        return bool(self._ask("cancelled"))

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        answer: tuple[Execution, ...] = self._ask("execute", jobs)
        return answer

    def complete(self, request: ModelRequest) -> ModelReply:
        answer: ModelReply = self._ask("complete", request)
        return answer

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        answer: tuple[Contribution, ...] = self._ask("contributions", kind)
        return answer

    def call(self, kind: str, name: str, arguments: dict[str, object]) -> object:
        return self._ask("call", kind, name, arguments)

    def ask(self, question: Question) -> str:
        return str(self._ask("ask", question))

    def settings(self) -> dict[str, object]:
        answer: dict[str, object] = self._ask("settings")
        return answer

    def folder(self, scope: Literal["project", "session"]) -> str:
        return str(self._ask("folder", scope))

    def log(self, level: str, message: str, **fields: object) -> None:
        self._ask("log", level, message, fields)

    def _ask(self, method: str, *arguments: object) -> Any:
        sent = tuple(map(wire.pack, arguments))
        for argument, data, due in zip(arguments, sent, methods()[method].takes, strict=True):
            if told := other_record(argument, data, due):
                raise TypeError(f"context.{method}: {told}")
        answer = self._asking(method, tuple(map(msgspec.Raw, sent)))
        kind = methods()[method].answer
        return None if kind is type(None) else wire.unpack(bytes(answer), kind)
