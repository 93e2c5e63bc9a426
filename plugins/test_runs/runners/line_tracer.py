"""Which lines of the project's files run, told apart by test.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only. On 3.12 and newer it uses
`sys.monitoring` (PEP 669), where each line costs one call for each test, however often it runs; before that
`sys.settrace`.
"""

from __future__ import annotations

import fnmatch
import functools
import inspect
import os
import site
import sys
import sysconfig
import threading
import time
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Iterable, List, Set

from treadle.plugins.test_runs.runners.report_file import portable

Lines = Dict[str, List[int]]
Tell = Callable[[str, str, int], None]
"""Is told the name of a record, the file and the line."""


class SourceFiles:
    """Says which files are the project's own: below `root`, not installed, not tests.

    `tests` are patterns of file names that hold tests. `outside` gathers the other source files that ran though they
    belong neither to the project nor to an installed distribution, and were there before the run.
    """

    def __init__(self, root: str, tests: Iterable[str] = ("conftest.py",)) -> None:
        self._cwd = os.getcwd()
        root = os.path.abspath(root or self._cwd)
        self._roots = {root.rstrip("/") + "/", os.path.realpath(root).rstrip("/") + "/"}
        self._tests = list(tests)
        self._installed = tuple(place.rstrip("/") + "/" for place in installed_places())
        self._job = os.environ.get("TREADLE_JOB", self._cwd).rstrip("/") + "/"
        self._started = time.time()
        self.outside: set[str] = set()

    def add_tests(self, patterns: Iterable[str]) -> None:
        """Leave out these files as well."""
        self._tests.extend(patterns)

    def relative(self, filename: str) -> str | None:
        """The portable path of a file of the project, None for every other file."""
        if filename.startswith("<"):
            return None
        path = os.path.normpath(os.path.join(self._cwd, filename))
        below = self._below(path) or self._below(os.path.realpath(path))
        if self._is_installed(path):
            return None
        if below is None:
            self._note_outside(path)
            return None
        name = os.path.basename(path)
        if any(fnmatch.fnmatch(name, pattern) for pattern in self._tests):
            return None
        return portable(below)

    def place(self, filename: str) -> str | None:
        """The portable path of a file of the project, its tests included, None for every other file."""
        path = os.path.normpath(os.path.join(self._cwd, filename))
        if filename.startswith("<") or self._is_installed(path):
            return None
        below = self._below(path) or self._below(os.path.realpath(path))
        return None if below is None else portable(below)

    def _below(self, path: str) -> str | None:
        for root in self._roots:
            if path.startswith(root):
                return path[len(root) :]
        return None

    def _is_installed(self, path: str) -> bool:
        return path.startswith(self._installed) or "/site-packages/" in path or "/dist-packages/" in path

    def _note_outside(self, path: str) -> None:
        try:
            created = os.stat(path).st_ctime
        except OSError:
            return
        # What the run wrote itself (a test's temporary module) is no part of anybody's project.
        if path.endswith(".py") and created < self._started and not path.startswith(self._job):
            self.outside.add(path)


def installed_places() -> set[str]:
    """The folders of the standard library and of installed distributions."""
    paths = sysconfig.get_paths()
    places = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places.add(os.path.dirname(os.__file__))
    places.add(site.getusersitepackages())
    if sys.prefix != sys.base_prefix:
        places.add(sys.prefix)
    return {os.path.abspath(place) for place in places} | {os.path.realpath(place) for place in places}


def is_import_code(code: CodeType, names: dict[str, Any]) -> bool:
    """Whether the code is a module's or a class's body that an import runs: it then ran for every test that needs the
    module, not only for the one that happened to import it first."""
    return not code.co_flags & inspect.CO_NEWLOCALS and names.get("__name__") not in ("__main__", "<run_path>")


class _Telling(Set[int]):
    """The lines of one file in a fork: whoever waits for them does not see its memory, and is told of each."""

    def __init__(self, lines: Iterable[int], tell: Callable[[int], None]) -> None:
        super().__init__(lines)
        self._tell = tell

    def add(self, line: int) -> None:
        """Put it down, and tell of it when it is new."""
        if line not in self:
            super().add(line)
            self._tell(line)


