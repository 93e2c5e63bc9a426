"""The zygote as the server sees it: started behind the layers, asked for one job at a time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any, NamedTuple, NoReturn

from treadle.sandbox.server import box, confine, meter, zygote
from treadle.sandbox.server.layering import Layers, protect_from_oom

# Read at import: once the view is built, the file is no longer where it was.
with open(zygote.__file__, encoding="utf-8") as _file:
    _ZYGOTE = _file.read()
_START_S = 45  # less than the harness waits for us
# Threads of a numeric library would make the fork of a half-copied process.
_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}


class ZygoteDied(Exception):
    """The zygote ended, or does not answer; its text is what is known of why."""


class Zygote(NamedTuple):
    """`pid` in the host's numbers; `kill_all` whether it can kill a whole job by itself."""

    pid: int
    connection: socket.socket
    kill_all: bool
    project_code: str


def start(layers: Layers, config: dict[str, Any], stray: int) -> Zygote:
    """Fork it, confine it, and wait until it is ready. `stray` is a descriptor to close in it (the harness's socket).
    Raises ZygoteDied."""
    ours, theirs = socket.socketpair()
    confinement = layers.confinement(config["parent"])
    # With a pid namespace the next child is pid 1 of it: the canary would take that place.
    canary = None if "pidns" in layers.on else _Canary()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(stray)
            ours.close()
            _become_zygote(confinement, config, theirs, canary, layers)
        except OSError as error:
            zygote.send(theirs, json.dumps({"failed": str(error)}).encode())
        finally:
            os._exit(1)
    theirs.close()
    protect_from_oom(pid, layers.proc)
    trouble = _wait_until_ready(ours, stray, config["preload"])
    try:
        found = None if trouble else zygote.receive(ours)
    except (ValueError, ConnectionError):
        found = None
    if found is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if canary:
        canary.release()
    if found is None:
        raise ZygoteDied(trouble or "the interpreter ended before it was ready")
    answer = found[0]
    if "failed" in answer:
        raise ZygoteDied(answer["failed"])
    if any(type(answer.get(name)) is not kind for name, kind in (("ahead", list), ("project_code", str))):
        raise ZygoteDied("the interpreter answered nonsense")
    threads = _threads(layers.proc, pid)
    if threads > 1:
        raise ZygoteDied(f"importing {', '.join(answer['ahead'])} ahead started {threads - 1} thread(s)")
    return Zygote(pid, ours, answer["kill_all"] is True, answer["project_code"])


def _wait_until_ready(zygote_socket: socket.socket, harness: int, preload: list[str]) -> str:
    """Wait until the zygote says something, or ends; else why it is not to be waited for any longer."""
    poll = select.poll()
    poll.register(zygote_socket, select.POLLIN)
    # What the harness sends meanwhile can wait; that it hangs up can't.
    poll.register(harness, getattr(select, "POLLRDHUP", 0))
    heard = [descriptor for descriptor, _ in poll.poll(_START_S * 1000)]
    if harness in heard:
        return "the harness has gone away"
    if heard:
        return ""
    if preload:
        return f"importing {', '.join(preload)} ahead took longer than {_START_S} s; leave out of `preload` what hangs"
    return f"the interpreter was not ready after {_START_S} s"


class _Canary:
    """A process outside of the zygote's Landlock domain, on which the zygote tries whether it can send signals out."""

    def __init__(self) -> None:
        read_end, self._write_end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._write_end)
            os.read(read_end, 1)
            os._exit(0)
        os.close(read_end)

    def release(self) -> None:
        """Let it end."""
        os.kill(self.pid, signal.SIGKILL)
        os.close(self._write_end)
        os.waitpid(self.pid, 0)


def _become_zygote(
    confinement: confine.Confinement,
    config: dict[str, Any],
    connection: socket.socket,
    canary: _Canary | None,
    layers: Layers,
) -> NoReturn:
    os.setsid()
    null = os.open(layers.proc.removesuffix("/proc") + "/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if sys.platform == "linux":
        confine.enter(confinement)
    kill_all = canary is None or (bool(confinement.landlock_abi) and confine.signals_are_scoped(canary.pid))
    number = connection.fileno()
    os.closerange(3, number)
    os.closerange(number + 1, 4096)
    if not config["python"]:
        zygote.report(connection, [], "", kill_all)
        zygote.serve(connection, kill_all)
    os.set_inheritable(number, True)
    arguments = [str(number), "1" if kill_all else "0", layers.overlay or "", *config["preload"]]
    # The environment that jobs have, as far as it is known: a fork then has little to change.
    environment = dict(config["env"])
    if layers.root:
        environment |= box.environment(layers.job)
    if config["preload"]:
        environment |= _ONE_THREAD
    os.execve(config["python"], [config["python"], "-s", "-c", _ZYGOTE, *arguments], environment)


def _threads(proc: str, pid: int) -> int:
    try:
        return len(os.listdir(f"{proc}/{pid}/task"))
    except OSError:
        return 1


def end_job(child: Zygote, proc: str) -> None:
    """Ask the zygote to kill its job; where it can't by itself, kill everything below it."""
    child.connection.sendall(zygote.END_JOB)
    if not child.kill_all:
        meter.kill_below(proc, child.pid)


def kill(child: Zygote) -> None:
    """End the zygote, and with a pid namespace all that ever came from it."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child.pid, 0)
