"""A server as the harness sees it: started, asked, cancelled, ended."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treadle.sandbox import frames
from treadle.sandbox.input import Input
from treadle.sandbox.launching import launch
from treadle.sandbox.policy import SYSTEM_PATHS, Policy
from treadle.sandbox.result import Result, Stream

OnOutput = Callable[[int, bytes], None]

_START_S = 60.0
_LATE_S = 10.0  # past a job's own wall limit, after which the server is taken for stuck
_CANCEL_POLL_S = 0.02


class ServerDied(Exception):
    """The server ended, or could not be started; its text says what is known."""


@dataclass(frozen=True)
class Setup:
    """All that a server is started for; servers with equal setups are interchangeable. `python` "" serves commands
    alone; `folders` must exist in the view even if nothing is bound there."""

    policy: Policy
    readable: tuple[str, ...]
    python: str = ""
    preload: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    folders: tuple[str, ...] = ()

    def identities(self) -> list[tuple[int, int]]:
        """(device, inode) of each path that a server binds, (0, 0) where there is nothing: when one of them is another
        file than at its start, the server still shows the old one."""
        overlay = self.policy.overlay
        own = [path for path in self.readable if path not in SYSTEM_PATHS]
        own += [
            *self.policy.write,
            *((overlay.lower, overlay.upper or "/") if overlay else ()),
        ]
        return [_identity(path) for path in own]


def _identity(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


@dataclass(eq=False)
class ServerProcess:
    """One running server. Not for use by two threads at once."""

    setup: Setup
    process: subprocess.Popen[bytes]
    connection: socket.socket
    parent: str | None
    layers: tuple[str, ...] = ()
    off: dict[str, str] = field(default_factory=dict)
    abi: int = 0
    shown: list[tuple[int, int]] = field(default_factory=list)
    _sending: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        _all.add(self)

    def ask(
        self,
        header: frames.Header,
        blobs: list[bytes],
        cancel: threading.Event | None = None,
        on_output: OnOutput | None = None,
        stdin: Input | socket.socket | None = None,
    ) -> Result:
        """Run one job; what is written to `stdin` meanwhile, it reads after the input that the header came with. Raises
        ServerDied when the server ends or gets stuck meanwhile."""
        header |= {
            "streaming": on_output is not None,
            "live": isinstance(stdin, Input),
            "socket": isinstance(stdin, socket.socket),
        }
        try:
            self._send(frames.encode(header, blobs))
            if isinstance(stdin, socket.socket):
                frames.send_descriptor(self.connection, stdin.fileno())
        except OSError as error:
            raise ServerDied(f"the sandbox's server has ended: {error.strerror}") from error
        if not isinstance(stdin, Input):
            return self._hear_out(header, cancel, on_output, None)
        stdin.begin(self._send)
        try:
            return self._hear_out(header, cancel, on_output, stdin)
        finally:
            stdin.end()

    def _send(self, frame: bytes) -> None:
        with self._sending:
            self.connection.sendall(frame)

    def _hear_out(
        self,
        header: frames.Header,
        cancel: threading.Event | None,
        on_output: OnOutput | None,
        stdin: Input | None,
    ) -> Result:
        deadline = time.monotonic() + header["limits"]["wall_s"] + _LATE_S
        cancelled = False
        while True:
            if cancel is not None and cancel.is_set() and not cancelled:
                cancelled = True
                with contextlib.suppress(OSError):
                    self._send(frames.encode({"cancel": True}))
            if not self._arrives(
                _CANCEL_POLL_S if cancel is not None and not cancelled else deadline - time.monotonic()
            ):
                if time.monotonic() > deadline:
                    raise ServerDied("the sandbox's server did not answer in time")
                continue
            frame = frames.read(self.connection)
            if frame is None:
                raise ServerDied(f"the sandbox's server ended while the job ran{self.last_words()}")
            answer, parts = frame
            if "stream" in answer:
                if on_output is not None:
                    on_output(answer["stream"], parts[0])
            elif "taken" in answer:
                if stdin is not None:
                    stdin.taken(answer["taken"])
            else:
                return self._result(answer, parts)

    def _arrives(self, seconds: float) -> bool:
        poll = select.poll()  # select() takes no descriptor past 1023
        poll.register(self.connection, select.POLLIN)
        return bool(poll.poll(max(0.0, seconds) * 1000))

    def _result(self, answer: dict[str, Any], parts: list[bytes]) -> Result:
        if "refused" in answer:
            return Result("refused", layers=self.layers, message=answer["refused"])
        out, err = answer["dropped"]
        return Result(
            verdict=answer["verdict"],
            exit_code=answer["exit_code"],
            signal=answer["signal"],
            stdout=Stream(parts[0], parts[1], out),
            stderr=Stream(parts[2], parts[3], err),
            cpu_s=answer["cpu_s"],
            wall_s=answer["wall_s"],
            peak_memory=answer["peak_memory"],
            layers=self.layers,
            files=dict(zip(answer["files"], parts[4:], strict=True)),
            message=answer["message"],
        )

    def is_ready(self, cancel: threading.Event | None) -> bool:
        """Wait until it says hello; False when it takes too long, or is cancelled."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline and not (cancel is not None and cancel.is_set()):
            if self._arrives(_CANCEL_POLL_S):
                return True
        return False

    def is_usable(self) -> bool:
        """Whether it still runs, has not closed its end, and shows what lies at its paths today."""
        return self.process.poll() is None and not self._arrives(0) and self.shown == self.setup.identities()

    def last_words(self) -> str:
        """What it left on its standard error, on a line of its own; "" when it left nothing."""
        pipe = self.process.stderr
        if pipe is None:
            return ""
        os.set_blocking(pipe.fileno(), False)
        try:
            said = os.read(pipe.fileno(), 65536).decode(errors="replace").strip()
        except BlockingIOError:
            return ""
        return f"\n{said[-2000:]}" if said else ""

    def close(self) -> None:
        """End it and all that runs under it; returns when it is gone."""
        self.connection.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        if self.parent:
            # A job can nest folders deeper than shutil.rmtree can walk.
            subprocess.run(["/bin/rm", "-rf", "--", self.parent], stderr=subprocess.DEVNULL, check=False)


