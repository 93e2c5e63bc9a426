"""The process that jobs are forked from: behind all layers itself, it imports ahead and starts one job at a time.

This file runs under the person's interpreter (Python 3.8 or newer), which has no Treadle, so it uses the standard
library alone; the server hands over its text. It is pid 1 of the jobs' pid namespace where there is one, so that
`kill(-1)` reaches every process of a job and nothing else. It is not trusted: the server supervises what it starts
and kills it when it does not answer.

It is asked by frames of JSON with the job's descriptors beside them (stdin, stdout, stderr, trouble, and the Landlock
ruleset when there is one), by `END_JOB` to end the job, and it answers `ENDED` records. The end of the socket is its
end.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import stat
import struct
import sys
import time
import types
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

ENDED = struct.Struct("=iddqi")  # wait status, user s, system s, peak of one process in bytes, processes left behind
HELP = -1  # in the place of those: the job has ended by itself, and what it left must be killed by the server
END_JOB = b"K"
_FRAME = b"F"  # comes before each frame, so that it can be told from an END_JOB
_LENGTH = struct.Struct("=I")
_MOST = 64 << 20  # bytes of one frame; neither side takes more from the other
_RESTRICT_SELF = 446
_SCRIPTS_KEPT, _LONGEST_SCRIPT = 4, 1 << 20
_NOT_RUN = (126, 127)  # how a job ends that could not begin, and so has compiled nothing
_REAP_AT_ONCE = 64  # then it listens again: orphans may come faster than they are reaped
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_libc = ctypes.CDLL(None, use_errno=True)
_ACT_IN_PROCESS = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_STANDALONE = (
    "__import__('sys').argv.pop(0); __file__ = __import__('sys').argv[0]; "
    "exec(compile(open(__file__, 'rb').read(), __file__, 'exec'))"
)


def send(connection: socket.socket, body: bytes, descriptors: Sequence[int] = ()) -> None:
    """One frame, the descriptors beside its first bytes."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    data = memoryview(_FRAME + _LENGTH.pack(len(body)) + body)
    sent = connection.sendmsg([data], rights)
    if sent < len(data):
        connection.sendall(data[sent:])


def receive(connection: socket.socket) -> tuple[Any, list[int]] | None:
    """One frame and its descriptors; None at the end of the connection. An `END_JOB` before it was for a job that had
    ended by itself in the same moment, and means nothing any more."""
    descriptors = array.array("i")
    first = END_JOB
    while first == END_JOB:
        first, rights, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(8 * descriptors.itemsize))
    for level, kind, data in rights:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    head = _rest(connection, _LENGTH.size) if first == _FRAME else b""
    if len(head) < _LENGTH.size:
        return None
    length = _LENGTH.unpack(head)[0]
    body = _rest(connection, length) if length <= _MOST else b""
    return (json.loads(body), list(descriptors)) if body else None


