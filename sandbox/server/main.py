"""The server: a process of its own, with one thread, that the harness starts and talks to over its standard input.

It holds the view and the mounts, which no job can reach; jobs are forked from a zygote that it confines first. It ends
when the harness goes away, and the kernel then ends all that came from it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

from treadle.sandbox import frames
from treadle.sandbox.links import read_link, resolve
from treadle.sandbox.server import box, files, kernel, landlock, layering, meter, nursery, view
from treadle.sandbox.server.rlimits import processes_of_this_uid, rlimits
from treadle.sandbox.server.supervise import Ended, Harness, Supervisor
from treadle.sandbox.server.verdict import Seen, decide

_SCRIPT = "script.py"  # in the job's own folder
_COLLECT_MOST = 64 << 20  # bytes of files that one job may send back


class _Refused(Exception):
    """A job can't be started as asked; its text says why."""


class Server:
    """Serves one harness, one job at a time."""

    def __init__(self, connection: socket.socket, config: dict[str, Any], layers: layering.Layers) -> None:
        self.connection = connection
        self.config = config
        self.layers = layers
        self.child = nursery.start(layers, config, connection.fileno())
        wanted = layers.lasting_rules() if layers.landlock_abi else []
        self.lasting_rules = landlock.hold_all(wanted, layers.landlock_abi)
        counts_all = "rlimits" in layers.on and layering.process_limit_counts_all(layers)
        self.others = processes_of_this_uid() if counts_all else 0

    def serve(self) -> None:
        """Run jobs until the harness goes away. Raises ZygoteDied."""
        while (frame := self._next_frame()) is not None:
            # What is meant for a job that has just ended, is for nobody.
            if "argv" in frame[0]:
                stdin = frames.receive_socket(self.connection) if frame[0]["socket"] else frame[1][0]
                try:
                    self._serve_one(*frame, stdin)
                finally:
                    if isinstance(stdin, socket.socket):
                        stdin.close()

    def _next_frame(self) -> frames.Frame | None:
        """The next order. Between two jobs the zygote has nothing to say but that it has ended."""
        poll = select.poll()
        for connection in (self.connection, self.child.connection):
            poll.register(connection, select.POLLIN)
        if any(descriptor == self.child.connection.fileno() for descriptor, _ in poll.poll()):
            raise nursery.ZygoteDied("the process that jobs are forked from has ended")
        return frames.read(self.connection)

    def _serve_one(self, header: dict[str, Any], blobs: list[bytes], stdin: bytes | socket.socket) -> None:
        started = time.monotonic()
        try:
            place = self._open_box(header["limits"]["disk"])
        except OSError as error:
            self._tell(_refusal(f"the job's place can't be made: {error}"), [])
            return
        try:
            answer, parts = self._answer(header, blobs, stdin, place)
        finally:
            box.discard(place)
        self._tell({**answer, "wall_s": time.monotonic() - started}, parts)

    def _tell(self, answer: dict[str, Any], parts: list[bytes]) -> None:
        self.connection.sendall(frames.encode(answer, parts))

    def _answer(
        self, header: dict[str, Any], blobs: list[bytes], stdin: bytes | socket.socket, place: box.Box
    ) -> tuple[dict[str, Any], list[bytes]]:
        try:
            self._lay_files(header, blobs, place)
            ended = self._run(header, stdin, place)
            return self._result(header, ended, place)
        except _Refused as refused:
            return _refusal(str(refused)), []

    def _open_box(self, disk: int) -> box.Box:
        if self.layers.root:
            return box.mounted(disk, self.layers.job, self.layers.overlay, self.config["upper"])
        return box.plain(self.config["parent"])

    def _lay_files(self, header: dict[str, Any], blobs: list[bytes], place: box.Box) -> None:
        if header["script"] is not None:
            _lay(place.root, _SCRIPT, blobs[header["script"]], None)
        folder = self.layers.overlay or header["cwd"]
        if not header["files"]:
            return
        root = self._open_folder(folder) if folder else None
        try:
            for entry in header["files"]:
                if root is None and header["script"] is not None and entry["name"].split("/")[0] == _SCRIPT:
                    raise _Refused(f"a file can't be called {entry['name']!r}: the script itself lies there")
                content = None if entry["blob"] is None else blobs[entry["blob"]]
                _lay(place.root if root is None else root, entry["name"], content, entry["executable"])
        finally:
            if root is not None:
                os.close(root)

    def _open_folder(self, path: str) -> int:
        """A folder of the job's view. Links on the way are looked up there, and only those that no job can have put
        there: the server itself can reach more than a job."""
        try:
            real, links = resolve(path, lambda place: read_link(self.layers.root + place))
            if not self.layers.root and any(view.is_below(p, own) for p, _ in links for own in self.layers.writable):
                raise _Refused(f"{path} leads through a link in a folder that jobs may write")
            return files.open_folder(self.layers.root or "/", [part for part in real.split("/") if part], make=False)
        except OSError as error:
            raise _Refused(f"the folder {path} can't be opened: {error.strerror or error}") from error

    def _run(self, header: dict[str, Any], stdin: bytes | socket.socket, place: box.Box) -> Ended:
        cwd = header["cwd"] or place.shown
        order = {
            "argv": header["argv"],
            "script": f"{place.shown}/{_SCRIPT}",
            "args": header["args"],
            "cwd": cwd,
            "env": {"PWD": cwd, **box.environment(place.shown), **header["env"]},
            "rlimits": self._rlimits(header["limits"]),
        }
        ruleset = self._ruleset(place)
        harness = Harness(self.connection, streaming=header["streaming"], live=header["live"])
        metered, own_network = "memory" in self.layers.on, "netns" in self.layers.on
        try:
            supervisor = Supervisor(self.child, self.layers.proc, header["limits"], harness, metered, own_network)
            return supervisor.run(order, stdin, ruleset)
        finally:
            if ruleset is not None:
                os.close(ruleset)
            self.connection.sendall(harness.unsent)

    def _ruleset(self, place: box.Box) -> int | None:
        version = self.layers.landlock_abi
        if not version:
            return None
        own = landlock.hold_all(self.layers.own_rules(place.home), version)
        try:
            return landlock.build(version, [*self.lasting_rules, *own], tcp=not self.layers.network)
        finally:
            landlock.let_go(own)  # a descriptor into the box would keep it mounted

    def _rlimits(self, limits: dict[str, Any]) -> list[tuple[str, int, int]]:
        return rlimits(limits, other_processes=self.others) if "rlimits" in self.layers.on else []

    def _result(self, header: dict[str, Any], ended: Ended, place: box.Box) -> tuple[dict[str, Any], list[bytes]]:
        limits = header["limits"]
        if ended.trouble and not ended.trouble[0].startswith("exec "):
            raise _Refused(f"the job could not be started ({ended.trouble[0]}): {ended.trouble[2]}")
        verdict, exit_code, number = decide(
            Seen(
                ended.ended_by,
                ended.status,
                ended.cpu_s,
                limits["cpu_s"],
                place.is_full(),
                ended.most_processes,
                limits["processes"],
                bytes(ended.err.head + ended.err.tail),
            )
        )
        collected, too_large = files.collect(place.root, header["collect"], _COLLECT_MOST)
        streams = [part for c in (ended.out, ended.err) for part in (bytes(c.head), c.tail)]
        answer = {
            "verdict": verdict,
            "exit_code": exit_code,
            "signal": number,
            "cpu_s": ended.cpu_s,
            "peak_memory": ended.peak_memory,
            "dropped": [ended.out.dropped, ended.err.dropped],
            "files": list(collected),
            "message": _message(ended, too_large),
        }
        return answer, streams + list(collected.values())


