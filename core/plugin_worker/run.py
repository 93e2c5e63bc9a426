"""One run of a plugin's process: its start under the sandbox, its calls, and its end, whatever it does."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from treadle import sandbox as box
from treadle.core import wire
from treadle.core.context import Context
from treadle.core.errors import PluginFault
from treadle.core.hooks import API_VERSION
from treadle.core.one_line import one_line
from treadle.core.places import private_folder
from treadle.core.plugin_worker import boot, messages
from treadle.core.plugin_worker.asked import Asked, refusal
from treadle.core.plugin_worker.channel import Channel, HungUp
from treadle.core.plugin_worker.incoming import answer_of, error_of, fit, ready_of
from treadle.core.plugin_worker.messages import Ask, AtWork, Call, Done, Hook, Ready, Start
from treadle.core.plugin_worker.turns import NotBegun, Turn, Turns
from treadle.core.wall import OBSERVERS

START_S = 20.0
"""Seconds until the plugin must have been imported, where nobody set others."""
SLOW_START_S = 3.0
"""Seconds of a start after which whoever waits for it is told so."""
_LOOK_EVERY_S = 0.25
_STOP_S = 1.0  # for an orderly end, before the process is killed
_OWN_END_S = 0.5  # for the end of one whose connection has closed
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


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """How to start a plugin: what its entry point names, by which interpreter, where to import it from, what of that it
    can read (`code`, real paths where it is in development), the folder that is its own, what the person granted it by
    real paths (`aliases` as of `sandbox.Policy`), and the seconds until it must have been imported.
    `in_development` as of `finding.Found`."""

    name: str
    entry: str
    interpreter: str
    folder: str
    paths: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    network: bool = False
    start_s: float = START_S
    environment: dict[str, str] = {}
    in_development: bool = False


class Unsendable(Exception):
    """The arguments of a call can't be sent; its text says why."""


