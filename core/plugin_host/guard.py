"""The wall around a plugin: a proxy that is registered in its place.

pluggy keeps its own meaning (order, first result, wrappers, subsets of arguments), for it sees functions with the same
signatures. What a plugin does wrong stays inside: it becomes a `Fault`, and its answer None, or for a scanner that it
has not looked. After `FAULTS_ALLOWED` faults the plugin is not called any more; those in hooks that are only told
something (`wall.TOLD`) are counted apart, and switch off these hooks alone: who fails in watching a session keeps its
say in it. What goes wrong while another plugin's question is answered, which chose what is given, is no fault:
after so many it is not called in that hook for that one any more, and who asked for the one contribution is told.
"""

from __future__ import annotations

import collections
import functools
import inspect
import statistics
import threading
import types
from collections.abc import Callable, Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from treadle.core import paths
from treadle.core.called_for import askers, caller_of
from treadle.core.candidate_size import too_much, too_wordy
from treadle.core.errors import PluginFault, UnsafePath, UsedUp
from treadle.core.hook_types import HookType, checked
from treadle.core.hooks import PROJECT_NAME
from treadle.core.one_line import one_line, trace_of
from treadle.core.plugin_check import Implementation, parameters
from treadle.core.plugin_host.findings import in_sense
from treadle.core.records import Approval, Candidate, FileChange, Finding, Record
from treadle.core.wall import TOLD, passes

FAULTS_ALLOWED = 3
"""Faults in a session after which a plugin is switched off for its rest; so many again in hooks of `wall.TOLD`, after
which it is told nothing more."""

_TIMES_KEPT = 4096
_CALL = "treadle_call"


class Fault(Record, frozen=True, kw_only=True):
    """Something a plugin did wrong. `error` is one line for a person, `trace` the traceback (empty where there is
    none); `switched_off` when this was the one fault too many, for the plugin or for hooks that are told. `about` is
    what was being run where the hook does not say it (`the scan rule 'no-wip'`); the error begins with it. `kept`: what
    it answered counts all the same, as far as there is sense in it. `caller` is the other plugin that had this run, and
    chose what it was given: then it is logged, and counts for that one alone."""

    plugin: str
    hook: str
    about: str = ""
    error: str
    trace: str = ""
    switched_off: bool = False
    kept: bool = False
    caller: str = ""


class Running(msgspec.Struct, frozen=True):
    """A call that has not ended; `since` is a moment of the manager's clock."""

    plugin: str
    hook: str
    since: float


def _check_candidate(candidate: Candidate, given: tuple[FileChange, ...]) -> None:
    """Raises `PluginFault` for a change that is too large, unless it is what the person gave, for more words than
    anybody reads, and for a file that no patch may write: it is for no scanner to find a place in it. The same holds
    for the changes that a person may choose in its place."""
    rivals = candidate.confidence.rivals if candidate.confidence is not None else ()
    others = tuple(change for rival in rivals for change in rival.files)
    too_large = too_wordy(candidate) or (candidate.files != given and too_much(candidate.files)) or too_much(others)
    if too_large:
        raise PluginFault(f"treadle_generate answered with a change that is too large: {too_large}")
    for change in (*candidate.files, *others):
        try:
            paths.normal(change.path)
        except UnsafePath as error:
            raise PluginFault(f"treadle_generate answered with a change that can't be made: {error}") from None