class LineTracer:
    """Gathers executed lines. `take` hands over those since the last `take`; `imported` holds what imports ran."""

    def __init__(self, sources: SourceFiles) -> None:
        self.sources = sources
        self._files: dict[str, str | None] = {}
        self._lines: dict[str, set[int]] = {}
        self._imported: dict[str, set[int]] = {}
        self._tell: Tell | None = None

    def tell_in_forks(self, tell: Tell) -> None:
        """Have each fork of this process tell of the lines that it executes and this process had not."""
        os.register_at_fork(after_in_child=functools.partial(self._go_on_in_fork, tell))

    def _go_on_in_fork(self, tell: Tell) -> None:
        self._tell = tell
        before = [*self._lines.values(), *self._imported.values()]
        self._lines = {file: self._telling("lines", file, lines) for file, lines in self._lines.items()}
        self._imported = {file: self._telling("imported", file, lines) for file, lines in self._imported.items()}
        now = [*self._lines.values(), *self._imported.values()]
        self._put_into({id(lines): telling for lines, telling in zip(before, now)})

    def _put_into(self, telling: dict[int, set[int]]) -> None:
        """Put lines from now on into these sets, each in the place of the one with that id."""
        raise NotImplementedError

    def _telling(self, record: str, file: str, lines: Iterable[int] = ()) -> set[int]:
        return set(lines) if self._tell is None else _Telling(lines, functools.partial(self._tell, record, file))

    @property
    def trace_function(self) -> Any:
        """The interpreter's trace function while it records, None where it has none."""
        return None

    def start(self) -> None:
        """Begin to record, in every thread."""
        raise NotImplementedError

    def resume(self) -> None:
        """Record again when the code under test has taken the interpreter's hook for itself."""

    def stop(self) -> None:
        """Record no more."""
        raise NotImplementedError

    def take(self) -> Lines:
        """The lines since the last call, by file."""
        taken = {file: sorted(lines) for file, lines in self._lines.items() if lines}
        for lines in self._lines.values():
            lines.clear()
        return taken

    def take_as_imported(self) -> None:
        """Count the lines since the last call as run outside of any test."""
        for file, lines in self.take().items():
            self._imported.setdefault(file, set()).update(lines)

    def imported(self) -> Lines:
        """The lines that ran outside of any test: imports, class bodies, collection."""
        return {file: sorted(lines) for file, lines in self._imported.items() if lines}

    def _record_for(self, code: CodeType, names: dict[str, Any]) -> set[int] | None:
        """Where the lines of this code are to be put down, None when they are nobody's business."""
        filename = code.co_filename
        if filename not in self._files:
            self._files[filename] = self.sources.relative(filename)
        file = self._files[filename]
        if file is None:
            return None
        name, record = ("imported", self._imported) if is_import_code(code, names) else ("lines", self._lines)
        if file not in record:
            record[file] = self._telling(name, file)
        return record[file]


class MonitoringTracer(LineTracer):
    """By `sys.monitoring`: a line tells once, then is silent until the next `take`."""

    def __init__(self, sources: SourceFiles) -> None:
        super().__init__(sources)
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._tool = -1
        # By id: a code object's own hash walks through all its constants.
        self._records: dict[int, set[int]] = {}
        self._codes: dict[int, CodeType] = {}
        self._heard: set[int] = set()

    def start(self) -> None:
        monitoring = self._monitoring
        self._tool = next(tool for tool in (3, 4, 0, 2, 1) if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(self._tool, "treadle")
        events = monitoring.events
        monitoring.register_callback(self._tool, events.PY_START, self._on_start)
        monitoring.register_callback(self._tool, events.LINE, self._on_line)
        monitoring.set_events(self._tool, events.PY_START)

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)
        for code in self._codes.values():
            self._monitoring.set_local_events(self._tool, code, 0)
        self._monitoring.free_tool_id(self._tool)

    def take(self) -> Lines:
        set_events, line = self._monitoring.set_local_events, self._monitoring.events.LINE
        heard, self._heard = self._heard, set()
        for key in heard:
            # Off and on again is what makes the silent lines of one code object speak; `restart_events` would do it
            # for every module of the process.
            set_events(self._tool, self._codes[key], 0)
            set_events(self._tool, self._codes[key], line)
        return super().take()

    def _put_into(self, telling: dict[int, set[int]]) -> None:
        self._records = {key: telling[id(record)] for key, record in self._records.items()}

    def _on_start(self, code: CodeType, offset: int) -> Any:
        record = self._record_for(code, sys._getframe(1).f_globals)
        if record is not None:
            self._codes[id(code)] = code
            self._records[id(code)] = record
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _on_line(self, code: CodeType, line: int) -> Any:
        key = id(code)
        self._records[key].add(line)
        self._heard.add(key)
        return self._monitoring.DISABLE


class SettraceTracer(LineTracer):
    """By `sys.settrace`, where only the frames of the project's own files are followed line by line."""

    def __init__(self, sources: SourceFiles) -> None:
        super().__init__(sources)
        self._followers: dict[int, Callable[..., Any]] = {}

    @property
    def trace_function(self) -> Any:
        return self._on_call

    def start(self) -> None:
        threading.settrace(self._on_call)
        sys.settrace(self._on_call)

    def resume(self) -> None:
        if sys.gettrace() != self._on_call:
            sys.settrace(self._on_call)

    def stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _put_into(self, telling: dict[int, set[int]]) -> None:
        before, self._followers = self._followers, {id(lines): self._follower(lines) for lines in telling.values()}
        now = {id(follower): self._followers[id(telling[record])] for record, follower in before.items()}
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            frame.f_trace = now.get(id(frame.f_trace), frame.f_trace)
            frame = frame.f_back

    def _on_call(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        if self._files.get(code.co_filename, "") is None:
            return None
        record = self._record_for(code, frame.f_globals)
        if record is None:
            return None
        follower = self._followers.get(id(record))
        if follower is None:
            follower = self._followers[id(record)] = self._follower(record)
        return follower

    @staticmethod
    def _follower(record: set[int]) -> Callable[..., Any]:
        add = record.add

        def follow(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            if event == "line":
                add(frame.f_lineno)
            return follow

        return follow


def line_tracer(sources: SourceFiles) -> LineTracer:
    """The fastest tracer that this Python has."""
    return MonitoringTracer(sources) if sys.version_info >= (3, 12) else SettraceTracer(sources)
