"""The process of one plugin: started on its first call, under the sandbox, and again after a crash."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from treadle import sandbox as box
from treadle.core import errors, reach, wire
from treadle.core.context import Context
from treadle.core.errors import PluginFault, Signalled
from treadle.core.hook_types import hook_types
from treadle.core.hooks import API_VERSION
from treadle.core.places import private_folder
from treadle.core.plugin_worker import boot, messages
from treadle.core.plugin_worker.channel import Channel, HungUp
from treadle.core.plugin_worker.messages import Ask, Call, Done, FromPlugin, Hook, Raised, Ready, Reply, Start
from treadle.core.plugin_worker.remote_context import methods

START_S = 30.0
"""Seconds until the plugin must have been imported."""
DEFAULT_S = 30.0
"""Seconds for one call of a hook that has none of its own in `DEADLINES_S`; what its context does is not counted."""
DEADLINES_S: Mapping[str, float] = {
    "treadle_generate": 300.0,
    "treadle_execute": 300.0,
    "treadle_validate": 120.0,
    "treadle_plan": 120.0,
    "treadle_open_workspace": 120.0,
    "treadle_call": 300.0,
}
_GIVEN_UP_S = 2.0  # after which a call for which the session waits no more is ended with its process
_LOOK_EVERY_S = 0.25
_STOP_S = 1.0  # for an orderly end, before the process is killed
_READY = 0
# What a plugin may use; its time is bounded call by call.
_LIMITS = box.Limits(
    cpu_s=box.limits.MOST_SECONDS,
    wall_s=box.limits.MOST_SECONDS,
    memory=1 << 30,
    processes=64,
    open_files=512,
    disk=256 << 20,
    file_size=256 << 20,
    output=16 << 20,
)


# Arguments that tell what the answer to a hook may have run, or show to jobs.
_HELD_AGAINST = {"treadle_open_workspace": ("task",), "treadle_plan": ("task", "workspace")}


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """How to start a plugin: what its entry point names, by which interpreter, where to import it from, the folder that
    is its own, and what the person granted it. `in_development` as of `finding.Found`."""

    name: str
    entry: str
    interpreter: str
    folder: str
    paths: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
    environment: dict[str, str] = {}
    in_development: bool = False


class _Running(msgspec.Struct):
    """A call that has not ended. `left_s` is what it may still take, as of `since` (None while its context works)."""

    hook: str
    left_s: float
    since: float | None
    context: Context | None
    given_up: float | None = None


class PluginProcess:
    """The hooks of one plugin, called in a process of its own. Safe for several threads."""

    def __init__(
        self,
        launch: Launch,
        log: Callable[[bytes], None],
        deadlines_s: Mapping[str, float] | None = None,
        before_start: Callable[[], None] = lambda: None,
        after_start: Callable[[Ready], None] = lambda ready: None,
    ) -> None:
        """`log` is handed what the plugin writes to its standard output and standard error; `deadlines_s` are in place
        of those of `DEADLINES_S`, by hook. `before_start` is called whenever the process is about to start, and keeps
        it from that by a `PluginFault`; `after_start` is told what the process said of itself then."""
        self.launch = launch
        self._log = log
        self._deadlines_s = {**DEADLINES_S, **(deadlines_s or {})}
        self._before_start, self._after_start = before_start, after_start
        self._starting = threading.Lock()
        self._live: _Live | None = None

    def start(self) -> Ready:
        """Start it if it does not run; what it said of itself. Raises `PluginFault` when it can't be started."""
        with self._starting:
            if self._live is None or self._live.is_over:
                self._before_start()
                self._live = _Live(self.launch, self._log)
                self._after_start(self._live.ready)
            return self._live.ready

    def function(self, hook: Hook) -> Callable[..., Any]:
        """A function that pluggy can call in the place of the plugin's own: it takes the same arguments. Raises
        `PluginFault` for a hook, or an argument of it, that there is not."""
        kind = hook_types().get(hook.hook)
        if kind is None or not set(hook.arguments) <= kind.arguments.keys():
            raise PluginFault(f"it answers {hook.hook}({', '.join(hook.arguments)}), and there is no such hook")
        # pluggy reads the names from the function's code. They have just been found to be a hook's own. What the answer
        # is held against is asked for besides, and not sent.
        names = ", ".join(dict.fromkeys((*hook.arguments, *_HELD_AGAINST.get(hook.hook, ()))))
        source = f"lambda {names}: call(hook, locals())"
        function: Callable[..., Any] = eval(source, {"call": self._call, "hook": hook})
        return function

    def close(self) -> None:
        """Let it end, or kill it with all that it started; the next call would start it again."""
        with self._starting:
            live, self._live = self._live, None
        if live is not None:
            live.close()

    def _call(self, hook: Hook, arguments: Mapping[str, Any]) -> Any:
        self.start()
        live = self._live
        if live is None:
            raise PluginFault("its process is being ended")
        limit_s = self._deadlines_s.get(hook.hook, DEFAULT_S)
        answer = live.call(hook, [arguments[name] for name in hook.arguments], limit_s)
        _check_reach(hook.hook, answer, arguments, self.launch.folder)
        return answer


