"""A trace for people: a line for each call, those that are made within it indented below it."""

from __future__ import annotations

import collections
import threading
import time
from collections.abc import Callable, Iterator

import msgspec

from treadle.core.counting import counted
from treadle.core.hook_types import hook_types
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.tracing import Asked, Ended, Traced
from treadle.core.plugin_worker.remote_context import methods
from treadle.tui.safe_text import clean_line
from treadle.tui.tracing.output import Output
from treadle.tui.tracing.values import Values
from treadle.tui.tracing.wanted import Untold, Wanted

LONG_S = 1.0
"""Seconds after which a call is shown that has not ended, so that one that hangs can be seen."""

_LEAST_ROOM = 30  # characters for values, however narrow the terminal is
_INSET = "  "


class _Begun(msgspec.Struct):
    """A call that has not ended."""

    call: Traced
    since: float
    shown: bool = False


class _Sum(msgspec.Struct):
    """What one plugin's calls came to."""

    calls: int = 0
    faults: int = 0
    questions: int = 0
    seconds: float = 0.0


class TraceLines:
    """Implements `tracing.Tracer`. Close it for the sums."""

    def __init__(
        self,
        output: Output,
        wanted: Wanted,
        values: Values,
        *,
        width: Callable[[], int],
        full: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`width` is that of a line; `full`: values are shown whole, in as many lines as they take."""
        self._output = output
        self._wanted = wanted
        self._values = values
        self._width = width
        self._full = full
        self._clock = clock
        self._order = Untold()
        self._is_loaded = False
        self._begun: dict[int, _Begun] = {}
        self._sums: collections.defaultdict[str, _Sum] = collections.defaultdict(_Sum)
        self._last = ""
        self._more: list[float] = []
        self._more_inset = ""
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._show_long_ones, name="treadle-trace", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ what a tracer is told

    def wants(self, plugin: str) -> bool:
        """Whether it is one of those that are traced."""
        return plugin in self._wanted

    def loaded(self, plugins: PluginManager) -> None:
        """Says where those run that were named. Raises `UsageError` for a name that is no plugin's."""
        order = self._wanted.order(plugins)
        notices = tuple(self._wanted.notices(plugins))
        with self._lock:
            self._order.add(order)
            self._is_loaded = True
            where = ((name, plugins.isolation_of(name)) for name in self._wanted.names)
            lines = (*(f"{name} runs {_WHERE[place]}" for name, place in where if place), *notices)
            self._output.write(*(line for line in lines if not self._order.is_told(line)))

    def began(self, call: Traced) -> None:
        """Remembers it; what is around it is shown now, since it will not fit into one line any more."""
        with self._lock:
            if self._closed.is_set():
                return
            self._say_order(call)
            self._open(call.parent)
            self._begun[call.number] = _Begun(call, self._clock())

    def ended(self, call: Traced, end: Ended) -> None:
        """Shows it: in one line, or its end below what was in it."""
        with self._lock:
            begun = self._begun.pop(call.number, None)
            if begun is None:  # it was left behind, and told of as such
                return
            self._count(call, end)
            if begun.shown:
                self._show(call, end)
            elif line := self._in_one(call, end):
                self._show_in_one(call, end, line)
            else:
                self._head(call)
                self._show(call, end)

    def close(self) -> None:
        """Says what has not ended, and what each plugin's calls came to."""
        self._closed.set()
        self._thread.join()
        with self._lock:
            self._flush()
            for begun in self._begun.values():
                seconds = self._clock() - begun.since
                self._line(seconds, begun.call, f"{_label(begun.call)} has not ended")
            self._begun.clear()
            self._output.write(*self._sum_lines())

    # ------------------------------------------------------------ lines

    def _in_one(self, call: Traced, end: Ended) -> str:
        """The whole of it in one line; empty when that would not be all that is to be shown."""
        label = _label(call)
        room = self._room(call, f"{label}()")
        if self._full:
            given, after = self._values.arguments(call.arguments, None), self._outcome(call, end, None)
            return f"{label}({given}){after}" if len(given) + len(after) <= room else ""
        after = self._outcome(call, end, room // 2)
        given = self._values.arguments(call.arguments, max(_LEAST_ROOM // 2, room - len(after)))
        after = self._outcome(call, end, max(_LEAST_ROOM // 2, room - len(given)))
        return f"{label}({given}){after}"

    def _show_in_one(self, call: Traced, end: Ended, line: str) -> None:
        # Work that is long asks again and again whether it should stop.
        same = f"{call.parent} {call.plugin} {line}"
        if same == self._last and not end.trace:
            self._more.append(end.seconds)
            return
        self._line(end.seconds, call, line)
        self._last, self._more_inset = same, _INSET * call.depth
        self._show_trace(call, end)

    def _show(self, call: Traced, end: Ended) -> None:
        label = _label(call)
        lines: list[str] = []
        if self._full and not end.raised and _answers(call.name):
            lines = list(self._values.whole(end.answer, self._room(call, f"{label} -> ")))
            after = f" -> {lines.pop()}" if len(lines) == 1 else " ->"
        else:
            after = self._outcome(call, end, self._room(call, label)) or " ended"
        self._line(end.seconds, call, label + after)
        self._below(call, lines)
        self._show_trace(call, end)

    def _outcome(self, call: Traced, end: Ended, room: int | None) -> str:
        if end.raised:
            said = self._values.text(end.raised)
            return f" !! {said}" if end.fault else f" raises {said}"
        return f" -> {self._values.line(end.answer, room and max(0, room - 4))}" if _answers(call.name) else ""

    def _show_trace(self, call: Traced, end: Ended) -> None:
        if end.fault and end.trace:
            self._below(call, self._values.text(end.trace).rstrip().split("\n"))

    def _open(self, number: int) -> None:
        begun = self._begun.get(number)
        if begun is None or begun.shown:
            return
        self._open(begun.call.parent)
        begun.shown = True
        self._head(begun.call)

    def _head(self, call: Traced) -> None:
        """What is called, with what: when that is to be whole, below it."""
        label = _label(call)
        room = self._room(call, f"{label}()")
        given = self._values.arguments(call.arguments, None if self._full else room)
        if not self._full or len(given) <= room:
            self._line(None, call, f"{label}({given})")
            return
        self._line(None, call, label)
        for name, value in call.arguments.items():
            lines = list(self._values.whole(value, self._room(call, _INSET * 2), name))
            self._below(call, [f"{name} = {lines[0]}", *lines[1:]])

    def _line(self, seconds: float | None, call: Traced, text: str) -> None:
        self._flush()
        self._output.write(f"{_time(seconds)}  {_INSET * call.depth}{text}")

    def _below(self, call: Traced, lines: list[str]) -> None:
        self._output.write(*(f"{_time(None)}  {_INSET * (call.depth + 2)}{line}" for line in lines))

    def _flush(self) -> None:
        more, self._more, self._last = self._more, [], ""
        if more:
            self._output.write(f"{_time(sum(more))}  {self._more_inset}the same {counted(len(more), 'more time')}")

    def _room(self, call: Traced, fixed: str) -> int:
        return max(_LEAST_ROOM, self._width() - len(_time(None)) - 2 - len(_INSET) * call.depth - len(fixed))

    # ------------------------------------------------------------ besides the calls

    def _say_order(self, call: Traced) -> None:
        order = self._order.take(call.name)
        if not order:
            return
        self._flush()
        first = " until one answers" if hook_types()[call.name].first else ""
        self._output.write(f"{_short(call.name)} asks{first}: {', '.join(map(_asked, order))}")

    def _show_long_ones(self) -> None:
        while not self._closed.wait(LONG_S / 4):
            with self._lock:
                long = [number for number, each in self._begun.items() if self._clock() - each.since > LONG_S]
                for number in long:
                    self._open(number)

    def _count(self, call: Traced, end: Ended) -> None:
        of_plugin = self._sums[call.plugin]
        if call.name.startswith("context."):
            of_plugin.questions += 1
            return
        of_plugin.calls += 1
        of_plugin.faults += end.fault
        around = self._begun.get(call.parent)
        while around is not None and around.call.plugin != call.plugin:
            around = self._begun.get(around.call.parent)
        if around is None:
            of_plugin.seconds += end.seconds

    def _sum_lines(self) -> Iterator[str]:
        named = self._wanted.names if self._is_loaded else ()
        names = [*self._sums, *(name for name in named if name not in self._sums)]
        width = max(map(len, names), default=0)
        for name in names:
            it = self._sums[name]
            said = [counted(it.calls, "call")] if it.calls else ["no calls"]
            said += [counted(it.questions, "question")] if it.questions else []
            said += [counted(it.faults, "fault")] if it.faults else []
            yield f"{_time(it.seconds if it.calls else None)}  {name.ljust(width)}  {', '.join(said)}"


_WHERE = {"process": "in a process of its own, which starts with its first call", "in-process": "inside of Treadle"}


def _label(call: Traced) -> str:
    if call.name.startswith("context."):
        return call.name
    return f"{clean_line(call.plugin)} {_short(call.name)}{' (wrapper)' if call.wrapper else ''}"


def _short(hook: str) -> str:
    return hook.removeprefix("treadle_")


def _asked(asked: Asked) -> str:
    marks = (*(["process"] if asked.isolation == "process" else []), *asked.marks)
    shown = f" ({', '.join(marks)})" if marks else ""
    return f"{clean_line(asked.plugin)}{shown}"


def _answers(name: str) -> bool:
    """Whether an answer is due at all."""
    kind = methods()[name.removeprefix("context.")] if name.startswith("context.") else hook_types()[name]
    return kind.answer is not type(None)


def _time(seconds: float | None) -> str:
    """Nine characters."""
    if seconds is None:
        return " " * 9
    text = f"{seconds * 1000:.2f} ms" if seconds < 1 else f"{seconds:.2f} s " if seconds < 1000 else f"{seconds:.0f} s "
    return text.rjust(9)