_all: weakref.WeakSet[ServerProcess] = weakref.WeakSet()


def _let_go_in_fork() -> None:
    """In a fork of this process: the servers are the other one's, and wait for the end of its connection."""
    for server in list(_all):
        server.connection.close()


os.register_at_fork(after_in_child=_let_go_in_fork)


def start(setup: Setup, cancel: threading.Event | None = None) -> ServerProcess:
    """A server for this setup, with all layers that this machine allows. Raises ServerDied, at once when `cancel` is
    set meanwhile, or when a folder of the setup is none."""
    _check_folders(setup)
    without = dict.fromkeys(setup.policy.without, "")
    while True:
        try:
            server, hello = _start_once(setup, without, cancel)
        except OSError as error:
            raise ServerDied(f"the sandbox's server can't be started: {error}") from error
        if "failed_layer" in hello and hello["failed_layer"] not in without:
            server.close()
            without[hello["failed_layer"]] = hello["why"]
            continue
        if "on" not in hello:
            said = server.last_words()
            server.close()
            raise ServerDied(f"the sandbox can't start: {hello.get('failed') or hello.get('why')}{said}")
        if hello["project_code"]:
            # What was imported ahead turned out to be the project's own: jobs must import it themselves.
            server.close()
            setup = replace(setup, preload=())
            continue
        server.layers, server.off, server.abi = tuple(hello["on"]), hello["off"], hello["abi"]
        return server


def _check_folders(setup: Setup) -> None:
    """Raise ServerDied for a folder that is none. What is below the overlay may be there for jobs alone."""
    overlay = setup.policy.overlay
    lower = overlay.lower.rstrip("/") + "/" if overlay else None
    folders = [("working folder", f) for f in setup.folders if lower is None or not f"{f}/".startswith(lower)]
    folders += [("folder of the overlay", overlay.lower)] if overlay else []
    for what, folder in folders:
        try:
            why = "" if stat.S_ISDIR(os.stat(folder).st_mode) else "is no folder"
        except (FileNotFoundError, NotADirectoryError):
            why = "does not exist"
        except OSError:
            why = ""  # who may not look at it, can't say
        if why:
            raise ServerDied(f"the {what} {folder} {why}")


def _start_once(
    setup: Setup, without: dict[str, str], cancel: threading.Event | None
) -> tuple[ServerProcess, dict[str, Any]]:
    policy = setup.policy
    needs_folder = "mountns" in without or "userns" in without or sys.platform != "linux"
    overlay = policy.overlay
    upper = os.path.realpath(overlay.upper) if overlay and overlay.upper else None
    if upper:
        for folder in (upper, upper + ".work"):
            Path(folder).mkdir(parents=True, exist_ok=True)
    parent = tempfile.mkdtemp(prefix="treadle-") if needs_folder else None
    launched = launch()
    server = ServerProcess(setup, launched.process, launched.connection, parent, shown=setup.identities())
    config = {
        "without": without,
        "network": policy.network,
        "readable": list(setup.readable),
        "writable": list(policy.write),
        "exact": list(policy.exact),
        "aliases": list(policy.aliases),
        "overlay": overlay.lower if overlay else None,
        "upper": upper,
        "folders": list(setup.folders),
        "parent": os.path.realpath(parent) if parent else "",
        "python": setup.python,
        "preload": list(setup.preload),
        "env": dict(setup.env),
    }
    try:
        server.connection.sendall(frames.encode(config))
        hello = frames.read(server.connection) if server.is_ready(cancel) else None
    except OSError:
        hello = None
    return server, hello[0] if hello else {"failed": "its server ended before it was ready"}
