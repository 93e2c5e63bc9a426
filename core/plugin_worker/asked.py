"""What one call of a plugin asks of its context: answered within bounds, and what the session said there is kept."""

from __future__ import annotations

import msgspec

from treadle.core import wire
from treadle.core.context import Context
from treadle.core.errors import PluginFault, Signalled
from treadle.core.one_line import one_line, printable
from treadle.core.plugin_worker import messages
from treadle.core.plugin_worker.messages import Ask, Raised, Reply
from treadle.core.plugin_worker.remote_context import methods

MOST_ASKED = 200_000
"""Questions of one call."""
MOST_SAID = 64 << 10
"""Bytes that one of them may say to people or to the log."""
MOST_SAID_IN_ALL = 8 << 20
"""Bytes that all of them may say so."""
_SAYS = frozenset({"emit", "note", "log", "progress", "ask"})


class Asked:
    """The questions of one call. `signals` are the messages to the session with which they were answered."""

    def __init__(self, context: Context | None) -> None:
        self._context = context
        self._count = 0
        self._said = 0
        self.signals: list[Signalled] = []

    def reply(self, ask: Ask) -> Reply:
        """What its context answers, or raises. Raises `PluginFault` for a call that asks without an end."""
        self._count += 1
        self._said += _said_by(ask)
        if self._count > MOST_ASKED:
            raise PluginFault(f"it asked more than {MOST_ASKED} times of its context in one call")
        if self._said > MOST_SAID_IN_ALL:
            raise PluginFault(f"it said more than {MOST_SAID_IN_ALL >> 20} MB in one call")
        try:
            return Reply(ask.id, self._answer(ask))
        except Exception as error:  # noqa: BLE001 - handed to the plugin, which asked for it
            if isinstance(error, Signalled):
                self.signals.append(error)
            return refusal(ask, error)

    def _answer(self, ask: Ask) -> msgspec.Raw:
        method = methods().get(ask.method)
        if method is None or self._context is None:
            raise PluginFault(f"there is no {ask.method!r} here")
        if _said_by(ask) > MOST_SAID:
            raise ValueError(f"context.{ask.method}: more than {MOST_SAID >> 10} kB; keep that in `context.folder`")
        values, fields = method.unpack(ask.arguments)
        return msgspec.Raw(wire.pack(getattr(self._context, ask.method)(*values, **fields)))


def refusal(ask: Ask, error: Exception) -> Reply:
    """The reply to what could not be answered."""
    kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return Reply(ask.id, messages.NOTHING, Raised(kind, _text(error)))


def _said_by(ask: Ask) -> int:
    return sum(len(bytes(each)) for each in ask.arguments) if ask.method in _SAYS else 0


def _text(error: Exception) -> str:
    try:
        return printable(str(error))
    except Exception:  # noqa: BLE001 - its own `str` may raise whatever it wants
        return one_line(error)
