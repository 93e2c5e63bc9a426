"""Starts commands where Treadle is imported already: `python -m tests.commands.command_server SOCKET`.

A command is the arguments of `python -m treadle`, or a script, as of `python -c`.

Each is a process of its own all the same, forked from this one: with its own arguments, environment, folder and
streams, and with the end of any process of Python. Only the imports are done, which are most of what a short command
costs. What is to be started comes as JSON over the socket with this number, together with four descriptors: its
standard streams, and one to which its process id and its exit code are written, a line each. One is started after the
other; when the socket is closed, this process ends.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import termios
from types import ModuleType
from typing import Any

WHEN_NEEDED = ("anthropic", "anyio._backends._asyncio", "bandit.core.manager", "git", "rich.console", "rich.progress")
"""What Treadle imports only when it is needed; a command of the tests may do without it no less."""
NOT_HERE = ("on_dask", "postgres", "runners")
"""What needs packages that are not everywhere, or runs under the Python of a person's project."""
LARGEST = 1 << 20


def import_all(package: ModuleType) -> None:
    """Import the modules of a package, and those of the packages in it."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name.rpartition(".")[2] not in NOT_HERE:
            module = importlib.import_module(found.name)
            if found.ispkg:
                import_all(module)


def serve(asked: socket.socket, search_path: list[str]) -> dict[str, Any] | None:
    """Start what is asked for, until there is no more. In the process that a command is to run in, it is given."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(asked, LARGEST, 4, socket.MSG_CMSG_CLOEXEC)
        if not message:
            return None
        command = os.fork()
        if command == 0:
            asked.close()
            wanted: dict[str, Any] = json.loads(message)
            become(wanted, descriptors, search_path)
            return wanted
        os.write(descriptors[3], f"{command}\n".encode())
        _, status = os.waitpid(command, 0)
        os.write(descriptors[3], f"{os.waitstatus_to_exitcode(status)}\n".encode())
        for descriptor in descriptors:
            os.close(descriptor)


def become(command: dict[str, Any], descriptors: list[int], search_path: list[str]) -> None:
    """Be a process that was started with these arguments and streams, there. A terminal that it is given is its own,
    as it is in a window that opens for it."""
    for number in range(3):
        os.dup2(descriptors[number], number)
    for descriptor in descriptors:
        os.close(descriptor)
    if os.isatty(0):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["env"])
    sys.path[:] = [command["folder"], *command["env"]["PYTHONPATH"].split(os.pathsep), *search_path]
    sys.argv[1:] = command["arguments"]
    if command["script"]:
        sys.argv[0] = "-c"


def main() -> None:
    """Import, serve, and run the command in the process of each."""
    import treadle.core
    import treadle.plugins
    import treadle.tui

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for package in (treadle.core, treadle.plugins, treadle.tui):
        import_all(package)
    for name in WHEN_NEEDED:
        importlib.import_module(name)
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # as in the process of the tests
    own = 1 + len(os.environ["PYTHONPATH"].split(os.pathsep))
    command = serve(socket.socket(fileno=int(sys.argv[1])), sys.path[own:])
    if command and command["script"]:
        exec(command["script"], {"__name__": "__main__"})
    elif command:
        runpy.run_module("treadle", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
