"""Running a session from a command: in its own thread, shown as it goes, stopped by Ctrl-C, asked on a terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import click

from treadle.core import wire
from treadle.core.acceptance import Acceptance
from treadle.core.project import Project
from treadle.core.records import Outcome
from treadle.core.session import Session
from treadle.tui.exit_codes import ExitCode
from treadle.tui.progress import JsonLines, LiveLine, PlainLines, Reporter
from treadle.tui.result import Result, result_of, to_text
from treadle.tui.safe_text import clean_line

STOP_WAIT_S = 0.9
"""Seconds that a stopped session gets to clean up before the program leaves it; it can be resumed all the same."""


@dataclass(frozen=True)
class Show:
    """How a command shows a session, and what the person allowed it: `apply` the patch without asking."""

    as_json: bool = False
    apply: bool = False

    @property
    def interactive(self) -> bool:
        """Whether there is a person at a terminal who can be asked."""
        return not self.as_json and sys.stdin.isatty() and sys.stdout.isatty()

    def reporter(self) -> Reporter:
        """Who shows the events as they come."""
        if self.as_json:
            return JsonLines(sys.stdout.buffer)
        if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
            return LiveLine(sys.stderr)
        return PlainLines(sys.stderr)


def run_session(project: Project, session: Session, show: Show) -> int:
    """Run the session until it ends or rests, show the result, apply it when that is wanted; the exit code."""
    began = time.monotonic()
    for notice in project.notices():
        click.echo(f"note: {clean_line(notice)}", err=True)
    with show.reporter() as reporter:
        unsubscribe = project.bus.subscribe(reporter)
        try:
            outcome = _run_in_thread(session)
        finally:
            unsubscribe()
    while outcome.state == "NEEDS_PERSON" and show.interactive:
        question = project.open_question(session.id)
        if question is None:
            break
        for detail in question.details:
            click.echo(f"  {clean_line(detail)}")
        answer = click.prompt(clean_line(question.text), type=click.Choice(question.options))
        project.answer(session.id, answer)
        return run_session(project, session, show)
    return _finish(project, session, outcome, show, time.monotonic() - began)


def _finish(project: Project, session: Session, outcome: Outcome, show: Show, seconds: float) -> int:
    acceptance = Acceptance(project.store, project.places, project.root, session.id)
    question = project.open_question(session.id) if outcome.state == "NEEDS_PERSON" else None
    shown = result_of(
        session.id,
        outcome,
        patch=acceptance.diff(outcome),
        seconds=seconds,
        applied=acceptance.is_applied(),
        question=question.text if question else "",
        options=question.options if question else (),
    )
    may_apply = outcome.winner is not None and bool(shown.patch) and not shown.applied
    if may_apply and show.apply:
        acceptance.apply(outcome)
        shown = _applied(shown)
    if show.as_json:
        sys.stdout.buffer.write(wire.to_json(shown) + b"\n")
        sys.stdout.buffer.flush()
        return shown.exit_code
    click.echo(to_text(shown), nl=False)
    if may_apply and not shown.applied and show.interactive and click.confirm("Apply this patch?", default=False):
        acceptance.apply(outcome)
        click.echo(f"Applied. Take it back with: treadle undo {session.id}")
    return shown.exit_code


def _applied(result: Result) -> Result:
    import msgspec

    return msgspec.structs.replace(result, applied=True)


def _run_in_thread(session: Session) -> Outcome:
    """The session's outcome. Ctrl-C, SIGTERM and a closed terminal ask it to stop; a second Ctrl-C leaves at once."""
    done: list[Outcome] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(session.run())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failed.append(error)

    thread = threading.Thread(target=work, name="treadle-session", daemon=True)
    with _stopping(session):
        thread.start()
        left = None
        while thread.is_alive() and (left is None or time.monotonic() < left):
            thread.join(0.05)
            if session.stopping and left is None:
                left = time.monotonic() + STOP_WAIT_S
    if failed:
        raise failed[0]
    if not done:
        raise KeyboardInterrupt
    return done[0]


@contextlib.contextmanager
def _stopping(session: Session) -> Iterator[None]:
    """While the block runs, signals that end a program stop the session instead."""

    def stop(number: int, frame: object) -> None:
        if session.stopping:
            os._exit(ExitCode.INTERRUPTED)
        session.stop()

    numbers = [signal.SIGINT, signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
