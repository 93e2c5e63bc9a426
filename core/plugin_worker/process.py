"""The process of one plugin: started on its first call, under the sandbox, and again after a crash."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from treadle.core import reach
from treadle.core.called_for import caller_of
from treadle.core.contributions import SPOKEN
from treadle.core.durations import in_seconds
from treadle.core.errors import PluginFault, SafetyRefusal, StageTimeout, UsedUp
from treadle.core.hook_types import hook_types
from treadle.core.plugin_worker.incoming import fit
from treadle.core.plugin_worker.messages import Hook, Ready
from treadle.core.plugin_worker.run import Launch, Run, Unsendable
from treadle.core.plugin_worker.turns import Left, NotBegun
from treadle.core.records import Limits

__all__ = ["DEADLINES_S", "DEFAULT_S", "Launch", "PluginProcess"]

_EVENT = "treadle_event"
DEFAULT_S = 30.0
"""Seconds for one call of a hook that has none of its own in `DEADLINES_S`; what its context does is not counted."""
DEADLINES_S: Mapping[str, float] = {
    "treadle_generate": 300.0,
    "treadle_execute": 300.0,
    "treadle_validate": 120.0,
    "treadle_plan": 120.0,
    "treadle_open_workspace": 120.0,
    "treadle_call": 300.0,
    # A person waits for these, who are told something and have nothing to answer.
    "treadle_start": 10.0,
    "treadle_close_workspace": 10.0,
    "treadle_stop": 10.0,
    # Whoever has something logged waits for these.
    _EVENT: 2.0,
}
MOST_OF_EVENTS_S = 20.0
"""Seconds for all calls of `treadle_event` together: a session has hundreds of them."""
# Arguments that tell what the answer to a hook may have run, or show to jobs, or be.
_HELD_AGAINST = {
    "treadle_open_workspace": ("task",),
    "treadle_plan": ("task", "workspace"),
    "treadle_call": ("kind",),
}
# A change that one of these could not look at is not taken for one in which it found nothing.
_LOOKS = frozenset({"treadle_scan", "treadle_validate"})


class PluginProcess:
    """The hooks of one plugin, called in a process of its own. Safe for several threads."""

    def __init__(
        self,
        launch: Launch,
        log: Callable[[bytes], None],
        deadlines_s: Mapping[str, float] | None = None,
        before_start: Callable[[Launch], Launch] = lambda launch: launch,
        after_start: Callable[[Ready], None] = lambda ready: None,
        on_slow_start: Callable[[], None] = lambda: None,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
    ) -> None:
        """`log` is handed what the plugin writes to its standard output and standard error; `deadlines_s` are in place
        of those of `DEADLINES_S`, by hook. `before_start` answers, whenever the process is about to start, what to
        start, and keeps it from that by a `PluginFault`; `after_start` is told what the process said of itself then.
        `on_slow_start` is called, once and in a thread of its own, when a start takes so long that a person should know
        of it. `limits` are those of the session, and no job of the plugin has others that are beyond them."""
        self.launch = launch
        self._log = log
        self._deadlines_s = {**DEADLINES_S, **(deadlines_s or {})}
        self._before_start, self._after_start = before_start, after_start
        self._on_slow_start = on_slow_start
        self._limits = limits
        self._changing = threading.Lock()  # guards the two below, and is held for no longer than that takes
        self._run: Run | None = None
        self._is_closed = False
        self._of_events_s = 0.0

    def limit_s(self, hook: str) -> float:
        """Seconds for one call of the hook."""
        return self._deadlines_s.get(hook, DEFAULT_S)

    def turn_s(self, hook: str) -> float:
        """Seconds in which the hook is called when that begins now, with a start, which it may need: its process can
        have ended, or be about to."""
        return self.limit_s(hook) + self.launch.start_s

    def start(self) -> Ready:
        """Start it if it does not run; what it said of itself. Raises `PluginFault` when it can't be started."""
        return self._running().ready()

    def function(self, hook: Hook) -> Callable[..., Any]:
        """A function that pluggy can call in the place of the plugin's own: it takes the same arguments. Raises
        `PluginFault` for a hook, or an argument of it, that there is not."""
        kind = hook_types().get(hook.hook)
        if kind is None or not set(hook.arguments) <= kind.arguments.keys():
            said = fit(f"{hook.hook}({', '.join(hook.arguments)})")
            raise PluginFault(f"it answers {said}, and there is no such hook")
        # pluggy reads the names from the function's code. They have just been found to be a hook's own. What the answer
        # is held against, and what tells that nobody waits any more, is asked for besides, and not sent.
        besides = (*_HELD_AGAINST.get(hook.hook, ()), *({"context"} & kind.arguments.keys()))
        code = _calling_code(tuple(dict.fromkeys((*hook.arguments, *besides))))
        function: Callable[..., Any] = eval(code, {"call": self._call, "hook": hook})
        return function

    def close(self) -> None:
        """Let it end, or kill it with all that it started, also while it starts. It is not started again."""
        with self._changing:
            self._is_closed = True
            run = self._run
        if run is not None:
            run.close()

    def _running(self) -> Run:
        while True:
            with self._changing:
                before = self._open_run()
            if before is not None and not before.is_over:
                return before
            launch = self._before_start(self.launch)  # which may read all the files of an environment
            with self._changing:
                if self._open_run() is before:  # else another thread has started it meanwhile
                    self._run = Run(launch, self._log, self._after_start, self._on_slow_start)
                    return self._run

    def _open_run(self) -> Run | None:
        if self._is_closed:
            raise PluginFault("its process has been ended")
        return self._run

    def _call(self, hook: Hook, arguments: Mapping[str, Any]) -> Any:
        values = [arguments[name] for name in hook.arguments if name != "context"]
        limit_s = self._left_s(hook.hook)
        contribution = kind if hook.hook == "treadle_call" and (kind := arguments["kind"]) in SPOKEN else ""
        while True:
            try:
                run = self._running()
                answer = run.call(hook, values, arguments.get("context"), limit_s, contribution, self._worked)
                break
            except NotBegun:  # it was ended for another call
                continue
            except Unsendable as error:
                if hook.hook not in _LOOKS:
                    self._log(f"{hook.hook} was not called: {error}\n".encode(errors="backslashreplace"))
                    return None  # which is no fault of the plugin
                raise SafetyRefusal(
                    f"{hook.hook} of {self.launch.name} can't be called: what it is to look at can't be sent to it "
                    f"({error}); make the change smaller, or `treadle plugin disable {self.launch.name}`"
                ) from None
            except Left as error:
                raise StageTimeout(f"{hook.hook} of {self.launch.name} was not called: {error}") from None
        return _within_reach(hook.hook, answer, arguments, self._limits)

    def _left_s(self, hook: str) -> float:
        if hook == _EVENT and self._of_events_s >= MOST_OF_EVENTS_S:
            raise UsedUp(f"{hook} has taken {in_seconds(MOST_OF_EVENTS_S)} in all, which is the most")
        return self.limit_s(hook)

    def _worked(self, hook: str, seconds: float) -> None:
        if hook == _EVENT and not caller_of(self.launch.name):  # else another plugin has said so much
            with self._changing:
                self._of_events_s += seconds


@functools.lru_cache
def _calling_code(names: tuple[str, ...]) -> types.CodeType:
    return compile(f"lambda {', '.join(names)}: call(hook, locals())", "<a plugin's hook>", "eval")


def _within_reach(hook: str, answer: Any, arguments: Mapping[str, Any], limits: Limits) -> Any:
    if answer is None:
        return None
    if hook == "treadle_plan":
        reach.check_jobs(answer.checks, arguments["workspace"], arguments["task"].python)
        try:
            return msgspec.structs.replace(answer, checks=reach.bounded(answer.checks, limits))
        except ValueError as error:
            raise PluginFault(f"treadle_plan: {error}") from None
    if hook == "treadle_open_workspace":
        reach.check_workspace(answer, arguments["task"].project)
    return answer
