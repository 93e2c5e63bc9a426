"""What one call of a plugin asks of its context: answered within bounds, and what the session said there is kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import msgspec

from treadle.core import wire
from treadle.core.called_for import called_for
from treadle.core.context import Context
from treadle.core.errors import PluginFault, Signalled, TreadleError
from treadle.core.one_line import printable, trace_of
from treadle.core.plugin_worker import messages
from treadle.core.plugin_worker.incoming import unpack
from treadle.core.plugin_worker.measuring import MOST_VALUES
from treadle.core.plugin_worker.messages import Ask, Raised, Reply
from treadle.core.plugin_worker.remote_context import methods

MOST_ASKED = 200_000
"""Questions of one call."""
MOST_SAID = 64 << 10
"""Bytes that one of them may say, to people and to the log above all."""
MOST_SAID_IN_ALL = 8 << 20
"""Bytes that all of them may say to people and to the log."""
MOST_GIVEN = 4 << 20
"""Bytes of the arguments for what a plugin brings, which is called within this call."""
MOST_VALUES_GIVEN = 100_000
"""Values in them."""
_SAYS = frozenset({"emit", "note", "log", "progress", "delta", "ask"})
_LARGE = {"execute": messages.MOST, "complete": messages.MOST, "call": MOST_GIVEN}  # what holds files, or their texts
_OF_WHAT_WAS_ASKED = (TreadleError, ValueError, TypeError, RecursionError)
_NONSENSE = (PluginFault, msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError, MemoryError)


class Asked:
    """The questions of one call. `signals` are the messages to the session with which they were answered, the last of
    each kind. `at_work` is entered while the context works."""

    def __init__(self, context: Context | None, at_work: Callable[[], AbstractContextManager[None]]) -> None:
        self._context = context
        self._at_work = at_work
        self._count = 0
        self._said = 0
        self.signals: dict[str, Signalled] = {}

    def reply(self, ask: Ask) -> Reply:
        """What its context answers, or raises. Raises `PluginFault` for a call that asks without an end."""
        size = sum(len(memoryview(each)) for each in ask.arguments)
        self._count += 1
        self._said += size if ask.method in _SAYS else 0
        if self._count > MOST_ASKED:
            raise PluginFault(f"it asked more than {MOST_ASKED} times of its context in one call")
        if self._said > MOST_SAID_IN_ALL:
            raise PluginFault(f"it said more than {MOST_SAID_IN_ALL >> 20} MB in one call")
        try:
            answer = self._question(ask, size)
        except _NONSENSE as error:
            return refusal(ask, error)
        try:
            with called_for(getattr(self._context, "plugin", "")), self._at_work():
                return Reply(ask.id, msgspec.Raw(wire.pack(answer())))
        except Exception as error:  # noqa: BLE001 - handed to the plugin, which asked for it
            self._keep(ask, error)
            return refusal(ask, error)

    def _question(self, ask: Ask, size: int) -> Callable[[], object]:
        """What asks the context. The plugin's own time runs while its arguments are read."""
        method = methods().get(ask.method)
        if method is None or self._context is None:
            raise PluginFault(f"there is no {ask.method!r} here")
        most = _LARGE.get(ask.method, MOST_SAID)
        if size > most:
            raise ValueError(f"context.{ask.method}: more than {most >> 10} kB; keep that in `context.folder`")
        most_values = MOST_VALUES_GIVEN if ask.method == "call" else MOST_VALUES

        def read(raw: msgspec.Raw, kind: Any) -> Any:
            return unpack(raw, kind, most=most, most_values=most_values)

        values, fields = method.unpack(ask.arguments, read)
        asked = getattr(self._context, ask.method)
        return lambda: asked(*values, **fields)

    def _keep(self, ask: Ask, error: Exception) -> None:
        if isinstance(error, Signalled):
            # Without the frames of where it was raised, in which there is all that was asked.
            self.signals[type(error).__name__] = error.with_traceback(None)
        elif not isinstance(error, _OF_WHAT_WAS_ASKED) and self._context is not None:
            # Of ours, or of the machine: the plugin is told a line of it, and whoever mends it needs the rest.
            self._context.log("error", f"context.{ask.method} failed", traceback=trace_of(error))


def refusal(ask: Ask, error: Exception) -> Reply:
    """The reply to what could not be answered."""
    kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return Reply(ask.id, messages.NOTHING, Raised(kind, printable(str(error))))
