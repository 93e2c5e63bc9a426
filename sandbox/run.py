"""Run one command in the sandbox."""

from __future__ import annotations

import atexit
import os
import socket
import threading
from collections.abc import Mapping, Sequence

from treadle.sandbox.execution import died, execute
from treadle.sandbox.input import Input
from treadle.sandbox.interpreter import find_program, read_paths
from treadle.sandbox.job import Command, Files, environment
from treadle.sandbox.launching import discard_prepared
from treadle.sandbox.limits import Limits
from treadle.sandbox.policy import Policy
from treadle.sandbox.result import Result
from treadle.sandbox.server_process import OnOutput, ServerDied, ServerProcess, Setup, start

_MOST_IDLE = 2


class _IdleServers:
    """Servers that wait for the next command with the same setup; starting one costs more than most commands."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: list[ServerProcess] = []

    def take(self, setup: Setup, cancel: threading.Event | None) -> ServerProcess:
        with self._lock:
            for server in self._servers:
                if server.setup == setup:
                    self._servers.remove(server)
                    break
            else:
                server = None
        if server is not None:
            if server.is_usable():
                return server
            server.close()
        return start(setup, cancel)

    def give_back(self, server: ServerProcess) -> None:
        with self._lock:
            self._servers.append(server)
            surplus = self._servers[:-_MOST_IDLE]
            del self._servers[:-_MOST_IDLE]
        for old in surplus:
            old.close()

    def forget(self) -> None:
        """In a fork of this process: the servers are the other one's."""
        self._lock = threading.Lock()
        self._servers = []

    def close(self) -> None:
        with self._lock:
            servers, self._servers = self._servers, []
        for server in servers:
            server.close()


_idle = _IdleServers()
os.register_at_fork(after_in_child=_idle.forget)


def close_idle() -> None:
    """End the servers that wait for further commands, and the one that `prepare` launched; the next `run` starts a new
    one."""
    _idle.close()
    discard_prepared()


atexit.register(close_idle)


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: str | os.PathLike[str] | None = None,
    policy: Policy | None = None,
    limits: Limits | None = None,
    stdin: bytes | Input | socket.socket = b"",
    env: Mapping[str, str] | None = None,
    files: Files | None = None,
    collect: Sequence[str] = (),
    on_output: OnOutput | None = None,
    cancel: threading.Event | None = None,
    program_paths: Sequence[str] | None = None,
) -> Result:
    """Run a command so that it can do its job and nothing else; see `Command` for what the arguments mean.

    `stdin` is the whole input (bytes, or what can be seen as such), an `Input` to which another thread writes while the
    command runs, or one of a pair of unix sockets (`socket.socketpair()`), which the command then has as its standard
    input and talks on both ways (what it says there, no limit counts). `on_output(stream, data)` is called in this
    thread with each piece of stdout (1) and stderr (2) as it comes. Set `cancel` in another thread to end the job at
    once. `program_paths` is what the program itself must be able to read (by default found by looking at it). Raises
    ValueError for arguments that no process can have, TypeError for those of another kind; whatever happens to the job
    is told by the result.
    """
    if isinstance(argv, (str, bytes)) or not argv or not argv[0]:
        raise ValueError("the command must be a list of a program's name and its arguments")
    words = tuple(map(os.fsdecode, argv))
    folder = None if cwd is None else os.path.abspath(os.fsdecode(cwd))
    policy = policy or Policy()
    if isinstance(stdin, socket.socket):
        _check_connected(stdin)
    talks, early = (stdin, b"") if isinstance(stdin, Input | socket.socket) else (None, bytes(memoryview(stdin)))
    command = Command(words, early, env or {}, files or {}, tuple(collect), limits, folder)
    if program_paths is None:
        program = find_program(words[0], environment({}, command.env)["PATH"], folder)
        program_paths = read_paths(program) if program else ()
    setup = Setup(
        policy=policy,
        readable=policy.readable(program_paths),
        folders=(folder,) if folder else (),
    )
    try:
        return _run(setup, command, limits or Limits(), talks, on_output, cancel)
    finally:
        if isinstance(talks, Input):
            talks.end()  # whoever writes to it must not wait for a job that never was


def _check_connected(stdin: socket.socket) -> None:
    """Raise ValueError for a socket by which a command could reach more than its other end."""
    connected = stdin.fileno() >= 0 and stdin.family == socket.AF_UNIX and stdin.type != socket.SOCK_DGRAM
    try:
        connected = connected and stdin.getpeername() is not None
    except OSError:
        connected = False
    if not connected:
        raise ValueError("a socket as stdin must be an open one of a pair of unix sockets: socket.socketpair()")


def _run(
    setup: Setup,
    command: Command,
    limits: Limits,
    stdin: Input | socket.socket | None,
    on_output: OnOutput | None,
    cancel: threading.Event | None,
) -> Result:
    try:
        server = _idle.take(setup, cancel)
    except ServerDied as error:
        stopped = cancel is not None and cancel.is_set()
        return Result("killed") if stopped else Result("refused", message=str(error))
    answered = False
    try:
        result = execute(
            server,
            command,
            limits=limits,
            env={},
            cwd=command.cwd,
            cancel=cancel,
            on_output=on_output,
            stdin=stdin,
        )
        answered = True
    except ServerDied as error:
        result = died(error)
    finally:
        if not answered:
            server.close()
    if answered:
        _idle.give_back(server)
    return result
