"""What runs in a plugin's own process: it loads the plugin, answers calls of its hooks, and ends with its connection.

It is started by the text of `core.plugin_worker.boot` with the connection as its standard input.
"""

from __future__ import annotations

import itertools
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from treadle.core import errors, wire
from treadle.core.hook_types import call_of, hook_types, packed
from treadle.core.hooks import API_VERSION
from treadle.core.one_line import one_line, printable, trace_of
from treadle.core.plugin_check import NEEDS_NAME, Implementation, check, parameters
from treadle.core.plugin_worker import entry, messages
from treadle.core.plugin_worker.channel import Channel, HungUp
from treadle.core.plugin_worker.messages import Ask, Call, Done, FromTreadle, Hook, Raised, Ready, Reply, Start
from treadle.core.plugin_worker.remote_context import RemoteContext

_ORDERS = 0  # the slot of what Treadle says unasked: `Start` and `Call`


class Inside:
    """Serves one plugin over one connection. Calls are worked on one after the other, or one inside of another while
    that one waits for its context."""

    def __init__(self, connection: socket.socket) -> None:
        self._channel: Channel[Any] = Channel(connection, FromTreadle, _address, is_trusted=True)
        self._channel.open(_ORDERS)
        self._functions: dict[str, tuple[Implementation, list[str]]] = {}
        self._numbers = itertools.count(1)

    def serve(self) -> None:
        """Work until the connection ends. Raises `HungUp` then."""
        start = self._channel.wait(_ORDERS)
        if isinstance(start, Start):
            self._channel.send(self._load(start))
        while True:
            self._work_on(self._channel.wait(_ORDERS))

    def _load(self, start: Start) -> Ready:
        began = time.perf_counter()
        hello = Ready(messages.PROTOCOL, API_VERSION, 0.0)
        if start.protocol != messages.PROTOCOL or start.api_version != API_VERSION:
            return hello
        try:
            plugin = entry.load(start.entry)
            found = check(plugin)
            needs = msgspec.Raw(wire.pack(getattr(plugin, NEEDS_NAME, None)))
        except BaseException as error:  # noqa: BLE001 - importing it runs its code; told to Treadle, whatever it is
            return msgspec.structs.replace(hello, failed=one_line(error), trace=trace_of(error))
        self._functions = {each.name: (each, parameters(each.function)) for each in found.implementations}
        return msgspec.structs.replace(
            hello,
            import_s=time.perf_counter() - began,
            hooks=tuple(
                Hook(
                    each.hook.name,
                    each.name,
                    tuple(self._functions[each.name][1]),
                    tryfirst=bool(each.options.get("tryfirst")),
                    trylast=bool(each.options.get("trylast")),
                    wrapper=each.wrapper,
                )
                for each in found.implementations
            ),
            errors=found.errors,
            warnings=found.warnings,
            incompatible=found.incompatible,
            needs=needs,
        )

    def _work_on(self, call: Call) -> None:
        try:
            answer = self._answer(call)
            self._channel.send(Done(call.id, answer))
        except HungUp:
            raise
        except BaseException as error:  # noqa: BLE001 - told to Treadle, whatever it is
            raised = Raised(type(error).__name__, _said(error), _trace(error))
            self._channel.send(Done(call.id, messages.NOTHING, raised))

    def _answer(self, call: Call) -> msgspec.Raw:
        if call.name not in self._functions:
            raise errors.PluginFault(f"it has no {call.name!r} any more")
        implementation, names = self._functions[call.name]
        hook = call_of(call.contribution) if call.contribution else hook_types()[call.hook]
        given = iter(call.arguments)
        arguments = [
            RemoteContext(self._asking(call.id))
            if name == "context"
            else wire.unpack(bytes(next(given)), hook.arguments[name])
            for name in names
        ]
        # Looked at here, where the answer is still what the plugin gave.
        return msgspec.Raw(packed(hook.name, implementation.function(*arguments), hook.answer))

    def _asking(self, call: int) -> Callable[[str, tuple[msgspec.Raw, ...]], msgspec.Raw]:
        def ask(method: str, arguments: tuple[msgspec.Raw, ...]) -> msgspec.Raw:
            number = next(self._numbers)
            self._channel.open(number)
            try:
                self._channel.send(Ask(number, call, method, arguments))
                while not isinstance(answer := self._channel.wait(number, _ORDERS), Reply):
                    self._work_on(answer)
            finally:
                self._channel.close(number)
            if answer.raised:
                raise _error(answer.raised)
            return answer.answer

        return ask


def _address(message: Any) -> int:
    return message.id if isinstance(message, Reply) else _ORDERS


def _error(raised: Raised) -> Exception:
    """What a method of the context raised, as an exception of this process."""
    kind = getattr(errors, raised.kind, None) or {"TypeError": TypeError, "ValueError": ValueError}.get(raised.kind)
    return kind(raised.text) if kind else RuntimeError(f"{raised.kind}: {raised.text}")


def _said(error: BaseException) -> str:
    # What a person reads of an error of ours is its whole text: a refusal may take several lines.
    return printable(str(error)) if isinstance(error, errors.TreadleError) else one_line(error)


def _trace(error: BaseException) -> str:
    return "" if isinstance(error, errors.PluginFault) else trace_of(error, callers=(__name__,))


def main() -> None:
    """Serve on descriptor 0, which what the plugin starts does not inherit."""
    connection = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    try:
        Inside(connection).serve()
    except HungUp:
        return
