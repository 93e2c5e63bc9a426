"""Commands in processes of their own, which need not import Treadle first: most of what a short one costs."""

from __future__ import annotations

import atexit
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
AS_MODULE = [sys.executable, "-m", "treadle"]
Ended = tuple[int, bytes, bytes]
"""The exit code as `subprocess` gives it, and what was written to standard output and to standard error."""


def run(command: Sequence[str], folder: Path, env: Mapping[str, str], given: bytes) -> Ended:
    """Run a command there to its end. It is forked where it is this Python's `-m treadle`, in an environment that the
    interpreter would have started in alike."""
    ours = list(command[:3]) == AS_MODULE and env.get("PYTHONPATH", "").split(os.pathsep)[0] == str(ROOT)
    if ours and _of_interpreter(env) == _of_interpreter(os.environ):
        return _server().run(command[3:], folder, env, given)
    done = subprocess.run(command, cwd=folder, env=env, input=given, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def _of_interpreter(env: Mapping[str, str]) -> dict[str, str]:
    """What the interpreter reads when it starts, but for the path, which can be set later."""
    read = ("PYTHON", "LC_", "LANG", "HOME")
    return {name: value for name, value in env.items() if name.startswith(read) and name != "PYTHONPATH"}


@functools.cache
def _server() -> _Server:
    server = _Server()
    atexit.register(server.close)
    return server


class _Server:
    """The other side of `tests.commands.command_server`. It ends with this process, however that ends."""

    def __init__(self) -> None:
        self._one_after_the_other = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TREADLE_", "PYTEST_"))}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.commands.command_server", str(theirs.fileno())],
                cwd=ROOT,
                env={**kept, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,  # streams of the same kind as the commands will have
                stdout=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
            )

    def run(
        self, arguments: Sequence[str], folder: Path, env: Mapping[str, str], given: bytes
    ) -> tuple[int, bytes, bytes]:
        message = json.dumps({"arguments": list(arguments), "folder": str(folder), "env": dict(env)}).encode()
        with self._one_after_the_other, ThreadPoolExecutor(2) as threads:
            (stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr), (told, status) = (
                os.pipe() for _ in "1234"
            )
            theirs = [stdin, stdout, stderr, status]
            socket.send_fds(self._socket, [message], theirs)
            for descriptor in theirs:
                os.close(descriptor)
            with os.fdopen(told) as ends:
                number = int(ends.readline())
                try:
                    printed = [threads.submit(_read, descriptor) for descriptor in (from_stdout, from_stderr)]
                    with suppress(BrokenPipeError), os.fdopen(to_stdin, "wb") as stream:
                        stream.write(given)
                    out, err = (each.result() for each in printed)
                    return int(ends.readline()), out, err
                except BaseException:
                    os.kill(number, signal.SIGKILL)
                    raise

    def close(self) -> None:
        self._socket.close()
        self._process.communicate()


def _read(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()
