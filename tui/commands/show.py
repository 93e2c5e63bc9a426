"""`treadle show`: what happened in a session, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click
import msgspec

from treadle.core import paths, wire
from treadle.core.acceptance import Acceptance
from treadle.core.best_attempt import nearest
from treadle.core.conversations import failure_of, outcome_of
from treadle.core.errors import UsageError
from treadle.core.events import Event, held
from treadle.core.heard_again import replayed_by
from treadle.core.model_use import use_of
from treadle.core.models.as_sent import as_sent
from treadle.core.models.messages import ModelRequest
from treadle.core.nearest import did_you_mean
from treadle.core.project import Project
from treadle.core.records import Attempt, Candidate, Execution, Verdict
from treadle.core.states import SETTLED
from treadle.core.store.session_finder import SessionRow
from treadle.core.worked_time import worked_seconds
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import columns, tell
from treadle.tui.half_applied import tell_of_half_applied
from treadle.tui.progress import line_of
from treadle.tui.result import Result, result_of, say_of, to_text
from treadle.tui.safe_text import clean, clean_line, visible

SHOWN_JOBS = 8


class _Localised(msgspec.Struct):
    """Where the search sees the fault: functions (path, name, line, suspicion), and lines (path, line, suspicion, the
    text of the line)."""

    suspects: tuple[tuple[str, str, int, float], ...]
    lines: tuple[tuple[str, int, float, str], ...] = ()


def last_execution(events: list[Event], job: str, attempt: int | None = None) -> Execution:
    """The last run of the job that the events tell of, in that attempt (0: before any), or in all. Raises `UsageError`
    when there is none."""
    ran: dict[str, Execution] = {}
    for event in events:
        if event.kind == "execute.finished" and attempt in (None, event.attempt):
            done: tuple[Execution, ...] = held(event, "result", tuple[Execution, ...])
            ran.update({execution.job: execution for execution in done})
    if job not in ran:
        names = ", ".join(list(ran)[:SHOWN_JOBS]) or "none"
        where = "before any attempt" if attempt == 0 else f"in attempt {attempt}" if attempt else "in this session"
        raise UsageError(f"no job {job!r} ran {where}; {did_you_mean(job, ran)}those that ran: {names}")
    return ran[job]


@click.command()
@click.argument("session", default="last")
@click.option("--events", is_flag=True, help="Every event, a line each.")
@click.option("--requests", is_flag=True, help="What was sent to language models, word for word.")
@click.option("--attempt", "number", type=click.IntRange(min=0), metavar="N", help="One attempt, and what it came to.")
@click.option("--diff", "as_diff", is_flag=True, help="Its change alone, as a diff; with --attempt that attempt's.")
@click.option("--suspects", is_flag=True, help="The functions and lines that a repair looked at, the worst first.")
@click.option(
    "--output",
    "job",
    metavar="JOB",
    help="What a job printed when it ran last, for example: tests; with --attempt in that one, 0: before any.",
)
@json_option
def show(
    session: str,
    events: bool,
    requests: bool,
    number: int | None,
    as_diff: bool,
    suspects: bool,
    job: str | None,
    as_json: bool,
) -> int:
    """Show SESSION (its id, the beginning of it, or "last"): its stages, its result and its patch."""
    wanted = {"--events": events, "--requests": requests, "--output": job is not None}
    wanted |= {"--attempt": number is not None and job is None, "--suspects": suspects}
    wanted |= {"--diff": as_diff and (number is None or job is not None)}
    given = [name for name, is_given in {**wanted, "--json": as_json}.items() if is_given]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} do not go together; give one of them")
    with open_project() as project:
        half = tell_of_half_applied(project)
        row = project.store.session(session)
        logged = list(project.store.events(row.id))
        if job is not None:
            _show_output(project, last_execution(logged, job, number))
        elif suspects:
            tell("\n".join(_suspects(logged)))
        elif requests:
            click.echo("\n".join(_requests(project, logged)))
        elif as_diff and number is None:
            _show_diff(project, logged)
        elif number is not None:
            _show_attempt(project, logged, number, as_diff=as_diff)
        elif as_json:
            for event in logged:
                click.echo(wire.to_json(event).decode())
        else:
            _show_session(project, row, logged, every_event=events, half_applied=row.id in half)
    return 0


def _show_session(
    project: Project, row: SessionRow, logged: list[Event], *, every_event: bool, half_applied: bool
) -> None:
    of = f"  (replays {row.replays})" if row.replays else ""
    tell(clean_line(f"{row.id}  {row.state.lower()}  {row.title}{of}"))
    for event in logged:
        line = f"{event.seq:>5}  {clean_line(event.kind)}" if every_event else line_of(event)
        if line is not None:
            tell(f"  {line}")
    outcome = outcome_of(logged)
    if failure := failure_of(logged):
        shown = Result(
            session=row.id,
            task=row.task.kind,
            state=row.state,
            exit_code=ExitCode.NOT_SOLVED,
            reason=failure,
            failed=True,
            models=use_of(logged),
            seconds=round(worked_seconds(logged), 2),
        )
        click.echo("\n" + to_text(shown, width=columns()), nl=False)
    elif outcome is not None:
        acceptance = Acceptance(project.store, project.places, project.root, row.id)
        shown = result_of(
            row.id,
            outcome,
            patch=acceptance.diff(),
            nearest_patch=acceptance.nearest_diff(outcome),
            seconds=worked_seconds(logged),
            applied=acceptance.is_applied(),
            models=use_of(logged),
            has_usd="budget.usd" in project.choices_of(row.id).settings,
            question=project.open_question(row.id) if outcome.state not in SETTLED else None,
            replays=row.replays,
        )
        stands = not shown.applied and acceptance.is_there(outcome)
        shown = msgspec.structs.replace(shown, stands=stands, half_applied=half_applied)
        click.echo("\n" + to_text(shown, width=columns()), nl=False)


def _show_output(project: Project, execution: Execution) -> None:
    for stream in (execution.stdout, execution.stderr):
        whole = project.store.get_output(stream.ref) if stream.ref else None
        click.echo(clean(whole or stream.text), nl=False)


def _suspects(logged: list[Event]) -> Iterator[str]:
    """Where the search saw the fault, functions first, with how suspicious each is. Raises `UsageError` where it has
    looked for none."""
    told = [event.data for event in logged if event.kind == "plugin.search.localised"]
    if not told:
        raise UsageError(
            "no fault was looked for by search in this session, as `treadle fix` does; "
            f"`treadle show {logged[0].session}` tells what was done"
        )
    try:
        found = msgspec.convert(told[-1], _Localised)
    except msgspec.ValidationError as error:
        raise UsageError(f"what the search said of its suspects can't be read: {error}") from error
    for path, function, line, score in found.suspects:
        yield clean_line(f"{score:5.2f}  {paths.shown_at(path, line)}  {function or '(the file itself)'}")
    yield ""
    for path, line, score, text in found.lines:
        yield clean_line(f"{score:5.2f}  {paths.shown_at(path, line)}  {text}")


def _requests(project: Project, logged: list[Event]) -> Iterator[str]:
    """Each request that was sent to a model, as it was sent, and who answered it: once for each model that got it, be
    it to count its tokens alone, under the same number. One that was not sent is there too, with the reason."""
    answered = {event.parent: event.data for event in logged if event.kind == "complete.finished"}
    failed = {event.parent: event.data for event in logged if event.kind == "complete.failed"}
    is_replay = any(map(replayed_by, logged))
    started = [event for event in logged if event.kind == "complete.started"]
    sent: dict[str, dict[str, Event]] = {}
    for event in logged:
        if event.kind in ("model.asked", "model.counting"):
            of_call = sent.setdefault(str(event.data.get("call")), {})
            name = str(event.data["model"])
            if event.kind == "model.asked" or name not in of_call:
                of_call[name] = event
    if not started:
        yield "this session has asked no language model"
    for number, event in enumerate(started, 1):
        who = str(answered.get(event.seq, {}).get("model", ""))
        told = [(each.kind, each.data) for each in sent.get(str(event.data["key"]), {}).values()]
        text = project.store.get_output(str(event.data.get("request", "")))
        for place, (kind, data) in enumerate(told or [("", {"model": who} if who else {})]):
            name = str(data.get("model", ""))
            heard = name if name and who == name else f"{name}, which gave no reply"
            why = _why_not_asked(failed.get(event.seq), is_replay=is_replay)
            if not name:
                heard = f"not sent{why}"
            elif kind == "model.counting":
                heard = f"{name}, sent to be counted, then not asked{why}"
            which = f"{number} again" if place else number
            yield clean_line(f"--- request {which}: {event.data.get('role')} ({event.data.get('stage')}), {heard}")
            yield _as_sent(text, data) if text else "(it is kept no longer; see the setting retention.output_days)"


def _why_not_asked(failed: Mapping[str, Any] | None, *, is_replay: bool) -> str:
    """Why nobody was asked: what ended the request, if that is known; words to be added."""
    if failed is not None:
        return f"{', as then' if is_replay else ''}: {failed['message']}"
    return ": nobody has been asked yet, or the session was interrupted before"


def _as_sent(text: str, told: dict[str, object]) -> str:
    """What went to a model, of the request that is kept as this text; the text itself where it can't be read."""
    try:
        plain = as_sent(msgspec.json.decode(text, type=ModelRequest), told)
    except (ValueError, RecursionError):  # an argument of a tool's may be nested deeply
        return clean(text).rstrip()
    return clean(msgspec.json.format(msgspec.json.encode(plain)).decode())