def _lay(root: str | int, name: str, content: bytes | None, executable: bool | None) -> None:
    try:
        files.lay(root, name, content, executable)
    except (OSError, files.UnsafeName) as error:
        raise _Refused(f"the file {name!r} can't be laid over: {error}") from error


def _message(ended: Ended, too_large: list[str]) -> str:
    if ended.trouble:
        stage, number, text = ended.trouble
        return f"can't execute {stage.removeprefix('exec ')!r}: {os.strerror(number) if number else text}"
    if too_large:
        most = f"{_COLLECT_MOST >> 20} MB"
        return f"more than the {most} that come back of one job's files; left out: {', '.join(too_large)}"
    return ""


def _refusal(why: str) -> dict[str, Any]:
    return {"refused": why}


def main() -> None:
    """Serve the harness on descriptor 0."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the harness's to understand
    connection = socket.socket(fileno=os.dup(0))
    frame = frames.read(connection)
    if frame is None:
        sys.exit(0)
    config = frame[0]
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # what a zygote leaves when it dies, is then still ours to end
    layering.undo_soft_limits()
    try:
        layers = layering.enter(config)
    except layering.LayerFailed as failed:
        connection.sendall(frames.encode({"failed_layer": failed.layer, "why": failed.why}))
        return
    except (OSError, view.LeadsElsewhere) as error:
        connection.sendall(frames.encode({"failed": str(error)}))
        return
    try:
        _serve(connection, config, layers)
    finally:
        # Also what modules that were imported ahead have started.
        if "pidns" not in layers.on:
            meter.kill_below(layers.proc, os.getpid())
        if config["parent"] and not layers.root:
            box.remove(config["parent"])  # the harness may have been killed, and nobody else would


def _serve(connection: socket.socket, config: dict[str, Any], layers: layering.Layers) -> None:
    try:
        server = Server(connection, config, layers)
    except (nursery.ZygoteDied, OSError) as error:
        connection.sendall(frames.encode({"failed": str(error)}))
        return
    hello = {
        "on": sorted(layers.on),
        "off": layers.off,
        "abi": layers.landlock_abi,
        "project_code": server.child.project_code,
    }
    connection.sendall(frames.encode(hello))
    try:
        server.serve()
    except (nursery.ZygoteDied, OSError, json.JSONDecodeError) as error:
        # The harness sees the end of the connection, reads this, and starts another server.
        print(error, file=sys.stderr, flush=True)
    finally:
        nursery.kill(server.child)
