"""What plugins are called with, what they answer, and how long it takes, told to whoever traces them.

Nothing of it is in the way of a call that is not traced: a plugin's functions are wrapped before they are registered,
or they are not.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
import time
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from treadle.core.context import Context
from treadle.core.errors import PluginFault, Signalled
from treadle.core.hook_types import checked
from treadle.core.one_line import one_line, trace_of
from treadle.core.plugin_check import Implementation, parameters
from treadle.core.records import Record
from treadle.core.wall import passes

if TYPE_CHECKING:
    from treadle.core.plugin_host.plugin_manager import PluginManager

Isolation = Literal["in-process", "process"]
QUESTIONS = frozenset(name for name in vars(Context) if not name.startswith("_"))
"""The methods of the context, each of which is a question of the plugin."""


class Traced(Record, frozen=True, kw_only=True):
    """A call of one plugin's hook (`treadle_scan`), or a question that it asks of its context (`context.emit`).

    `number` is its own, `parent` that of what it was made in, 0 where that is nothing that is traced; `depth` counts
    those around it. `arguments` are the values themselves, secrets and all, the context left out."""

    number: int
    parent: int
    depth: int
    plugin: str
    isolation: Isolation
    name: str
    arguments: Mapping[str, Any]
    wrapper: bool = False


class Ended(Record, frozen=True, kw_only=True):
    """What came of it: an answer, or what was raised, in one line and with the traceback where there is one. `fault`:
    it is the plugin's, and does not reach whoever called. `seconds` are those until then, those of what was called in
    it as well."""

    answer: Any = None
    raised: str = ""
    trace: str = ""
    fault: bool = False
    seconds: float = 0.0


class Asked(Record, frozen=True, kw_only=True):
    """One plugin among those that are asked for a hook, with its marks (`tryfirst`, `trylast`, `wrapper`)."""

    plugin: str
    isolation: Isolation
    marks: tuple[str, ...] = ()


class Tracer(Protocol):
    """Told of each call as it begins and ends, from several threads at once. What it raises, the plugin would be taken
    to have raised: it raises nothing, but from `loaded`."""

    def wants(self, plugin: str) -> bool:
        """Whether the calls of this plugin are to be traced; asked once, when it is loaded."""

    def loaded(self, plugins: PluginManager) -> None:
        """The plugins are there, and have not been called by a session yet."""

    def began(self, call: Traced) -> None:
        """It has begun."""

    def ended(self, call: Traced, end: Ended) -> None:
        """It has ended."""


class Tracing:
    """Makes functions that tell a tracer what the plugins' own are given and do."""

    def __init__(self, tracer: Tracer, clock: Callable[[], float] = time.perf_counter) -> None:
        self._tracer = tracer
        self._clock = clock
        self._numbers = itertools.count(1)
        self._at_work = threading.local()

    def of(self, plugin: str) -> Callable[[Implementation], Implementation] | None:
        """What makes a traced implementation of that plugin's; None when nobody wants to know."""
        return functools.partial(self._traced, plugin) if self._tracer.wants(plugin) else None

    def _traced(self, plugin: str, own: Implementation) -> Implementation:
        names = parameters(own.function)
        sent = frozenset(own.sent if own.remote else names) - {"context"}
        isolation: Isolation = "process" if own.remote else "in-process"

        def begin(arguments: tuple[Any, ...]) -> tuple[_Open, tuple[Any, ...]]:
            given = {name: value for name, value in zip(names, arguments, strict=True) if name in sent}
            call = self._begin(self._around(), plugin, isolation, own.hook.name, given, wrapper=own.wrapper)
            if "context" not in names:
                return call, arguments
            place = names.index("context")
            context = None if arguments[place] is None else TracedContext(arguments[place], self, call.what)
            return call, (*arguments[:place], context, *arguments[place + 1 :])

        @functools.wraps(own.function)
        def function(*arguments: Any) -> Any:
            call, arguments = begin(arguments)
            with call:
                answer = own.function(*arguments)
                # Here, so that an answer of the wrong type is traced as the fault that it is.
                call.answer = answer if own.remote else checked(own.hook.name, answer, own.hook.answer)
                return call.answer

        @functools.wraps(own.function)
        def wrapper(*arguments: Any) -> Generator[None, Any, Any]:
            call, arguments = begin(arguments)
            with call:
                call.answer = yield from own.function(*arguments)
                return call.answer

        return msgspec.structs.replace(own, function=wrapper if own.wrapper else function)

    def ask(self, call: Traced, name: str, method: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """Put a plugin's question to its context; it belongs to `call`, in whichever thread it is asked."""
        given = _by_name(name, values, named)
        question = self._begin(call, call.plugin, call.isolation, f"context.{name}", given)
        with question:
            question.answer = method(*values, **named)
            return question.answer

    # ------------------------------------------------------------ what is at work in this thread

    def _around(self) -> Traced | None:
        stack = self._stack()
        return stack[-1].what if stack else None

    def _stack(self) -> list[_Open]:
        stack: list[_Open] | None = getattr(self._at_work, "stack", None)
        if stack is None:
            stack = self._at_work.stack = []
        return stack

    def _begin(
        self,
        around: Traced | None,
        plugin: str,
        isolation: Isolation,
        name: str,
        arguments: Mapping[str, Any],
        *,
        wrapper: bool = False,
    ) -> _Open:
        what = Traced(
            number=next(self._numbers),
            parent=around.number if around else 0,
            depth=around.depth + 1 if around else 0,
            plugin=plugin,
            isolation=isolation,
            name=name,
            arguments=arguments,
            wrapper=wrapper,
        )
        return _Open(what, self._tracer, self._clock, self._stack())


class _Open:
    """A call that has begun and not ended; within its block it is what other calls of the thread are made in."""

    def __init__(self, what: Traced, tracer: Tracer, clock: Callable[[], float], stack: list[_Open]) -> None:
        self.what = what
        self.answer: Any = None
        self._tracer = tracer
        self._clock = clock
        self._stack = stack
        self._began = 0.0

    def __enter__(self) -> _Open:
        self._stack.append(self)
        self._tracer.began(self.what)
        self._began = self._clock()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        seconds = self._clock() - self._began
        # A wrapper that is thrown away with its generator ends when that does, which may be out of turn.
        self._stack.remove(self)
        if error is None:
            self._tracer.ended(self.what, Ended(answer=self.answer, seconds=seconds))
            return
        hook = None if self.what.name.startswith("context.") else self.what.name
        raised = Ended(
            raised=_said(error),
            trace=_trace(error) if hook else "",
            fault=hook is not None and not passes(hook, error),
            seconds=seconds,
        )
        self._tracer.ended(self.what, raised)


class TracedContext:
    """A plugin's own context, each question to which is traced. All else of it is as it is."""

    def __init__(self, context: Any, tracing: Tracing, call: Traced) -> None:
        self._context = context
        self._tracing = tracing
        self._call = call
        self._thread = threading.get_ident()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._context, name)
        return functools.partial(self._tracing.ask, self._call, name, found) if name in QUESTIONS else found

    def cancelled(self) -> bool:
        """Whether the call should end. Of a plugin's own process Treadle asks it for itself, in another thread."""
        if self._call.isolation == "process" and threading.get_ident() != self._thread:
            return bool(self._context.cancelled())
        return bool(self._tracing.ask(self._call, "cancelled", self._context.cancelled))


@functools.cache
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(getattr(Context, name))


def _by_name(method: str, values: tuple[Any, ...], named: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        bound = _signature(method).bind(None, *values, **named).arguments
    except TypeError:  # it will be told so by the method itself
        return {**{str(place): value for place, value in enumerate(values)}, **named}
    del bound["self"]
    return bound


def _said(error: BaseException) -> str:
    """In one line, with its kind: that is what a plugin would catch it by."""
    text = one_line(error)
    return f"{type(error).__name__}: {text}" if isinstance(error, Signalled) else text


def _trace(error: BaseException) -> str:
    return error.trace if isinstance(error, PluginFault) else trace_of(error, callers=(__name__,))