class Run:
    """It starts when this is made, in threads of its own. Safe for several threads."""

    def __init__(
        self,
        launch: Launch,
        log: Callable[[bytes], None],
        after_start: Callable[[Ready], None] = lambda ready: None,
        on_slow_start: Callable[[], None] = lambda: None,
    ) -> None:
        """`log`, `after_start` and `on_slow_start` as of `PluginProcess`."""
        self._launch = launch
        self._log = log
        self._after_start = after_start
        self._on_slow_start = on_slow_start
        self._cancel = threading.Event()
        self._over = threading.Event()
        self._result: box.Result | None = None
        self._why = ""  # why we ended it
        self._turns = Turns()
        self._numbers = itertools.count(_READY + 1)
        self._connection, self._theirs = socket.socketpair()
        self._channel: Channel[Any] = Channel(self._connection, Ready, _address, messages.MOST_TOLD)
        self._shaken = threading.Event()
        self._ready: Ready | None = None
        self._failed = PluginFault("its process was not started")
        start = Turn(launch.start_s, what="its start", mend="`plugin_start_s` in the settings gives it more")
        self._turns.begin(start)
        name = f"treadle-plugin-{launch.name}"
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(self._end, "it could not be started")
            threading.Thread(target=self._watch, name=f"{name}-watch", daemon=True).start()
            threading.Thread(target=self._run, name=name, daemon=True).start()
            threading.Thread(target=self._start, name=f"{name}-start", args=(start,), daemon=True).start()
            on_failure.pop_all()

    @property
    def is_over(self) -> bool:
        """Whether the process has ended, or is about to."""
        return self._over.is_set() or bool(self._why)

    def ready(self) -> Ready:
        """What it says of itself when it has started. Raises `PluginFault` when it could not."""
        self._shaken.wait()
        if self._ready is None:
            raise PluginFault(str(self._failed), self._failed.trace)
        return self._ready

    def call(
        self,
        hook: Hook,
        arguments: Sequence[Any],
        context: Context | None,
        limit_s: float,
        contribution: str = "",
        worked: Callable[[str, float], None] = lambda hook, seconds: None,
    ) -> Any:
        """Call one function of the plugin; its context apart from its other arguments, `contribution` as of `Call`.
        `worked` is told how long the call was worked on, however it ends.
        Raises what the session said by that context as it was said, what the plugin may say itself, and all else as a
        `PluginFault`. Where the plugin has not been called: `Unsendable`, `NotBegun` and `Left` as `Turns.begin`."""
        number = next(self._numbers)
        frame = _packed(number, hook, arguments, contribution)
        own = context if "context" in hook.arguments else None
        # An observer may be called because the session stops: one that can't be asked to stop has its whole time.
        is_observer = hook.hook in OBSERVERS
        turn = Turn(limit_s, own if is_observer else context, is_patient=is_observer)
        asked = Asked(own, lambda: self._turns.asking(turn))
        try:
            self._turns.begin(turn)
        except NotBegun:
            self.ready()  # raises where it could not be started
            raise
        is_given_up = True
        try:
            self._channel.open(number)
            self._channel.send_frame(frame)
            while not isinstance(message := self._channel.wait(number), Done):
                self._answer(message, asked)
            is_given_up = False
        except HungUp as error:
            is_given_up = False
            raise PluginFault(self._what_happened(error)) from None
        finally:
            if is_given_up:
                # The plugin is still in the middle of that call, and would never leave it.
                self._end("a call to it was given up")
            self._channel.close(number)
            self._turns.end(turn)
            worked(hook.hook, turn.worked_s)
            self._let_go()
        if message.raised:
            raise error_of(hook.hook, message.raised, asked.signals)
        return answer_of(hook.hook, message.answer)

    def close(self) -> None:
        """End it: it sees the end of its connection, and is killed when it takes its time, or is just starting."""
        self._why = self._why or "it was ended"
        if not self._shaken.is_set():
            self._cancel.set()
        self._stop()

    # ------------------------------------------------------------ its start and its end

    def _run(self) -> None:
        try:
            self._result = self._run_boxed()
        except Exception as error:  # noqa: BLE001 - told to whoever waits for the process
            self._why = self._why or f"its process could not be run: {one_line(error)}"
        finally:
            self._theirs.close()
            self._turns.close()
            self._over.set()
            self._let_go()

    def _run_boxed(self) -> box.Result:
        launch = self._launch
        policy = box.Policy(
            read=(*boot.readable(), *launch.code, *launch.read),
            write=(str(private_folder(Path(launch.folder))), *launch.write),
            exact=frozenset((*(launch.code if launch.in_development else ()), *launch.read, *launch.write)),
            aliases=launch.aliases,
            network="host" if launch.network else "none",
        )
        return box.run(
            boot.command(
                launch.interpreter, launch.paths, boot.top_name(launch.entry) if launch.in_development else ""
            ),
            policy=policy,
            limits=_LIMITS,
            env=launch.environment,
            stdin=self._theirs,
            on_output=lambda _, data: self._log(data),
            cancel=self._cancel,
        )

    def _start(self, turn: Turn) -> None:
        try:
            ready = self._shake_hands()
            if ready.failed:
                raise PluginFault(ready.failed, ready.trace)
            self._after_start(ready)
            self._ready = ready
        except HungUp as error:
            self._failed = PluginFault(self._what_happened(error))
        except PluginFault as error:
            self._failed = error
            self._why = self._why or str(error)
            self._stop()
        finally:
            if self._ready is None:
                self._end("it could not be started")
            self._shaken.set()
            self._turns.end(turn)
            self._let_go()

    def _shake_hands(self) -> Ready:
        self._channel.open(_READY)
        self._channel.send(Start(messages.PROTOCOL, API_VERSION, self._launch.name, self._launch.entry))
        ready = self._channel.wait(_READY)
        self._channel.close(_READY)
        self._channel.expect(AtWork, messages.MOST)
        self._theirs.close()  # it has its own now; when it closes that, we are to see it
        return ready_of(ready)

    def _stop(self) -> None:
        self._turns.close()
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        if not self._over.wait(_STOP_S):
            self._cancel.set()
            self._over.wait()
        self._let_go()

    def _let_go(self) -> None:
        """Give the connection's descriptor back when the process is over, and nobody reads what it said before."""
        if self._over.is_set() and self._turns.is_idle:
            self._connection.close()

    def _end(self, why: str) -> None:
        self._why = self._why or why
        self._cancel.set()
        self._turns.close()

    def _watch(self) -> None:
        """End the process when a call takes longer than it may: nothing that it does can hold that up."""
        name = f"treadle-plugin-{self._launch.name}"
        slow_at = time.monotonic() + SLOW_START_S
        is_told = False
        try:
            while not self._over.wait(_LOOK_EVERY_S):
                if not is_told and not self._shaken.is_set() and time.monotonic() > slow_at:
                    is_told = True  # elsewhere: whoever is told may take their time, and this watch must go on
                    threading.Thread(target=self._on_slow_start, name=f"{name}-slow", daemon=True).start()
                if why := self._turns.overdue():
                    self._end(why)
        finally:
            if not self._over.is_set():
                self._end("nobody watched over it any more")

    def _what_happened(self, error: HungUp) -> str:
        self._over.wait(_OWN_END_S)  # killed at once, it could not be told from one that ended by itself
        self._cancel.set()
        self._over.wait()
        if self._why:
            return self._why
        result = self._result
        if result is None:
            return f"its process could not be run: {fit(str(error))}"
        if result.verdict == "refused":
            return f"its process can't be started: {result.message}"
        if result.verdict not in ("ok", "error", "killed"):
            return f"its process used more than its limit of {result.verdict}"
        if result.signal and result.verdict == "error":
            return f"its process was ended by signal {result.signal}"
        if result.exit_code is not None:
            return f"its process exited with code {result.exit_code}{_last_line(result)}"
        return fit(str(error))

    # ------------------------------------------------------------ what it asks of its context

    def _answer(self, ask: Ask, asked: Asked) -> None:
        try:
            self._channel.send(asked.reply(ask))
        except ValueError as error:  # what its context answered is too large
            self._channel.send(refusal(ask, error))


def _packed(number: int, hook: Hook, arguments: Sequence[Any], contribution: str) -> bytes:
    try:
        packed = tuple(msgspec.Raw(wire.pack(value)) for value in arguments)
        return messages.encode(Call(number, hook.hook, hook.name, packed, contribution))
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        raise Unsendable(one_line(error)) from None


def _address(message: Any) -> int:
    if isinstance(message, Ready):
        return _READY
    return int(message.call if isinstance(message, Ask) else message.id)


def _last_line(result: box.Result) -> str:
    lines = result.stderr.data.decode(errors="replace").strip().splitlines()
    return f": {fit(lines[-1][:300])}" if lines else ""
