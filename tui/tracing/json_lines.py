"""A trace for programs: one JSON object a line, for the order of each hook, for each call when it has ended, and for
what the command says where both go to standard error."""

from __future__ import annotations

import json
import threading

import msgspec

from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.tracing import Ended, Traced
from treadle.tui.tracing.output import Output
from treadle.tui.tracing.values import Values
from treadle.tui.tracing.wanted import Untold, Wanted


class TraceJson:
    """Implements `tracing.Tracer`."""

    def __init__(self, output: Output, wanted: Wanted, values: Values, *, full: bool = False) -> None:
        """`full`: nothing of a value is left out."""
        self._output = output
        self._wanted = wanted
        self._values = values
        self._full = full
        self._order = Untold()
        self._lock = threading.Lock()

    def wants(self, plugin: str) -> bool:
        """Whether it is one of those that are traced."""
        return plugin in self._wanted

    def loaded(self, plugins: PluginManager) -> None:
        """Raises `UsageError` for a name that is no plugin's."""
        order = self._wanted.order(plugins)
        for notice in self._wanted.notices(plugins):
            if not self._order.is_told(notice):
                self._write({"kind": "note", "text": notice})
        self._order.add(order)

    def began(self, call: Traced) -> None:
        """Writes who is asked, before the first call of a hook."""
        with self._lock:
            order = self._order.take(call.name)
            if order:
                self._write({"kind": "order", "hook": call.name, "asks": msgspec.to_builtins(order)})

    def ended(self, call: Traced, end: Ended) -> None:
        """Writes the call."""
        is_question = call.name.startswith("context.")
        record = {
            "kind": "question" if is_question else "call",
            "name": call.name.removeprefix("context."),
            "plugin": call.plugin,
            "isolation": call.isolation,
            "number": call.number,
            "parent": call.parent,
            "depth": call.depth,
            "wrapper": call.wrapper,
            "arguments": self._values.data(dict(call.arguments), full=self._full),
            "answer": self._values.data(end.answer, full=self._full),
            "raised": self._values.text(end.raised),
            "trace": self._values.text(end.trace),
            "fault": end.fault,
            "seconds": end.seconds,
        }
        with self._lock:
            self._write(record)

    def said(self, line: str) -> None:
        """What the command itself says on standard error, where the trace goes as well."""
        self._write({"kind": "said", "text": self._values.text(line)})

    def close(self) -> None:
        """Nothing is left to say."""

    def _write(self, record: dict[str, object]) -> None:
        self._output.write(json.dumps(record))
