"""The structured log: what the program did, as JSON lines for whoever looks for a fault. Not the event log.

One file for each run of the program, below `Places.logs`, for the person alone. Secrets are taken out before a line is
written (`core.redaction`). A line that can't be written is dropped: no session fails for its log.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from treadle.core.errors import StoreError
from treadle.core.paths import encode
from treadle.core.places import Places, private_folder
from treadle.core.redaction import Redactor

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

LogLevel = Literal["debug", "info", "warning", "error", "critical"]

MAX_BYTES = 5 << 20


class LogFile:
    """The file of one run: `<date>-<time>-<pid>.jsonl`, then `<date>-<time>-<pid>_002.jsonl` and so on."""

    def __init__(self, folder: Path, started: float, max_bytes: int = MAX_BYTES) -> None:
        self._folder = private_folder(folder)
        self._stem = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(started))}-{os.getpid()}"
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._number = 1
        try:
            self._descriptor = self._open()
        except OSError as error:
            raise StoreError(f"the log {encode(self.path)} can't be opened: {error.strerror}") from error
        self._size = os.fstat(self._descriptor).st_size

    @property
    def path(self) -> Path:
        """The file that is written now."""
        number = "" if self._number == 1 else f"_{self._number:03}"
        return self._folder / f"{self._stem}{number}.jsonl"

    def write(self, line: str) -> None:
        """Add one line."""
        raw = line.encode("utf-8", "backslashreplace") + b"\n"
        with self._lock, suppress(OSError):
            if self._size and self._size + len(raw) > self._max_bytes:
                self._turn_over()
            # One call for a line: a process that shares the file can't write into the middle of it.
            self._size += os.write(self._descriptor, raw)

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            os.close(self._descriptor)

    def _turn_over(self) -> None:
        self._number += 1
        following = self._open()
        os.close(self._descriptor)
        self._descriptor, self._size = following, 0

    def _open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)

    # structlog asks its logger for a method of each level's name.
    debug = info = warning = error = critical = msg = write


def open_log(
    places: Places,
    *,
    level: LogLevel = "info",
    env: Mapping[str, str] = os.environ,
    clock: Callable[[], float] = time.time,
    max_bytes: int = MAX_BYTES,
) -> FilteringBoundLogger:
    """Start the log of this run. `max_bytes` is the size after which it goes on in another file. Raises `StoreError`
    when it can't be opened."""
    # Here, because importing it takes longer than all else that a run imports, and most runs have nothing to log.
    import structlog

    redactor = Redactor(env)

    def redact(logger: Any, method: str, event: Any) -> Any:
        return redactor.value(event)

    logger: FilteringBoundLogger = structlog.wrap_logger(
        LogFile(places.logs, clock(), max_bytes),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact,
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
    return logger.bind()


class LateLog:
    """A log that is opened with its first line. Where it can't be opened, its lines are dropped."""

    def __init__(self, opened: Callable[[], FilteringBoundLogger]) -> None:
        self._opened = functools.cache(opened)

    def debug(self, event: str, **fields: Any) -> None:
        with suppress(StoreError):
            self._opened().debug(event, **fields)

    def info(self, event: str, **fields: Any) -> None:
        with suppress(StoreError):
            self._opened().info(event, **fields)

    def warning(self, event: str, **fields: Any) -> None:
        with suppress(StoreError):
            self._opened().warning(event, **fields)

    def error(self, event: str, **fields: Any) -> None:
        with suppress(StoreError):
            self._opened().error(event, **fields)
