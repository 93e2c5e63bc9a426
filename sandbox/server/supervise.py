"""One job from its start to its end: reads what it says, looks at what it uses, and ends it at a limit."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import socket
import time
from typing import Any, NamedTuple

from treadle.sandbox import frames
from treadle.sandbox.server import meter, nursery, zygote
from treadle.sandbox.server.capture import Capture
from treadle.sandbox.server.job_input import JobInput

_FIRST_LOOK_S, _LOOK_EVERY_S = 0.03, 0.025
_LOOK_ASLEEP_S = 0.2  # where nothing has moved for some looks: a job may wait for days, as a plugin does
_CPU_GRACE_S = 0.05  # so that RLIMIT_CPU, whose signal a program can hear, comes first where it can
_KILL_GRACE_S = 2.0  # after which the zygote itself is taken for stuck
# Bytes that a pipe takes without a reader in any case: 64 KB, but one page once a user has many of them (pipe(7)).
_PIPE_HOLDS = 4096
_UNSENT_MOST = 1 << 20


class Ended(NamedTuple):
    """What the zygote told of the job's end, and what was seen until then. `trouble` is (stage, errno, text) when the
    job could not be started."""

    ended_by: str
    status: int
    cpu_s: float
    peak_memory: int
    most_processes: int
    trouble: tuple[str, int, str] | None
    out: Capture
    err: Capture


class Harness:
    """The other end: cancels by a frame or by going away; gets what the job says while it runs, and writes to its
    input, if it asks (`streaming`, `live`)."""

    def __init__(self, connection: socket.socket, *, streaming: bool, live: bool) -> None:
        self.connection = connection
        self.streaming = streaming
        self.live = live
        self.unsent = bytearray()

    def is_behind(self) -> bool:
        """Whether so much is unsent that the job has to wait."""
        return len(self.unsent) > _UNSENT_MOST

    def tell(self, stream: int, data: bytes) -> None:
        """Hand on what the job said; never waits."""
        if self.streaming and data:
            self.unsent += frames.encode({"stream": stream}, [data])
            self.push()

    def tell_taken(self, count: int) -> None:
        """Say that the job has taken so many bytes of its input."""
        if count:
            self.unsent += frames.encode({"taken": count})
            self.push()

    def push(self) -> None:
        """Send what can be sent now."""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            del self.unsent[: self.connection.send(self.unsent, socket.MSG_DONTWAIT)]


class _Pipes:
    """The descriptors between server and job. `stdin` is what the job reads, or a socket that becomes its own."""

    def __init__(self, stdin: bytes | socket.socket, live: bool) -> None:
        self.input: JobInput | None = None
        if isinstance(stdin, socket.socket):
            self.stdin = stdin.detach()
        elif not live and (len(stdin) <= _PIPE_HOLDS or hasattr(os, "memfd_create")):
            self.stdin = _readable(stdin)
        else:
            self.stdin, write_end = os.pipe()
            self.input = JobInput(write_end, stdin)
            if not live:
                self.input.end()
        self.out, self.job_out = os.pipe()
        self.err, self.job_err = os.pipe()
        self.trouble, self.job_trouble = os.pipe()
        for descriptor in (self.out, self.err, self.trouble):
            os.set_blocking(descriptor, False)

    def for_job(self) -> list[int]:
        return [self.stdin, self.job_out, self.job_err, self.job_trouble]

    def close(self, *, only_for_job: bool) -> None:
        for descriptor in self.for_job() if only_for_job else (self.out, self.err, self.trouble):
            os.close(descriptor)
        if self.input and not only_for_job:
            self.input.close()


def _readable(data: bytes) -> int:
    """A descriptor that gives the data and then ends."""
    if len(data) > _PIPE_HOLDS:
        file = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        with os.fdopen(os.dup(file), "wb") as writer:
            writer.write(data)
        # The job could write as well, and keep there what no limit counts.
        seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
        os.lseek(file, 0, os.SEEK_SET)
        return file
    read_end, write_end = os.pipe()
    os.write(write_end, data)
    os.close(write_end)
    return read_end


class Supervisor:
    """Runs one job through the zygote. Raises `nursery.ZygoteDied`."""

    def __init__(
        self,
        child: nursery.Zygote,
        proc: str,
        limits: dict[str, Any],
        harness: Harness,
        metered: bool,
        own_network: bool,
    ) -> None:
        self.child = child
        self.proc = proc
        self.limits = limits
        self.harness = harness
        self.metered = metered
        self.own_network = own_network
        self.peak = meter.Usage()
        self.latest = meter.Usage()
        self.look_every_s = _LOOK_EVERY_S
        self.cpu_before = meter.waited_for(proc, child.pid) if metered else 0.0

    def run(self, order: dict[str, Any], stdin: bytes | socket.socket, ruleset: int | None) -> Ended:
        """Start the job, and wait for its end or a limit."""
        pipes = _Pipes(stdin, self.harness.live)
        self.input = pipes.input
        descriptors = pipes.for_job() + ([ruleset] if ruleset is not None else [])
        zygote.send(self.child.connection, json.dumps(order).encode(), descriptors)
        pipes.close(only_for_job=True)
        self.out, self.err = (Capture(fd, self.limits["keep"]) for fd in (pipes.out, pipes.err))
        try:
            ended_by, record = self._watch()
            if record is None or _asks_for_help(record):
                record = self._end()
            for stream, capture in ((1, self.out), (2, self.err)):
                while not self._over_output() and (data := capture.read()):
                    self.harness.tell(stream, data)
            if not ended_by and self._over_output():
                ended_by = "output"
            trouble = _trouble(pipes.trouble)
        finally:
            pipes.close(only_for_job=False)
        status, user, system, peak, _ = zygote.ENDED.unpack(record)
        return Ended(
            ended_by,
            status,
            user + system,
            max(peak, self.peak.memory),
            self.peak.processes,
            trouble,
            self.out,
            self.err,
        )

    def _over_output(self) -> bool:
        return self.out.total + self.err.total > int(self.limits["output"])

    def _watch(self) -> tuple[str, bytes | None]:
        """The limit that is reached, or "" and the zygote's record when the job ended by itself."""
        poll = select.poll()
        for source in (self.child.connection, self.harness.connection, self.out.descriptor, self.err.descriptor):
            poll.register(source, select.POLLIN)
        captures = {self.out.descriptor: (1, self.out), self.err.descriptor: (2, self.err)}
        now = time.monotonic()
        deadline, look = now + self.limits["wall_s"], now + _FIRST_LOOK_S
        while True:
            until = min(deadline, look) if self.metered else deadline
            self._listen_by_pressure(poll, captures)
            self._feed(poll)
            for source, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000 + 1):
                if source == self.child.connection.fileno():
                    return "", self._record()
                if source == self.harness.connection.fileno():
                    if self._harness_wants_end():
                        return "killed", None
                elif source in captures:
                    stream, capture = captures[source]
                    data = capture.read()
                    if data is None:
                        poll.unregister(source)
                        del captures[source]
                    else:
                        self.harness.tell(stream, data)
            now = time.monotonic()
            if self._over_output():
                return "output", None
            if now >= deadline:
                return "timeout", None
            if self.metered and now >= look:
                reached = self._look()
                look = time.monotonic() + self.look_every_s  # a look at hundreds of processes takes as long itself
                if reached:
                    return reached, None

    def _listen_by_pressure(self, poll: select.poll, captures: dict[int, tuple[int, Capture]]) -> None:
        """While the harness is behind, leave the job's output in its pipe: the job waits, the limits still hold."""
        if not (self.harness.streaming or self.harness.live):
            return
        behind = self.harness.is_behind()
        for descriptor in captures:
            poll.modify(descriptor, 0 if behind else select.POLLIN)
        wanted = select.POLLIN | (select.POLLOUT if self.harness.unsent else 0)
        poll.modify(self.harness.connection, wanted)

    def _feed(self, poll: select.poll) -> None:
        """Hand the job what waits for it, and be woken when it can take more."""
        if self.input is None:
            return
        self.harness.tell_taken(self.input.push())
        # Only while something waits: the end of a pipe that nobody reads would wake us all the time.
        if self.input.waits:
            poll.register(self.input.descriptor, select.POLLOUT)
        else:
            with contextlib.suppress(KeyError):
                poll.unregister(self.input.descriptor)

    def _harness_wants_end(self) -> bool:
        self.harness.push()
        try:
            arrived = self.harness.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        frame = frames.read(self.harness.connection) if arrived else None
        if frame is None or "stdin" not in frame[0]:
            return True
        if self.input is not None:
            if frame[0]["stdin"] == "end":
                self.input.end()
            else:
                self.input.add(frame[1][0])
        return False

    def _look(self) -> str:
        most = self.limits["processes"], self.limits["memory"]
        usage = meter.measure(self.proc, self.child.pid, *most, self.own_network)
        self.look_every_s = min(2 * self.look_every_s, _LOOK_ASLEEP_S) if usage == self.latest else _LOOK_EVERY_S
        self.latest = usage
        cpu_s = usage.cpu_s - self.cpu_before
        self.peak = meter.Usage(
            max(usage.memory, self.peak.memory),
            max(cpu_s, self.peak.cpu_s),
            max(usage.processes, self.peak.processes),
        )
        if usage.memory > self.limits["memory"]:
            return "memory"
        if usage.processes > self.limits["processes"]:
            return "processes"
        return "cpu" if cpu_s > self.limits["cpu_s"] + _CPU_GRACE_S else ""

    def _end(self) -> bytes:
        nursery.end_job(self.child, self.proc)
        limit = time.monotonic() + _KILL_GRACE_S
        poll = select.poll()
        poll.register(self.child.connection, select.POLLIN)
        while time.monotonic() < limit:
            if poll.poll(20) and not _asks_for_help(record := self._record()):
                return record
            if not self.child.kill_all:
                meter.kill_below(self.proc, self.child.pid)
        nursery.kill(self.child)
        raise nursery.ZygoteDied("it did not answer when its job was to be ended")

    def _record(self) -> bytes:
        record = b""
        while len(record) < zygote.ENDED.size:
            part = self.child.connection.recv(zygote.ENDED.size - len(record))
            if not part:
                raise nursery.ZygoteDied("it ended while a job ran")
            record += part
        return record


def _asks_for_help(record: bytes) -> bool:
    return bool(zygote.ENDED.unpack(record)[-1] == zygote.HELP)


def _trouble(descriptor: int) -> tuple[str, int, str] | None:
    try:
        data = os.read(descriptor, 4096)
    except BlockingIOError:
        return None
    if not data:
        return None
    try:
        stage, number, text = json.loads(data)
        return str(stage), int(number), str(text)
    except (ValueError, TypeError, RecursionError):
        return "start", 0, data.decode(errors="replace")