def _rest(connection: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = connection.recv(count)
        if not part:
            return b""
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def report(connection: socket.socket, ahead: list[str], project_code: str, kill_all: bool) -> None:
    """Say that jobs can come: the modules imported ahead, and the project's own module that came with them, if any."""
    told = {"ahead": ahead, "project_code": project_code, "kill_all": kill_all}
    send(connection, json.dumps(told).encode())


def serve(connection: socket.socket, kill_all: bool) -> NoReturn:
    """Start jobs until the connection ends. `kill_all`: whether kill(-1) reaches only what a job started."""
    wake_read, wake_write = os.pipe()
    for descriptor in (wake_read, wake_write):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # else a job could end this process where Landlock is missing
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    if sys.platform == "linux":
        _prctl(_PR_SET_DUMPABLE, 0)  # so that no job may look into this process; it is set again for the jobs
    start = _get_ready()
    scripts = Scripts()
    while True:
        asked = receive(connection)
        if asked is None:
            os._exit(0)
        job, descriptors = asked
        script = scripts.take(job)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            connection.detach()
            _become(job, script, descriptors, start)
        for descriptor in descriptors:
            os.close(descriptor)
        ended = _wait(connection, pid, wake_read)
        if ended is not None and os.WIFEXITED(ended[0]) and os.WEXITSTATUS(ended[0]) not in _NOT_RUN:
            scripts.keep(script)
        status, peak, strays = _sweep(pid, ended, None if kill_all else connection)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        connection.sendall(ENDED.pack(status, user, system, peak * 1024, strays))


class _Start:
    """What this process was when jobs began to be forked from it: its environment, and the top names that are imported
    already."""

    def __init__(self) -> None:
        self.environment = dict(os.environ)
        self.modules = frozenset(name.partition(".")[0] for name in sys.modules)


class Script:
    """The text of a job's script, and its code, None as long as each job compiles it for itself."""

    def __init__(self, path: str, text: bytes) -> None:
        self.path = path
        self.text = text
        self.code: types.CodeType | None = None
        self._is_for_jobs = False

    def compile_once(self) -> None:
        """Compile it for all jobs, unless the compiler has something to say of it: each job is to say so itself."""
        if self.code is None and not self._is_for_jobs:
            self._is_for_jobs = True
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("error")
                self.code = self.compiled()

    def compiled(self) -> types.CodeType:
        """Its code. Raises what `compile` does."""
        # Without dont_inherit the script would get the `from __future__` imports of this file.
        return self.code or compile(self.text, self.path, "exec", dont_inherit=True)


class Scripts:
    """The last scripts that ran, which often come again: to compile a long one takes a quarter of a short job. What has
    been compiled once by a job that ended by itself is harmless to this process, too."""

    def __init__(self) -> None:
        self._kept: list[Script] = []

    def take(self, job: dict[str, Any]) -> Script | None:
        """The job's script, compiled where it has come before; None where it runs a program."""
        if job["argv"]:
            return None
        text = _read_plain(job["script"])
        if text is None:
            return None  # the job will see to it
        script = Script(job["script"], text)
        for known in self._kept:
            if (known.path, known.text) == (script.path, script.text):
                known.compile_once()
                return known
        return script

    def keep(self, script: Script | None) -> None:
        """Keep it, in the place of the one that has not come for longest."""
        if script is not None:
            self._kept = [script, *(known for known in self._kept if known is not script)][:_SCRIPTS_KEPT]


def _get_ready() -> _Start:
    """Do here, once, what each fork would have to do by itself."""
    compile("", "", "exec")  # the first one in a process makes all types of `ast`: 3 ms, a third of a whole job
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    if "tempfile" in sys.modules:
        vars(sys.modules["tempfile"])["tempdir"] = None  # it remembers the folder of this process
    # What was printed while importing would come out at the end of each job.
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    start = _Start()
    gc.collect()
    gc.freeze()
    return start


def _wait(connection: socket.socket, pid: int, wake_read: int) -> tuple[int, int] | None:
    """The job's (status, peak) when it ends by itself, None when it is to be ended."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    poll.register(wake_read, select.POLLIN)
    ended = False  # whether some process may have
    while True:
        for descriptor, _ in poll.poll(0 if ended else None):
            if descriptor != wake_read:
                if connection.recv(1) != END_JOB:
                    os._exit(0)
                return None
            os.read(wake_read, 512)
            ended = True
        for _ in range(_REAP_AT_ONCE if ended else 0):
            found, status, usage = os.wait4(-1, os.WNOHANG)
            if found == pid:
                return status, usage.ru_maxrss
            if found == 0:
                ended = False
                break


def _sweep(pid: int, ended: tuple[int, int] | None, helper: socket.socket | None) -> tuple[int, int, int]:
    """Kill and reap all that the job left; its (status, peak, processes left behind). `helper`: who kills what has left
    the job's group, where kill(-1) would reach too far."""
    status, peak = ended or (signal.SIGKILL, 0)
    strays = 0
    reaped = ended is not None
    target = -1 if helper is None else -pid
    while True:
        try:
            if target:
                os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            # Nobody is left in the group, whose number may become that of another one; or the job has not made it yet.
            if helper is not None and reaped:
                target = 0
        found = -1
        while found:
            try:
                found, its_status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return status, peak, strays
            if found == pid:
                status, peak, reaped = its_status, usage.ru_maxrss, True
            elif found:
                strays += 1
        if helper is not None and ended is not None:
            helper.sendall(ENDED.pack(status, 0.0, 0.0, 0, HELP))
            ended = None
        time.sleep(0.0003)


def _become(job: dict[str, Any], script: Script | None, descriptors: list[int], start: _Start) -> None:
    """In the fork: turn into the job. What goes wrong before it runs is told on the trouble descriptor."""
    trouble = descriptors[3]
    stage, code = "start", 127
    try:
        if sys.platform == "linux":
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        _default_signals(for_exec=bool(job["argv"]))
        for number, descriptor in enumerate(descriptors[:3]):
            os.dup2(descriptor, number)
        stage = "chdir to " + job["cwd"]
        os.umask(0o022)
        os.chdir(job["cwd"])
        stage = "limits"
        for name, soft, hard in job["rlimits"]:
            _lower_limit(getattr(resource, name), soft, hard)
        if sys.platform == "linux":
            _prctl(_PR_SET_DUMPABLE, 1)
        if len(descriptors) > 4:
            stage = "landlock"
            _restrict_self(descriptors[4])
        os.dup2(trouble, 3)
        os.set_inheritable(3, False)
        trouble = 3
        os.closerange(4, 4096)
        argv = job["argv"]
        if not argv and _needs_fresh_interpreter(job, start):
            argv = [sys.executable, "-c", _STANDALONE, job["script"], *job["args"]]
            _default_signals(for_exec=True)
        if argv:
            stage = "exec " + argv[0]
            os.execvpe(argv[0], argv, job["env"])
        os.close(trouble)
        code = _run_script(job, script, start)
    except Exception as error:  # noqa: BLE001 - told to the server, whatever it is
        code = 127 if isinstance(error, FileNotFoundError) else 126
        # Cut, since a name may be longer than the pipe holds, and nobody reads it before this process has ended.
        told = [stage[:200], getattr(error, "errno", None) or 0, str(error)[:300]]
        os.write(trouble, json.dumps(told).encode())
    finally:
        os._exit(code)  # whatever happens, a fork never returns into the loop of the process it came from


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero)


