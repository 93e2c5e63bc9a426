"""Running a session from a command: in its own thread, shown as it goes, stopped by Ctrl-C, asked on a terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from treadle.core import wire
from treadle.core.acceptance import Acceptance
from treadle.core.conversations import failure_of
from treadle.core.errors import StoreError, TreadleError, UsageError
from treadle.core.events import Event
from treadle.core.home import home_folder
from treadle.core.metrics import tried_in_vain
from treadle.core.model_use import use_of
from treadle.core.patches.patch import Patch, unified_diff
from treadle.core.project import Project
from treadle.core.project_root import find_root
from treadle.core.records import Outcome, Task, Workspace
from treadle.core.session import Session
from treadle.core.states import SETTLED
from treadle.core.tree.workspace import Tree
from treadle.core.worked_time import worked_seconds
from treadle.tui.asking import ask
from treadle.tui.commands.options import show_notice
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import columns, fitted, is_plain, tell
from treadle.tui.next_steps import in_lines, next_steps
from treadle.tui.progress import JsonLines, LiveLine, PlainLines, Reporter
from treadle.tui.result import Result, failed, result_of, to_text
from treadle.tui.safe_text import clean_line, visible
from treadle.tui.typed import number, yes
from treadle.tui.unsolved import nothing_to_apply
from treadle.tui.ways import converses, treadle_in
from treadle.tui.where_it_stands import interruptible, tell_interruption

STOP_WAIT_S = 0.8
"""Seconds that a stopped session gets to clean up before the program leaves it; it can be resumed all the same."""

_WORTH_KEEPING = ("model.asked", "attempt.ended", "question.answered")
"""Events of which a session is not deleted that was asked for wrongly: something was paid, made or said."""

_WITHOUT_A_PATCH = ("UNSOLVED", "OVER_BUDGET", "NEEDS_PERSON")
"""States in which a person who wants it applied is told that nothing was; who has stopped it knows."""

Document = Callable[[Result, Outcome | None], str]


@dataclass(frozen=True)
class Show:
    """How a command shows a session, and what the person allowed it: `apply` the patch without asking, `merge` it
    with what they have changed since; `looked_at`: they have seen it, so that nothing holds it back. `offers`: the
    patch is offered to them at all. `document`: the result in a form that another program reads, the outcome None where
    an error ended the session; nothing else is printed then."""

    as_json: bool = False
    document: Document | None = None
    apply: bool = False
    merge: bool = False
    looked_at: bool = False
    offers: bool = True

    @property
    def interactive(self) -> bool:
        """Whether there is a person at a terminal who can be asked. In a conversation they are asked nothing besides:
        each line that they write is heard in the same way."""
        return not self.for_program and not converses() and sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def for_program(self) -> bool:
        """Whether what is printed is read by a program."""
        return self.as_json or self.document is not None

    def reporter(self, task: Task) -> Reporter:
        """Who shows the events of a session with that task as they come."""
        if self.as_json:
            return JsonLines(sys.stdout.buffer)
        if sys.stderr.isatty() and not is_plain() and os.environ.get("TERM", "dumb") != "dumb":
            return LiveLine(sys.stderr, plan_is_asked=task.shows_plan and self.interactive)
        return PlainLines(sys.stderr)


def run_session(project: Project, session: Session, show: Show) -> int:
    """Run the session until it ends or rests, show the result, apply it when that is wanted; the exit code."""
    for notice in project.notices():
        show_notice(notice)
    is_new = project.store.last_seq(session.id) == 1
    try:
        outcome = _run_shown(project, session, show)
        while outcome.state == "NEEDS_PERSON" and show.interactive and _ask(project, session):
            outcome = _run_shown(project, session, show)
        return _finish(project, session, outcome, show)
    except (click.Abort, KeyboardInterrupt):  # at a question, or while the result was being shown
        return tell_interruption(go_on=f"{_treadle(project)} resume {session.id}")
    except TreadleError as error:
        state = project.store.session(session.id).state
        was_kept = not (is_new and isinstance(error, UsageError) and _dropped(project, session.id))
        name = session.id if was_kept else ""
        came = failed(name, session.task.kind, state, error, _folder(project))
        if show.for_program:
            print_for_program(came, None, show)
        elif not isinstance(error, UsageError | StoreError) and failure_of(project.store.events(session.id)):
            error.add_note(in_lines(next_steps(came), columns(err=True)))  # said below the error
        raise


def _dropped(project: Project, session: str) -> bool:
    """Delete a session that was asked for wrongly, as turned out when it was planned: nobody has anything from it, and
    "last" shall mean the one before. False where something has come of it."""
    if any(event.kind in _WORTH_KEEPING for event in project.store.events(session)):
        return False
    project.store.delete(session)
    return True


def _run_shown(project: Project, session: Session, show: Show) -> Outcome:
    with show.reporter(session.task) as reporter, project.telling(reporter.say):
        if project.store.last_seq(session.id) == 1:
            # The session's creation, which was before anybody listened.
            for event in project.store.events(session.id):
                reporter(event)
        unsubscribe = project.bus.subscribe(reporter)
        try:
            return _run_in_thread(session, f"{_treadle(project)} resume {session.id}")
        finally:
            unsubscribe()


def _ask(project: Project, session: Session) -> bool:
    """Ask the person what the session rests on, and log the answer; False when it rests on nothing."""
    question = project.open_question(session.id)
    if question is None:
        return False
    project.answer(session.id, *ask(question))
    return True


def _finish(project: Project, session: Session, outcome: Outcome, show: Show) -> int:
    publish = JsonLines(sys.stdout.buffer) if show.as_json else _ignore
    acceptance = project.acceptance(session.id, publish)
    question = project.open_question(session.id) if outcome.state not in SETTLED else None
    shown = result_of(
        session.id,
        outcome,
        patch="" if outcome.task.before else acceptance.diff(),  # who has it checked has made it
        nearest_patch=acceptance.nearest_diff(outcome),
        seconds=worked_seconds(project.store.events(session.id)),
        applied=acceptance.is_applied(),
        models=use_of(project.store.events(session.id)),
        question=question,
        folder=_folder(project),
        has_usd="budget.usd" in project.choices.settings,
        in_vain=tried_in_vain(project.store.events(session.id)),
        replays=project.store.session(session.id).replays,
    )
    has_patch = outcome.task.kind != "check" and outcome.state == "SOLVED" and bool(shown.files)
    if has_patch and not shown.applied and acceptance.is_there(outcome):
        shown = _already_there(shown)
    may_apply = show.offers and has_patch and not shown.applied and not shown.stands
    if shown.applied and show.apply:
        shown = _with_note(shown, "the patch was applied before: nothing was done now")
    elif may_apply and show.apply and outcome.partial and not show.looked_at:
        shown = _held_back(shown, show, "not everything could be looked at: read the notes and the patch")
    elif may_apply and show.apply and shown.confidence == "low" and not show.looked_at:
        shown = _held_back(shown, show, "the tests say little about it: see under Trust why, and read the patch")
    elif may_apply and show.apply and shown.asking and _was_only_shown(outcome) and not show.looked_at:
        shown = _held_back(shown, show, "a scanner found what a person should look at: read the findings and the patch")
    elif may_apply and show.apply:
        try:
            shown = _apply(acceptance, outcome, shown, acceptance.merged(outcome) if show.merge else None)
        except TreadleError:
            if not show.for_program and not _was_shown(show):
                click.echo(to_text(shown, with_next_steps=False, width=columns()), nl=False)
            raise
    elif show.apply and (shown.answer or (outcome.task.kind != "check" and outcome.state in _WITHOUT_A_PATCH)):
        shown = _with_note(shown, nothing_to_apply(shown))
    if show.for_program:
        print_for_program(shown, outcome, show)
        return shown.exit_code
    asks = may_apply and not shown.applied and not shown.stands and show.interactive
    asks = asks and shown.exit_code != ExitCode.INTERRUPTED
    if _was_shown(show) and (shown.applied or shown.stands):
        _tell_on([note for note in shown.notes if note not in outcome.notes], shown)
        return shown.exit_code
    click.echo(to_text(shown, with_next_steps=show.offers and not asks, width=columns()), nl=False)
    if asks and shown.rivals and shown.disagreements and _choose(project, session, shown):
        again = project.resume(session.id)
        return _finish(project, again, _run_shown(project, again, show), show)
    if asks:
        said = shown.notes
        try:
            wanted = yes("\nApply this patch?")
        except click.Abort:
            go_on = f"{treadle_in(shown.folder)} resume {session.id}"
            return tell_interruption("nothing was applied", go_on)
        if wanted:
            shown = _apply_asking(project.root, acceptance, outcome, shown)
        _tell_on([note for note in shown.notes if note not in said], shown)
    return shown.exit_code


def _tell_on(notes: list[str], shown: Result) -> None:
    """Say what came of the person's decision, and what they can do now."""
    for text in (*(fitted(note, columns()) for note in notes), in_lines(next_steps(shown), columns())):
        if text:
            click.echo(text)