class _Live:
    """One run of the process. Raises `PluginFault` when it can't be started."""

    def __init__(self, launch: Launch, log: Callable[[bytes], None]) -> None:
        self._launch = launch
        self._log = log
        self._cancel = threading.Event()
        self._over = threading.Event()
        self._result: box.Result | None = None
        self._why = ""  # why we ended it
        self._running: dict[int, _Running] = {}
        self._numbers = itertools.count(_READY + 1)
        ours, self._theirs = socket.socketpair()
        self._connection = ours
        self._channel: Channel[Any] = Channel(ours, FromPlugin, _address)
        name = f"treadle-plugin-{launch.name}"
        threading.Thread(target=self._run, name=name, daemon=True).start()
        threading.Thread(target=self._watch, name=f"{name}-watch", daemon=True).start()
        self.ready = self._shake_hands()

    @property
    def is_over(self) -> bool:
        """Whether the process has ended, or is about to."""
        return self._over.is_set() or bool(self._why)

    def call(self, hook: Hook, arguments: Sequence[Any], limit_s: float) -> Any:
        """Call one function of the plugin. Raises what the plugin raised: `Signalled` errors as they are, all else as a
        `PluginFault`."""
        kinds = hook_types()[hook.hook]
        context: Context | None = None
        packed = []
        for name, value in zip(hook.arguments, arguments, strict=True):
            if name == "context":
                context = value
            else:
                packed.append(msgspec.Raw(wire.pack(value)))
        number = next(self._numbers)
        running = self._running[number] = _Running(hook.hook, limit_s, time.monotonic(), context)
        self._channel.open(number)
        try:
            self._channel.send(Call(number, hook.hook, hook.name, tuple(packed)))
            while not isinstance(message := self._channel.wait(number), Done):
                self._channel.send(self._reply(message, running))
        except HungUp as error:
            raise PluginFault(self._what_happened(error)) from None
        finally:
            self._channel.close(number)
            del self._running[number]
        if message.raised:
            raise _error(message.raised)
        return None if kinds.answer is type(None) else wire.unpack(bytes(message.answer), kinds.answer | None)

    def close(self) -> None:
        """End it: it sees the end of its connection, and is killed when it takes its time."""
        self._why = self._why or "it was ended"
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        if not self._over.wait(_STOP_S):
            self._cancel.set()
            self._over.wait()
        self._connection.close()

    # ------------------------------------------------------------ its start and its end

    def _run(self) -> None:
        launch = self._launch
        policy = box.Policy(
            read=(*boot.readable(), *launch.paths, *launch.read),
            write=(str(private_folder(Path(launch.folder))), *launch.write),
            network="host" if launch.network else "none",
        )
        developed = boot.top_name(launch.entry) if launch.in_development else ""
        try:
            with self._theirs:
                self._result = box.run(
                    boot.command(launch.interpreter, launch.paths, developed),
                    policy=policy,
                    limits=_LIMITS,
                    env=launch.environment,
                    stdin=self._theirs,
                    on_output=lambda _, data: self._log(data),
                    cancel=self._cancel,
                )
        finally:
            self._over.set()

    def _shake_hands(self) -> Ready:
        self._channel.open(_READY)
        self._running[_READY] = _Running("its start", START_S, time.monotonic(), None)
        try:
            self._channel.send(Start(messages.PROTOCOL, API_VERSION, self._launch.name, self._launch.entry))
            ready = self._channel.wait(_READY)
        except HungUp as error:
            raise PluginFault(self._what_happened(error)) from None
        finally:
            self._channel.close(_READY)
            del self._running[_READY]
        self._theirs.close()  # it has its own now; when it closes that, we are to see it
        if not isinstance(ready, Ready) or ready.protocol != messages.PROTOCOL:
            self._end("it speaks another version of the protocol")
            raise PluginFault(f"{self._why}; reinstall it for this version of Treadle")
        if ready.failed:
            self.close()
            raise PluginFault(ready.failed, ready.trace)
        return ready

    def _end(self, why: str) -> None:
        self._why = self._why or why
        self._cancel.set()

    def _watch(self) -> None:
        """End the process when a call takes longer than it may: nothing that it does can hold that up."""
        while not self._over.wait(_LOOK_EVERY_S):
            now = time.monotonic()
            for running in list(self._running.values()):
                if running.since is not None and now - running.since > running.left_s:
                    self._end(f"it took longer than {running.left_s:.3g} s")
                elif running.context is not None and running.context.cancelled():
                    running.given_up = running.given_up or now
                    if now - running.given_up > _GIVEN_UP_S:
                        self._end("it did not stop when it was asked to")

    def _what_happened(self, error: HungUp) -> str:
        self._cancel.set()
        self._over.wait()
        if self._why:
            return self._why
        result = self._result
        if result is None:
            return f"its process could not be run: {error}"
        if result.verdict == "refused":
            return f"its process can't be started: {result.message}"
        if result.verdict not in ("ok", "error", "killed"):
            return f"its process used more than its limit of {result.verdict}"
        if result.signal and result.verdict == "error":
            return f"its process was ended by signal {result.signal}"
        if result.exit_code is not None:
            return f"its process exited with code {result.exit_code}{_last_line(result)}"
        return str(error)

    # ------------------------------------------------------------ what it asks of its context

    def _reply(self, ask: Ask, running: _Running) -> Reply:
        began = time.monotonic()
        if running.since is not None:
            running.left_s -= began - running.since
        running.since = None
        try:
            return Reply(ask.id, _asked(ask, running.context))
        except Exception as error:  # noqa: BLE001 - handed to the plugin, which asked for it
            return Reply(ask.id, messages.NOTHING, Raised(type(error).__name__, str(error)))
        finally:
            running.since = time.monotonic()


