"""What jobs print while they run, for whoever watches: the end of it, without secrets, a few times a second.

What is told of a job is each time the end of all that it has printed, not what was added: a secret that came in two
pieces is known in the whole, a flood takes no more room than a line, and who begins to watch late misses nothing.
"""

from __future__ import annotations

import codecs
import re
import threading
from collections.abc import Callable

from treadle.core.context import Context
from treadle.core.redaction import Redactor
from treadle.core.tests_so_far import TestsSoFar

OnOutput = Callable[[int, bytes], None]
"""Takes a piece of a job's stdout (1) or stderr (2)."""

EVERY_S = 0.1
"""Seconds between two times at which a job's output is told."""
MOST_JOBS = 8
"""Jobs of one batch that can be watched."""
SHOWN_LINES = 200
SHOWN = 1 << 14
"""Characters at the end that are told, in whole lines. They are looked through for secrets with `_BEFORE` more, since
one may begin there: longer than any key is."""
_BEFORE = 1 << 14
_KEPT = SHOWN + _BEFORE
_TOO_LONG = "[a line that is too long to be shown]"

# What a test runner prints test by test: the file, and a letter for each. It is told before its line ends; any other
# line is not, as it may hold the half of a secret.
_TESTS_SO_FAR = re.compile(r"(?:[^\s=:\"']+ )?[.sxXFEpP]+")


class _Stream:
    """One stream of a job: bytes in any pieces, lines out."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._skips = False

    def add(self, data: bytes) -> str:
        """The lines that are whole by now, each with its end."""
        lines, end, rest = (self._rest + self._decoder.decode(data)).rpartition("\n")
        if self._skips and end:
            lines, self._skips = _TOO_LONG + "\n" + lines.partition("\n")[2], False
        if "\r" in rest:
            # A line that is written over again and again: its last two states, the latest of which may go on.
            before, _, latest = rest.rpartition("\r")
            rest = before.rpartition("\r")[2] + "\r" + latest
        self._skips = self._skips or len(rest) > _KEPT
        self._rest = "" if self._skips else rest
        return lines + end

    @property
    def begun(self) -> str:
        """What may be told of the line that has no end yet."""
        state, written_over, _ = self._rest.rpartition("\r")
        if written_over:
            return state
        return self._rest if _TESTS_SO_FAR.fullmatch(self._rest) else ""


class _Tail:
    """The end of what one job has printed, as it came. `lines` counts all of its lines."""

    def __init__(self) -> None:
        self.changed = False
        self.lines = 0
        self.tests = TestsSoFar()
        self._streams = {1: _Stream(), 2: _Stream()}
        self._text = ""

    def add(self, stream: int, data: bytes) -> None:
        lines = self._streams[stream].add(data)
        if "\r" in lines:
            lines = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines.split("\n"))
        self.lines += lines.count("\n")
        self.tests.add(lines)
        self._text += lines
        if len(self._text) > 2 * _KEPT:
            self._text = self._text[-_KEPT:].partition("\n")[2]
        self.changed = True

    @property
    def text(self) -> str:
        """Whole lines, and what has begun besides."""
        return self._text + "\n".join(filter(None, self._begun()))

    @property
    def tests_done(self) -> int:
        """The tests that are over, as far as the job tells of them."""
        return self.tests.done(*self._begun())

    def _begun(self) -> list[str]:
        return [stream.begun for stream in self._streams.values()]


class LiveOutput:
    """Watches the jobs of one batch in the block: `tell(job, text, left_out)` is called in a thread of its own, so that
    no job waits for it. `text` is the end of what the job has printed, `left_out` counts the lines before it.
    `count(done, total)` is called with the tests that are over in all of the jobs, where they tell of any; `total`
    None: not all of the batch's `jobs` have said how many they have."""

    def __init__(
        self,
        tell: Callable[[str, str, int], None],
        redactor: Redactor,
        count: Callable[[int, int | None], None] = lambda done, total: None,
        jobs: int = 1,
    ) -> None:
        self._tell = tell
        self._count = count
        self._jobs = jobs
        self._redactor = redactor
        self._tails: list[tuple[str, _Tail]] = []
        self._lock = threading.Lock()
        self._printed = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="treadle-live-output", daemon=True)

    def __enter__(self) -> LiveOutput:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._printed.set()
        self._thread.join()

    def of(self, job: str) -> OnOutput:
        """What is to be handed all that the job of that id prints, from any thread."""
        tail = _Tail()
        with self._lock:
            self._tails.append((job, tail))

        def printed(stream: int, data: bytes) -> None:
            with self._lock:
                tail.add(stream, data)
            self._printed.set()

        return printed

    def _work(self) -> None:
        while self._printed.wait() and not self._over.is_set():
            self._printed.clear()
            for job, text, lines in self._changed():
                shown, told = _shown(text, self._redactor)
                self._tell(job, shown, max(0, lines - told))
            done, total = self._tests()
            if done:
                self._count(done, total)
            self._over.wait(EVERY_S)

    def _tests(self) -> tuple[int, int | None]:
        with self._lock:
            tails = [tail for _, tail in self._tails]
            totals = [tail.tests.total for tail in tails]
            known = [total for total in totals if total is not None]
            is_known = len(known) == len(totals) == self._jobs
            return sum(tail.tests_done for tail in tails), sum(known) if is_known else None

    def _changed(self) -> list[tuple[str, str, int]]:
        with self._lock:
            changed = [(job, tail.text, tail.lines) for job, tail in self._tails if tail.changed]
            for _, tail in self._tails:
                tail.changed = False
        return changed


def _shown(text: str, redactor: Redactor) -> tuple[str, int]:
    """The last lines of the text without secrets, and how many that are, one that has only begun left aside."""
    text = redactor.without_begun(text)
    fitting = text[-SHOWN:].count("\n") - (len(text) > SHOWN)  # of which the first may be cut
    *lines, begun = text.split("\n")
    lines = lines[-min(SHOWN_LINES, max(1, fitting)) :]
    shown = "\n".join([*lines, begun])
    before = text[: len(text) - len(shown)][-_BEFORE:]
    if len(before) == _BEFORE:
        before = before.partition("\n")[2]
    redacted = redactor.text_by_line(before + shown).split("\n")
    return "\n".join(redacted[-len(lines) - 1 :]), len(lines)


def watcher(context: Context, job: str) -> OnOutput | None:
    """For an executor in this process: what is to be handed all that the job prints while it runs, None when nobody
    watches it."""
    watching = getattr(context, "live_output", None)
    return watching.of(job) if isinstance(watching, LiveOutput) else None