class Guard:
    """What is known of one plugin's calls, and the wall that each goes through."""

    def __init__(
        self,
        name: str,
        on_fault: Callable[[Fault], None],
        clock: Callable[[], float],
        traced: Callable[[Implementation], Implementation] | None = None,
    ) -> None:
        """`traced` makes an implementation into one that is traced."""
        self.name = name
        self._traced = traced
        self.calls = 0
        self.faults: list[Fault] = []
        self._earlier: Mapping[str, int] = {}
        self._on_fault = on_fault
        self._clock = clock
        self._times: collections.deque[float] = collections.deque(maxlen=_TIMES_KEPT)
        self._running: dict[object, Running] = {}
        self._blamed: set[object] = set()
        self._used_up: set[str] = set()  # hooks
        self._ended: AbstractSet[str] = frozenset()  # hooks, in the session's earlier runs
        self._failed_for: collections.Counter[tuple[frozenset[str], str]] = collections.Counter()  # by who asked, hook
        self._lock = threading.Lock()

    @property
    def off(self) -> bool:
        """Whether the plugin has been switched off for its faults."""
        return self._count(told=False) >= FAULTS_ALLOWED

    def is_off(self, hook: str) -> bool:
        """Whether this hook of it is called no more."""
        if self.off or hook in self._used_up or hook in self._ended:
            return True
        return hook in TOLD and self._count(told=True) >= FAULTS_ALLOWED

    def count_earlier(self, faults: Mapping[str, int], ended: AbstractSet[str] = frozenset()) -> None:
        """So many faults of the session are on record, by hook; those that are not of this run are counted besides.
        `ended`: hooks in which one was the last that was allowed, of which those that are told stay without a call."""
        self._ended = ended & TOLD
        now = collections.Counter(fault.hook for fault in self.faults)
        self._earlier = {hook: max(0, number - now[hook]) for hook, number in faults.items()}

    def _count(self, *, told: bool) -> int:
        earlier = sum(number for hook, number in self._earlier.items() if (hook in TOLD) is told)
        return earlier + sum((fault.hook in TOLD) is told for fault in self.faults)

    def running(self) -> tuple[Running, ...]:
        """The calls of this plugin that have not ended."""
        with self._lock:
            return tuple(self._running.values())

    def percentiles(self) -> tuple[float, float]:
        """Median and 95th percentile of the latest calls' times, in seconds; zeros when there were none."""
        with self._lock:
            times = sorted(self._times)
        if len(times) < 2:
            return (times[0], times[0]) if times else (0.0, 0.0)
        return statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[-1]

    def use(self) -> dict[str, Any]:
        """How often it was called and at fault, and its median and 95th percentile in milliseconds."""
        p50, p95 = self.percentiles()
        return {"calls": self.calls, "faults": len(self.faults), "p50_ms": p50 * 1000, "p95_ms": p95 * 1000}

    def proxy(self, implementations: Sequence[Implementation]) -> object:
        """The object to register with pluggy."""
        proxy = _Proxy()
        for number, each in enumerate(implementations):
            implementation = self._traced(each) if self._traced else each
            wrap = self._wrapper if implementation.wrapper else self._call
            guarded = wrap(implementation)
            name = implementation.hook.name
            setattr(guarded, f"{PROJECT_NAME}_impl", {**implementation.options, "specname": name})
            # By its own name, for one of them at least: by that pluggy before 1.7 knows whom to leave out of a call.
            setattr(proxy, f"{name}_{number}" if hasattr(proxy, name) else name, guarded)
        return proxy

    def ask(self, implementation: Implementation, about: str = "", /, **given: object) -> Any:
        """Call one hook of this plugin alone, behind the wall, with those of these arguments that it takes. `about` as
        of `Fault`. Raises `PluginFault` where it fails on what another plugin has given it."""
        asked = self._traced(implementation) if self._traced else implementation
        return self._call(asked, about)(*(given[name] for name in parameters(implementation.function)))

    def blame(self, hook: str, error: PluginFault, about: str = "") -> None:
        """Count as a fault what only who asked could see: of an answer, or that it is late. What a call that is late
        still comes to is no other one. Raises as `ask` does."""
        with self._lock:
            self._blamed.update(token for token, running in self._running.items() if running.hook == hook)
        self._fault(hook, error, about)

    # ------------------------------------------------------------ the two kinds of implementation

    def _call(self, implementation: Implementation, about: str = "") -> Callable[..., Any]:
        function, hook = implementation.function, implementation.hook
        position = _position_of_context(function)
        missing = functools.partial(self._missing, hook.name)

        @functools.wraps(function)
        def guarded(*arguments: Any) -> Any:
            if self.is_off(hook.name):
                return missing()
            if self._has_failed(hook.name):
                if hook.name == _CALL:
                    caller = caller_of(self.name)
                    raise PluginFault(f"{about} of the plugin {self.name} fails too often to be run for {caller} again")
                return missing()
            token = self._begin(hook.name)
            try:
                answer = function(*self._own_context(arguments, position, apart=implementation.remote))
                answer = answer if implementation.remote else checked(hook.name, answer, hook.answer)
                if hook.name == "treadle_generate" and answer is not None:
                    return self._made(answer, function, arguments)
                return self._found(answer) if hook.name == "treadle_scan" and answer else answer
            except BaseException as error:
                if passes(hook.name, error):
                    raise
                if token not in self._blamed:
                    self._fault(hook.name, error, about)
                return missing()
            finally:
                self._end(token)

        return guarded

    def _wrapper(self, implementation: Implementation) -> Callable[..., Any]:
        function, hook = implementation.function, implementation.hook
        position = _position_of_context(function)

        @functools.wraps(function)
        def guarded(*arguments: Any) -> Generator[None, Any, Any]:
            off = self.is_off(hook.name) or self._has_failed(hook.name)
            inner = None if off else self._enter(hook.name, function, self._own_context(arguments, position))
            try:
                answer = yield
            except BaseException as error:
                if inner is None:
                    raise
                return self._leave(hook, function, arguments, inner, functools.partial(inner.throw, error), None, error)
            if inner is None:
                return answer
            return self._leave(hook, function, arguments, inner, functools.partial(inner.send, answer), answer, None)

        return guarded

    def _enter(
        self, hook: str, function: Callable[..., Any], arguments: Sequence[Any]
    ) -> Generator[None, Any, Any] | None:
        """Run a wrapper up to its `yield`. None when it failed before."""
        token = self._begin(hook)
        try:
            inner: Generator[None, Any, Any] = function(*arguments)
            try:
                next(inner)
            except StopIteration:
                raise PluginFault(f"{hook}: the wrapper ended without `yield`; write `answer = yield`") from None
            return inner
        except BaseException as error:
            if passes(hook, error):
                raise
            self._fault(hook, error)
            return None
        finally:
            self._end(token)

    def _leave(
        self,
        hook: HookType,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        inner: Generator[None, Any, Any],
        resume: Callable[[], Any],
        answer: Any,
        raised: BaseException | None,
    ) -> Any:
        """Run a wrapper from its `yield` to its end. When it fails there, what it wraps stands as it was."""
        token = self._begin(hook.name, counted=False)
        try:
            resume()
            inner.close()
            raise PluginFault(f"{hook.name}: the wrapper has a second `yield`; it may have one")
        except StopIteration as end:
            try:
                given = _checked_by_wrapper(hook, end.value, answer)
                is_made = hook.name == "treadle_generate" and given is not None and given != answer
                if not is_made:
                    return given
                made = self._made(given, function, arguments)
                by = (*made.by, *(answer.by if answer is not None else ()))
                return msgspec.structs.replace(made, by=tuple(dict.fromkeys(by)))
            except PluginFault as error:
                self._fault(hook.name, error)
        except BaseException as error:
            if error is raised or passes(hook.name, error):
                raise
            self._fault(hook.name, error)
        finally:
            self._end(token)
        if raised is not None:
            raise raised
        return answer

    def _made(self, candidate: Candidate, function: Callable[..., Any], arguments: Sequence[Any]) -> Candidate:
        request = dict(zip(inspect.signature(function).parameters, arguments, strict=True)).get("request")
        _check_candidate(candidate, request.task.given if request is not None else ())
        return msgspec.structs.replace(candidate, by=(self.name,))

    def _missing(self, hook: str) -> Any:
        """What counts as the answer of a call that failed, or was not made."""
        if hook == "treadle_scan":
            return self._not_looked()
        if hook == "treadle_approve" and caller_of(self.name):
            return Approval(say="ask", why=f"{self.name} could not say")  # who wants it run has chosen what it fails on
        return None

    def _not_looked(self) -> tuple[Finding, ...]:
        """What a scanner that is on answers where it is at fault, or has been too often: it must not look like one that
        found nothing."""
        return (
            Finding(
                rule=f"{self.name}-unscanned",
                path=".",
                line=0,
                severity="ask",
                message=f"the scanner {self.name!r} did not look at this: it is at fault",
                advice="`treadle plugins` says what is wrong with it; read the change yourself until then",
            ),
        )

    def _found(self, answer: tuple[Finding, ...]) -> tuple[Finding, ...]:
        found, told = in_sense(answer)
        if told:
            self._fault("treadle_scan", PluginFault(f"treadle_scan answered with {told}"), kept=True)
        return found

    # ------------------------------------------------------------ book-keeping

    def _own_context(self, arguments: Sequence[Any], position: int | None, *, apart: bool = False) -> Sequence[Any]:
        if position is None or not hasattr(arguments[position], "for_plugin"):
            return arguments
        own = arguments[position].for_plugin(self.name, apart=apart)
        return (*arguments[:position], own, *arguments[position + 1 :])

    def _begin(self, hook: str, *, counted: bool = True) -> object:
        token = object()
        with self._lock:
            self.calls += counted
            self._running[token] = Running(self.name, hook, self._clock())
        return token

    def _end(self, token: object) -> None:
        with self._lock:
            self._times.append(self._clock() - self._running.pop(token).since)
            self._blamed.discard(token)

    def _has_failed(self, hook: str) -> bool:
        """Whether it has failed too often on what the plugin that asks here has given it, to be called for it again."""
        return bool(caller_of(self.name)) and self._failed_for[askers(), hook] >= FAULTS_ALLOWED

    def _fault(self, hook: str, error: BaseException, about: str = "", *, kept: bool = False) -> None:
        told = one_line(error)
        trace = error.trace if isinstance(error, PluginFault) else trace_of(error)
        if caller := caller_of(self.name):
            with self._lock:
                self._failed_for[askers(), hook] += 1
            self._on_fault(
                Fault(plugin=self.name, hook=hook, about=about, error=told, trace=trace, kept=kept, caller=caller)
            )
            if hook != _CALL:
                return  # others are asked besides; whether what fails here is what was given, nobody knows
            # Not what the error says, which may know what was granted to this plugin alone.
            raise PluginFault(f"{about or hook} of the plugin {self.name} fails on what it was given") from None
        with self._lock:
            if self.is_off(hook):
                return  # a call that was at work when it was switched off, and ended with its process
            if isinstance(error, UsedUp):
                self._used_up.add(hook)
            last = hook in self._used_up or self._count(told=hook in TOLD) + 1 >= FAULTS_ALLOWED
            fault = Fault(
                plugin=self.name,
                hook=hook,
                about=about,
                error=told if told.startswith(about) else f"{about}: {told}",
                trace=trace,
                switched_off=last,
                kept=kept,
            )
            self.faults.append(fault)
        # Outside of the lock: whoever records a fault logs an event, which may call this plugin again.
        self._on_fault(fault)


def _checked_by_wrapper(hook: HookType, answer: object, wrapped: Any) -> Any:
    if hook.answer is types.NoneType:
        return wrapped
    if hook.first:
        return checked(hook.name, answer, hook.answer)
    if answer is None:
        raise PluginFault(f"{hook.name}: the wrapper returned nothing; write `return answer` at its end")
    return checked(hook.name, answer, list[hook.answer])  # type: ignore[name-defined]


class _Proxy:
    """Stands in a plugin's place; its functions are set as attributes."""

    def __dir__(self) -> list[str]:
        # pluggy looks at each name for a hook: only ours can be one.
        return list(vars(self))


def _position_of_context(function: Callable[..., Any]) -> int | None:
    names = list(inspect.signature(function).parameters)
    return names.index("context") if "context" in names else None
