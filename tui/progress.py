"""How a running session shows itself: a live line on a terminal, a line a stage when piped, JSON lines for programs."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Protocol

import msgspec

from treadle.core import allowances, concerns, wire
from treadle.core.counting import counted
from treadle.core.events import Delta, Event, Item, Progress
from treadle.core.plan_question import plan_lines
from treadle.core.records import Plan
from treadle.core.wall import TOLD
from treadle.tui.commands.options import show_notice
from treadle.tui.durations import asked_again
from treadle.tui.fitting import fitted
from treadle.tui.safe_text import clean_line, shortened

REDRAW_S = 0.1
"""Seconds between two drawings of the live line."""

LONGEST_STEP = 240
"""Characters of a step of a plan that are shown; the log, and the question whether to follow it, have all of it."""

_TOLD_AT_ONCE = frozenset(
    {
        *("plugin.fault", "stage.timed_out", "model.failed", "model.absent", "model.switched", "budget.warned"),
        *("packages.installed", "packages.failed", "concerns.allowed"),
    }
)


class Reporter(Protocol):
    """Reads what a session publishes, from the session's threads, between `__enter__` and `__exit__`."""

    def __enter__(self) -> Reporter: ...

    def __exit__(self, *_: object) -> None: ...

    def __call__(self, item: Item) -> None: ...

    def say(self, text: str) -> None:
        """Say what the person must know; never where a program reads events."""


class JsonLines:
    """Each event as a line of JSON; progress is not logged, so it is not printed either."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.flush()

    def __call__(self, item: Item) -> None:
        if isinstance(item, Event):
            self._out.write(wire.to_json(item) + b"\n")
            self._out.flush()

    def say(self, text: str) -> None:
        show_notice(text)


class FaultLines:
    """Tells of plugins' faults: each plugin's first one, and the one for which it is switched off."""

    def __init__(self) -> None:
        self._told: set[tuple[str, bool]] = set()

    def line(self, event: Event) -> str | None:
        """The line for this fault, None when the person knows already."""
        data = event.data
        known = (data["plugin"], data["hook"] in TOLD) in self._told
        self._told.add((data["plugin"], data["hook"] in TOLD))
        if data["off"] and data["hook"] in TOLD:
            return clean_line(
                f"fault      plugin {data['plugin']} is told nothing more in this session, and still asked; the last "
                f"of its faults, {data['hook']}: {data['error']}"
            )
        if data["off"]:
            return clean_line(
                f"fault      plugin {data['plugin']} is switched off for the rest of this session; the last of its "
                f"faults, {data['hook']}: {data['error']}"
            )
        return None if known else clean_line(f"fault      plugin {data['plugin']}, {data['hook']}: {data['error']}")


class PlainLines:
    """A line for each stage that has ended, and for what went wrong on the way."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._faults = FaultLines()

    def __enter__(self) -> PlainLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.flush()

    def __call__(self, item: Item) -> None:
        if not isinstance(item, Event):
            return
        line = self._faults.line(item) if item.kind == "plugin.fault" else line_of(item)
        if line is not None:
            print(_fitted(line, self._out), file=self._out, flush=True)

    def say(self, text: str) -> None:
        print(_fitted(f"note: {clean_line(text)}", self._out), file=self._out, flush=True)