def _check_reach(hook: str, answer: Any, arguments: Mapping[str, Any], own: str) -> None:
    if answer is None or hook not in _HELD_AGAINST:
        return
    task = arguments["task"]
    if hook == "treadle_plan":
        reach.check_jobs(answer.checks, arguments["workspace"], task.python)
    else:
        reach.check_workspace(answer, task.project)


def _asked(ask: Ask, context: Context | None) -> msgspec.Raw:
    method = methods().get(ask.method)
    if method is None or context is None:
        raise PluginFault(f"there is no {ask.method!r} here")
    values, fields = method.unpack(ask.arguments)
    return msgspec.Raw(wire.pack(getattr(context, ask.method)(*values, **fields)))


def _address(message: Any) -> int:
    if isinstance(message, Ready):
        return _READY
    return int(message.call if isinstance(message, Ask) else message.id)


def _error(raised: Raised) -> Exception:
    kind = getattr(errors, raised.kind, None)
    if kind is not None and issubclass(kind, Signalled):
        found: Exception = kind(raised.text)
        return found
    return PluginFault(raised.text, raised.trace)


def _last_line(result: box.Result) -> str:
    lines = result.stderr.data.decode(errors="replace").strip().splitlines()
    return f": {lines[-1][:300]}" if lines else ""