def _show_attempt(project: Project, logged: list[Event], number: int, *, as_diff: bool) -> None:
    outcome = outcome_of(logged)
    attempts = outcome.attempts if outcome else ()
    judged = next((each for each in attempts if each.number == number), None)
    attempt = judged or _not_run(logged, number)
    if attempt is None:
        session = logged[0].session
        none = "it has answered a question" if outcome and outcome.answer else "none has ended yet"
        made = f"it has {len(attempts)}" if attempts else none
        raise UsageError(
            f"there is no attempt {number} in session {session}: {made}; `treadle show {session}` tells of it"
        )
    if as_diff:
        diff = project.acceptance(logged[0].session).diff_of(attempt)
        click.echo(visible(diff), nl=False)
    else:
        tell("\n".join(_attempt_lines(attempt, attempt.verdict.state if judged else "not judged yet")))


def _show_diff(project: Project, logged: list[Event]) -> None:
    """The change that the session found, else that of the attempt which came nearest, else of the last one."""
    outcome = outcome_of(logged)
    if outcome is None or not outcome.attempts:
        session = logged[0].session
        raise UsageError(f"session {session} has made no change yet; `treadle show {session}` tells how it stands")
    attempt = outcome.winner or nearest(outcome) or outcome.attempts[-1]
    click.echo(visible(project.acceptance(logged[0].session).diff_of(attempt)), nl=False)