def _choose(project: Project, session: Session, shown: Result) -> bool:
    """Ask the person which of the changes they mean that every test passes with; False where they take the one that
    holds as it stands. Raises `click.Abort`."""
    last = len(shown.rivals) + 1
    question = f"\nWhich one is meant, 1 to {last}? (1 is this patch)"
    which = number(question, last)
    has_test = any("".join(each.tests[which - 1 : which]) for each in shown.disagreements)
    keeps = has_test and yes("Keep the example as a test of the project?")
    if which == 1 and not keeps:
        return False
    project.choose(session.id, which, keeps_example=keeps)
    return True


def started_in() -> Path:
    """The folder in which the person gave the command, before `-C`: what they are told to do next is done there."""
    found = click.get_current_context().find_object(Path)
    return found or Path.cwd()


def _apply_asking(folder: Path, acceptance: Acceptance, outcome: Outcome, shown: Result) -> Result:
    """Apply the patch; where the person has changed other lines of its files since, ask whether both go together."""
    if acceptance.is_applied():
        note = "the patch was applied meanwhile by somebody else: nothing was done now"
        return _with_note(msgspec.structs.replace(shown, applied=True), note)
    if acceptance.is_there(outcome):
        return _already_there(shown)
    together = acceptance.merged(outcome)
    if together is None:
        return _apply(acceptance, outcome, shown)
    root = str(folder)
    now = Tree(Workspace(id="", kind="overlay", project=root, root=root, upper=""))
    click.echo("\n" + visible(unified_diff(together, now)), nl=False)
    tell("\nIts files have changed since it was made, in other lines. This is the patch for them as they are now.")
    if not yes("Apply it like this?"):
        return shown
    return _apply(acceptance, outcome, shown, together)


