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
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).parents[2]
AS_MODULE = [sys.executable, "-m", "treadle"]
AS_SCRIPT = [sys.executable, "-c"]
Ended = tuple[int, bytes, bytes]
"""The exit code as `subprocess` gives it, and what was written to standard output and to standard error."""
Ending = Callable[[], int]


def run(command: Sequence[str], folder: Path, env: Mapping[str, str], given: bytes) -> Ended:
    """Run a command there to its end. It is forked where it is this Python's `-m treadle` or `-c`, in an environment
    that the interpreter would have started in alike."""
    if _is_forked(command, env):
        return _server().run(command, folder, env, given)
    done = subprocess.run(command, cwd=folder, env=env, input=given, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def on_terminal(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> Iterator[tuple[int, Ending]]:
    """Start a command on a terminal of its own: our end of it, and what waits for the command's exit code."""
    assert _is_forked(command, env)
    with _server().on_terminal(command, folder, env) as started:
        yield started


def _is_forked(command: Sequence[str], env: Mapping[str, str]) -> bool:
    ours = list(command[:3]) == AS_MODULE or (list(command[:2]) == AS_SCRIPT and len(command) == 3)
    at_home = env.get("PYTHONPATH", "").split(os.pathsep)[0] == str(ROOT)
    return ours and at_home and _of_interpreter(env) == _of_interpreter(os.environ)


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

    def run(self, command: Sequence[str], folder: Path, env: Mapping[str, str], given: bytes) -> Ended:
        with self._one_after_the_other, ThreadPoolExecutor(2) as threads:
            (stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr) = (os.pipe() for _ in "123")
            with self._started(command, folder, env, (stdin, stdout, stderr)) as ends:
                printed = [threads.submit(_read, descriptor) for descriptor in (from_stdout, from_stderr)]
                with suppress(BrokenPipeError), os.fdopen(to_stdin, "wb") as stream:
                    stream.write(given)
                out, err = (each.result() for each in printed)
                return int(ends.readline()), out, err

    @contextmanager
    def on_terminal(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> Iterator[tuple[int, Ending]]:
        with self._one_after_the_other:
            ours, theirs = os.openpty()
            with os.fdopen(ours), self._started(command, folder, env, (theirs,) * 3) as ends:
                yield ours, lambda: int(ends.readline())

    @contextmanager
    def _started(
        self, command: Sequence[str], folder: Path, env: Mapping[str, str], streams: tuple[int, int, int]
    ) -> Iterator[TextIO]:
        """Start it with these descriptors, which are closed here; its exit code comes as a line. What raises in the
        block ends it."""
        is_script = list(command[:2]) == AS_SCRIPT
        asked = {
            "arguments": [] if is_script else command[3:],
            "script": command[2] if is_script else "",
            "folder": str(folder),
            "env": dict(env),
        }
        told, status = os.pipe()
        socket.send_fds(self._socket, [json.dumps(asked).encode()], [*streams, status])
        for descriptor in {*streams, status}:
            os.close(descriptor)
        with os.fdopen(told) as ends:
            number = int(ends.readline())
            try:
                yield ends
            except BaseException:
                os.kill(number, signal.SIGKILL)
                raise

    def close(self) -> None:
        self._socket.close()
        self._process.communicate()


def _read(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()