def _not_run(logged: list[Event], number: int) -> Attempt | None:
    """The attempt of that number which was made, and of which nothing is known yet: the person is asked whether it may
    run."""
    for event in reversed(logged):
        data = event.data
        if event.kind == "stage.finished" and data["stage"] == "generate" and event.attempt == number:
            candidate: Candidate | None = held(event, "result", Candidate | None)
            return Attempt(number=number, candidate=candidate, verdict=Verdict(state="failed")) if candidate else None
    return None


def _attempt_lines(attempt: Attempt, came: str) -> Iterator[str]:
    candidate = attempt.candidate
    yield clean_line(f"Attempt {attempt.number}, {came}: {candidate.why}")
    yield "Files     " + clean_line(", ".join(paths.shown(change.path) for change in candidate.files))
    yield from ("Because   " + clean_line(reason) for reason in attempt.verdict.reasons)
    for signal in attempt.signals:
        yield "Check     " + clean_line(say_of(signal))
        yield from (f"            {clean_line(line)}" for line in signal.details)
    for f in attempt.findings:
        yield "Finding   " + clean_line(f"{f.severity} {paths.shown_at(f.path, f.line)}: {f.message} ({f.rule})")
    if attempt.reflection:
        yield "Advice    " + clean_line(attempt.reflection.advice)