def _already_there(shown: Result) -> Result:
    note = "the files are as the patch would make them already: nothing was changed"
    return _with_note(msgspec.structs.replace(shown, stands=True), note)


def _apply(acceptance: Acceptance, outcome: Outcome, shown: Result, merged: Patch | None = None) -> Result:
    """Apply the patch, or what was merged from it. An interruption waits until that is done; then the result tells of
    it."""
    try:
        with interruptible():
            applied = acceptance.apply(outcome, merged)
    except KeyboardInterrupt:
        applied = acceptance.is_applied()
        tell_interruption("the patch was applied before that, all of it" if applied else "nothing was applied")
        return msgspec.structs.replace(shown, applied=applied, exit_code=int(ExitCode.INTERRUPTED))
    if not applied:
        return _already_there(shown)
    if merged is not None:
        shown = _with_note(shown, "put together with what was changed in its files since: that was not tested together")
    return msgspec.structs.replace(shown, applied=True)


def _was_shown(show: Show) -> bool:
    """Whether the person has read the result already: who accepts it in a conversation does so below it."""
    return show.apply and converses()


def _was_only_shown(outcome: Outcome) -> bool:
    """Whether what scanners found in the change was not asked about, since the search made it."""
    winner = outcome.winner
    return winner is not None and winner.candidate.rank is not None and not winner.allowed


def _held_back(shown: Result, show: Show, why: str) -> Result:
    """What was to be applied without asking, and is not: somebody has to look at it first."""
    note = f"not applied, since {why}"
    code = shown.exit_code if show.interactive else ExitCode.NEEDS_PERSON
    return _with_note(msgspec.structs.replace(shown, exit_code=code), note)


def _with_note(shown: Result, note: str) -> Result:
    return msgspec.structs.replace(shown, notes=(*shown.notes, note))


def print_for_program(result: Result, outcome: Outcome | None, show: Show) -> None:
    """The result as the program wants it: its document, else a line of JSON."""
    text = show.document(result, outcome).encode() if show.document is not None else wire.to_json(result) + b"\n"
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def _ignore(event: Event) -> None:
    pass


def _folder(project: Project) -> str:
    """The project's folder, where it is not the one that the command was given in."""
    return "" if find_root(started_in(), home_folder()) == project.root else str(project.root)


def _treadle(project: Project) -> str:
    """How a command about this project begins."""
    return treadle_in(_folder(project))


def _run_in_thread(session: Session, resume: str) -> Outcome:
    """The session's outcome. Ctrl-C, SIGTERM and a closed terminal ask it to stop; a second Ctrl-C leaves at once.
    `resume` is the command that goes on with it."""
    done: list[Outcome] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(session.run())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failed.append(error)

    thread = threading.Thread(target=work, name="treadle-session", daemon=True)
    with _stopping(session, resume):
        thread.start()
        left = None
        while thread.is_alive() and (left is None or time.monotonic() < left):
            thread.join(0.05)
            if session.stopping and left is None:
                left = time.monotonic() + STOP_WAIT_S
    if failed:
        raise failed[0]
    if not done:
        # What is still at work is left behind, and ends with this process; nothing may hold its exit up.
        tell_interruption(go_on=resume)
        sys.stdout.flush()
        os._exit(ExitCode.INTERRUPTED)
    return done[0]


@contextlib.contextmanager
def _stopping(session: Session, resume: str) -> Iterator[None]:
    """While the block runs, signals that end a program stop the session instead."""

    def stop(number: int, frame: object) -> None:
        if session.stopping:
            with contextlib.suppress(OSError):  # no lock may be waited for here, so none of `sys.stderr`
                told = f"treadle: interrupted\nGo on with: {clean_line(resume)}\n".encode(errors="replace")
                os.write(2, b"\n" * os.isatty(2) + told)
            os._exit(ExitCode.INTERRUPTED)
        session.stop()

    numbers = [signal.SIGINT, signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