class LiveLine:
    """One line that is drawn over again: the stage, how far it has come, and the time it has taken. `plan_is_asked`:
    the person is asked about each plan, and shown it then, until one is followed."""

    def __init__(
        self, out: IO[str], clock: Callable[[], float] = time.monotonic, *, plan_is_asked: bool = False
    ) -> None:
        self._out = out
        self._plan_is_asked = plan_is_asked
        self._clock = clock
        self._began = clock()
        self._faults = FaultLines()
        self._stage = "starting"
        self._counted = ""
        self._said = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._redraw, name="treadle-live-line", daemon=True)

    def __enter__(self) -> LiveLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._write("")

    def __call__(self, item: Item) -> None:
        with self._lock:
            if isinstance(item, Progress):
                count = f"{item.done} / {item.total}" if item.total else str(item.done)
                self._counted = f"{count} {item.text}"
            elif isinstance(item, Delta):
                self._said += len(item.text)
                self._counted = f"{counted(self._said, 'character')} {'thought' if item.thinking else 'written'}"
            elif not isinstance(item, Event):
                return
            elif item.kind == "stage.started":
                self._stage, self._counted, self._said = str(item.data["stage"]), "", 0
                self._plan_is_asked = self._plan_is_asked and self._stage in ("recall", "plan")
            elif item.kind in _TOLD_AT_ONCE or self._tells_plan(item):
                line = self._faults.line(item) if item.kind == "plugin.fault" else line_of(item)
                if line is not None:
                    self._write("")
                    print(_fitted(line, self._out), file=self._out, flush=True)

    def _tells_plan(self, item: Event) -> bool:
        return item.kind == "stage.finished" and item.data["stage"] == "plan" and not self._plan_is_asked

    def say(self, text: str) -> None:
        with self._lock:
            self._write("")
            print(_fitted(f"note: {clean_line(text)}", self._out), file=self._out, flush=True)

    def _redraw(self) -> None:
        while not self._ended.wait(REDRAW_S):
            with self._lock:
                self._write(live_text(self._stage, self._counted, self._clock() - self._began))

    def _write(self, text: str) -> None:
        self._out.write("\r\x1b[2K" + text)
        self._out.flush()


def _fitted(text: str, out: IO[str]) -> str:
    """The text, of lines that fit the terminal where it is printed on one."""
    return fitted(text, shutil.get_terminal_size().columns if out.isatty() else 0)


def live_text(stage: str, counted: str, elapsed_s: float) -> str:
    """The live line's text, never wider than the terminal (a wrapped line could not be drawn over)."""
    minutes, seconds = divmod(int(elapsed_s), 60)
    width = shutil.get_terminal_size().columns - 1
    return f"{minutes:02d}:{seconds:02d}  {clean_line(stage)}  {clean_line(counted)}".rstrip()[:width]


def line_of(event: Event) -> str | None:
    """The line that an event is worth in plain output, None for most of them."""
    data = event.data
    match event.kind:
        case "stage.finished":
            return f"{data['stage']:<10} {data['seconds']:.1f} s{_came_of(data)}"
        case "model.failed" if data.get("trouble") != "fault":  # a fault has a line of its own
            again = asked_again(data["again_in_s"])
            return "model      " + clean_line(f"{data['model']}: {data['message']}{again}")
        case "model.absent":
            return "model      not asked: " + clean_line(f"{data['why']}")
        case "model.switched":
            return "model      " + clean_line(f"{data['to']} is asked in place of {data['from']}")
        case "budget.warned":
            return "budget     " + clean_line(f"{data['text']}")
        case "packages.installed":
            names = ", ".join(str(line).partition(" ")[0] for line in data["packages"])
            return "packages   " + clean_line(f"installed for the sandbox in {data['seconds']:.1f} s: {names}")
        case "packages.failed":
            return "packages   " + clean_line(f"{data['error']}")
        case "question.answered":
            words = f": {data['words']}" if data.get("words") else ""
            return "answered   " + clean_line(f"{data['answer']}{words}")
        case "concerns.allowed":
            passed = allowances.of_event(event)
            told = (clean_line(f"{concerns.said(each.concern)}; {allowances.why(each)}") for each in passed)
            return "\n".join(f"not asked  {line}" for line in told)
        case "candidate.proposed":
            return "candidate  " + clean_line(f"{data['why']}")
        case "attempt.ended":
            reasons = "; ".join(data["reasons"])
            return clean_line(f"attempt {data['number']}  {data['verdict']}: {reasons}")
        case "stage.timed_out":
            return "timeout    " + clean_line(f"{data['error']}")
        case "session.resumed":
            return "resumed    what was finished is not done again"
    return None


def _plan(result: dict[str, Any]) -> str:
    """A plan that a model made, line by line."""
    plan = msgspec.convert(result, Plan)
    lines = () if plan.goal == "pass" else plan_lines(plan)
    return "".join(f"\n             {shortened(clean_line(line), LONGEST_STEP)}" for line in lines)


def _came_of(data: dict[str, object]) -> str:
    result = data.get("result")
    if data["stage"] == "plan" and isinstance(result, dict) and result.get("difficulty"):
        return _plan(result)
    if data["stage"] in ("recall", "scan") and isinstance(result, (list, tuple)):
        noun = {"recall": "lesson", "scan": "finding"}[str(data["stage"])]
        return f"  {counted(len(result), noun)}"
    return ""