def _restrict_self(ruleset: int) -> None:
    if _libc.syscall(ctypes.c_long(_RESTRICT_SELF), ctypes.c_long(ruleset), ctypes.c_long(0)) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _default_signals(for_exec: bool) -> None:
    """Undo what this process changed; before an exec also what Python changes at its own start."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL if for_exec else signal.default_int_handler)
    if for_exec:
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)


def _lower_limit(which: int, soft: int, hard: int) -> None:
    highest = resource.getrlimit(which)[1]
    if highest != resource.RLIM_INFINITY:
        hard = min(hard, highest)
    try:
        resource.setrlimit(which, (min(soft, hard), hard))
    except (OSError, ValueError):
        if sys.platform == "linux":
            raise  # other systems have limits of this name that can't be set


def _search_path(job: dict[str, Any]) -> list[str]:
    """What comes first on the import path: the working folder, then PYTHONPATH."""
    return ["", *[entry for entry in job["env"].get("PYTHONPATH", "").split(os.pathsep) if entry]]


def _needs_fresh_interpreter(job: dict[str, Any], start: _Start) -> bool:
    """Whether a fork would not be what a new interpreter is: a PYTHON variable that acts at start alone, or a module of
    the job's own that one imported ahead would hide."""
    for name, value in job["env"].items():
        if name.startswith("PYTHON") and name not in _ACT_IN_PROCESS and start.environment.get(name) != value:
            return True
    for folder in _search_path(job):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            stem, dot, ending = name.partition(".")
            if stem in start.modules and (
                ending.endswith(("py", "pyc", "so")) if dot else os.path.exists(f"{folder or '.'}/{name}/__init__.py")
            ):
                return True
    return False


def _take_environment(env: dict[str, str], before: dict[str, str]) -> None:
    """Only what differs: each change goes through the C library."""
    for name in before.keys() - env.keys():
        del os.environ[name]
    for name, value in env.items():
        if before.get(name) != value:
            os.environ[name] = value


def _run_script(job: dict[str, Any], script: Script | None, start: _Start) -> int:
    """Run a script as `python -c` would, in this process; its exit code."""
    path = job["script"]
    _take_environment(job["env"], start.environment)
    sys.dont_write_bytecode = bool(job["env"].get("PYTHONDONTWRITEBYTECODE"))
    if job["env"].get("PYTHONUNBUFFERED"):
        sys.stdout.reconfigure(write_through=True)  # type: ignore[union-attr]
    sys.argv = [path, *job["args"]]
    sys.path[:0] = _search_path(job)
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    try:
        script = script or Script(path, _read(path))
        exec(script.compiled(), main.__dict__)
        code = 0
    except SystemExit as ended:
        code = _exit_code(ended.code)
    except BaseException as error:  # noqa: BLE001 - the top of a program: print it and exit with 1, as Python does
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # without this function's line
        code = 130 if isinstance(error, KeyboardInterrupt) else 1
        with contextlib.suppress(BaseException):  # the hook may be the script's own
            sys.excepthook(type(error), error, error.__traceback__)
    # Not imported by this file: `threading` has a hook after each fork that takes a tenth of a whole job.
    with contextlib.suppress(Exception):
        vars(sys.modules["threading"])["_shutdown"]()
    with contextlib.suppress(BaseException):  # before Python 3.10 it raises what a function raised
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            code = code or 120  # as the interpreter exits when stdout can't be flushed
    return code & 0xFF


def _read_plain(path: str) -> bytes | None:
    """The bytes of a plain file of ordinary size; None of anything else, which this process must not wait for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_size > _LONGEST_SCRIPT:
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        return file.read()


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _exit_code(value: object) -> int:
    if value is None:
        return 0
    if isinstance(value, int):
        return value
    print(value, file=sys.stderr)
    return 1


def _import_ahead(names: list[str], project: str) -> str:
    """Import installed distributions; the name of a module of the project's own that came with them, or "". Jobs would
    then see it as it was at this moment, and not as their files are."""
    for name in names:
        with contextlib.suppress(Exception):  # whatever it is, the job will say so better, in its own words
            __import__(name)
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None) or ""
        if project and path.startswith(project.rstrip("/") + "/") and "-packages/" not in path:
            return module.__name__
    return ""


def main() -> None:
    """Entry under the person's interpreter: DESCRIPTOR KILL_ALL PROJECT [MODULE ...]."""
    descriptor, kill_all, project, names = int(sys.argv[1]), sys.argv[2] == "1", sys.argv[3], sys.argv[4:]
    sys.path[:] = [entry for entry in sys.path if entry]
    os.set_inheritable(descriptor, False)
    own = _import_ahead(names, project)
    connection = socket.socket(fileno=descriptor)
    report(connection, [name for name in names if name in sys.modules], own, kill_all)
    serve(connection, kill_all)


if __name__ == "__main__":
    main()
