"""What a session came to, as a person reads it and as a program reads it: one record, two renderings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from treadle.core import paths
from treadle.core.approval import RUN
from treadle.core.best_attempt import compared, nearest, speaks_for
from treadle.core.counting import counted
from treadle.core.errors import TreadleError
from treadle.core.model_use import ModelUse
from treadle.core.records import Attempt, Candidate, Disagreement, Execution, Finding, Outcome, Question, Record, Signal
from treadle.core.states import ENDED
from treadle.core.testrun import COMMAND_RUNNER, TestReport, TestResult, report_of
from treadle.core.trust_in import trust_in
from treadle.tui import unsolved
from treadle.tui.asked_about import code_lines, once_more, with_code
from treadle.tui.exit_codes import ExitCode, of_error, of_outcome
from treadle.tui.fitting import fitted
from treadle.tui.next_steps import in_lines, next_steps
from treadle.tui.renamed_in_patch import renamed
from treadle.tui.safe_text import clean, clean_line, visible, visible_line
from treadle.tui.ways import treadle_in

SHOWN_TESTS = 8
"""Names of tests that are shown before the rest are only counted."""

SHOWN_FINDINGS = 50
"""Findings, notes and the like that are shown before the rest are only counted; `--json` has all of them."""

SHOWN_DETAILS = 8
"""Lines of each validator that speaks against the change: the last ones, where a traceback says what it was."""


_NOT_SOLVED = ("UNSOLVED", "OVER_BUDGET", "STOPPED")

_Standing = Literal["passes", "fails", "not run"]


class Result(Record, frozen=True, kw_only=True):
    """How a session ended or rests. `patch` is a unified diff, empty when there is none; `applied` says that this
    session put it into the files, `stands` that they were so already; `failed`: an error made it impossible to go on;
    `seconds` is working time. `folder` is the project's, where it is not the one that the command was given in.
    `confidence` is how far the change can be trusted, `trust` why; `rivals` say what other changes make that all tests
    pass with as well, `disagreements` where they come to other ends. `partial`: not everything could be looked at, and
    `notes` name what. Of `failed_before`, `still_failing` fail with the change as well, and `not_run_now` did not run
    with it; the others pass. `renamed`: what the patch calls some of them, by what they were called. `untested`: a
    change holds, and nothing has passed with it. `half_applied`: an apply or undo of the patch was cut off.
    `to_look_at` is the number of the attempt that the question is about, 0 where it is about none. `nearest` is the
    number of the attempt that came nearest where none passed, 0 where there is none: then the tests and checks are told
    of that one, `nearest_patch` is its change (of a session that has ended), `broken_now` are the tests that passed
    before and do not with it, `causes` say what is wrong as far as no check says it, `advice` what was advised.
    `limited_by` is the setting whose limit ended the session, where a larger one leads on, and `enough` such a one, as
    it is typed. `had_passed` is the number of the attempt that passed before the person spoke against it, to which the
    session can go back where it is not solved otherwise; 0 where there is none. `findings` begin with their severity,
    the worst first: `asking` of them ask for a look, and `refused_for` is what those say that deny; where none does,
    what the person said and was asked about. `replays` is the session that this one does again."""

    kind: str = "result"
    session: str
    task: str
    state: str
    exit_code: int
    reason: str = ""
    notes: tuple[str, ...] = ()
    partial: bool = False
    why: str = ""
    remedy: str = ""
    confidence: str = ""
    trust: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    patch: str = ""
    files: tuple[str, ...] = ()
    failed_before: tuple[str, ...] = ()
    still_failing: tuple[str, ...] = ()
    not_run_now: tuple[str, ...] = ()
    renamed: dict[str, str] = {}
    failing_now: tuple[str, ...] = ()
    broken_now: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    passing_now: int = 0
    tried: int = 0
    total: int = 0
    attempts: int = 0
    signals: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    asking: int = 0
    refused_for: tuple[str, ...] = ()
    nearest: int = 0
    nearest_patch: str = ""
    causes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    limited_by: str = ""
    enough: str = ""
    had_passed: int = 0
    answer: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    with_words: tuple[str, ...] = ()
    asked_about: tuple[str, ...] = ()
    asked_code: tuple[str, ...] = ()
    to_look_at: int = 0
    untested: bool = False
    applied: bool = False
    half_applied: bool = False
    stands: bool = False
    failed: bool = False
    models: ModelUse = ModelUse()
    seconds: float = 0.0
    folder: str = ""
    replays: str = ""


def result_of(
    session: str,
    outcome: Outcome,
    *,
    patch: str,
    seconds: float,
    applied: bool,
    nearest_patch: str = "",
    models: ModelUse = ModelUse(),  # noqa: B008 - it is frozen
    question: Question | None = None,
    folder: str = "",
    has_usd: bool = False,
    in_vain: tuple[int, int] = (0, 0),
    replays: str = "",
) -> Result:
    """The result of a session, from its outcome. `nearest_patch` is the change of the attempt that came nearest;
    `has_usd`: the person has given this session a budget of money of its own; `in_vain`: how many variants were tried,
    and of how many, where no candidate came of it."""
    last = outcome.attempts[-1] if outcome.attempts else None
    best = nearest(outcome)
    shown = outcome.winner or best or last
    told = best or (last if last is not None and last.candidate.failed else None)
    refused = last if of_outcome(outcome) == ExitCode.REFUSED else None
    findings = _worst_first(refused or shown)
    before = _reports(outcome.baseline)
    now = _reports(shown.executions) if shown else before
    candidate = shown.candidate if shown else None
    called = _renamed(before, now, patch or nearest_patch)
    standing = _standing(before, now, candidate, called)
    # Of what a person has checked, they have made the change themselves.
    confidence = trust_in(outcome.winner) if outcome.winner is not None and outcome.task.kind != "check" else None
    return Result(
        session=session,
        task=outcome.task.kind,
        state=outcome.state,
        exit_code=of_outcome(outcome),
        # What leads on from the best attempt is told in its own place.
        reason=(outcome.reason if best else outcome.told) or _denied(last),
        notes=(*outcome.notes, *(_unpriced_notes(models) if has_usd else ())),
        partial=outcome.partial,
        why=candidate.why if candidate else "",
        remedy=candidate.remedy if candidate else "",
        confidence=confidence.level if confidence else "",
        trust=confidence.reasons if confidence else (),
        rivals=tuple(rival.why for rival in confidence.rivals) if confidence else (),
        disagreements=confidence.disagreements if confidence else (),
        patch=patch,
        files=tuple(change.path for change in candidate.files) if candidate else (),
        failed_before=tuple(standing),
        still_failing=tuple(name for name, how in standing.items() if how == "fails"),
        not_run_now=tuple(name for name, how in standing.items() if how == "not run"),
        renamed=called,
        failures=tuple(
            words for execution in (best.executions if best else outcome.baseline) for words in _reasons_of(execution)
        )[:SHOWN_TESTS],
        broken_now=compared(outcome.baseline, best.executions).broken if best and best.executions else (),
        failing_now=tuple(name for report in now for _, name in _names_of(report)),
        passing_now=sum(len(report.passing) for report in now),
        tried=candidate.tried if candidate else in_vain[0],
        total=candidate.total if candidate else in_vain[1],
        attempts=len(outcome.attempts),
        signals=tuple(say_of(signal) for signal in shown.signals) if shown else (),
        details=tuple(line for s in shown.signals if not s.ok for line in s.details[-SHOWN_DETAILS:]) if shown else (),
        findings=tuple(f"{each.severity} {_said(each)}" for each in findings),
        asking=sum(each.severity == "ask" for each in findings),
        refused_for=tuple(_said(each) for each in findings if each.severity == "deny")
        or (refused.verdict.reasons if refused else ()),
        nearest=best.number if best else 0,
        nearest_patch=nearest_patch if best and outcome.state in ENDED else "",
        causes=unsolved.causes_of(told) if told else (),
        advice=unsolved.advice_of(outcome, told) if told else (),
        limited_by=outcome.limited_by,
        enough=outcome.enough,
        had_passed=outcome.had_passed if outcome.state in _NOT_SOLVED else 0,
        answer=outcome.answer,
        asked_about=question.details if question else (),
        asked_code=question.code if question else (),
        question=question.text if question else "",
        options=question.options if question else (),
        with_words=question.with_words if question else (),
        to_look_at=len(outcome.attempts) + 1 if question and question.id == RUN else 0,
        untested=outcome.winner is not None and not any(map(speaks_for, outcome.winner.executions)),
        applied=applied,
        models=models,
        seconds=round(seconds, 2),
        folder=folder,
        replays=replays,
    )


def failed(session: str, task: str, state: str, error: TreadleError, folder: str = "") -> Result:
    """The result of a session that an error ended."""
    code = of_error(error)
    return Result(
        session=session, task=task, state=state, exit_code=code, reason=str(error), failed=True, folder=folder
    )


def _unpriced_notes(models: ModelUse) -> tuple[str, ...]:
    if not models.unpriced:
        return ()
    named = ", ".join(models.unpriced)
    return (f"the budget of money does not hold {named}, whose price nobody knows: say it in your models.toml",)


def say_of(signal: Signal) -> str:
    """What a validator says. The word is none that could be read as a part of what follows: "no tests"."""
    return f"{'ok' if signal.ok else 'against'} {signal.kind}: {signal.summary}"


def _names_of(report: TestReport) -> list[tuple[TestResult, str]]:
    """What fails, each with its name; that of what is no test (a file that can't be imported, say) with the reason."""
    problems = [(each, ": ".join(filter(None, (each.id, each.message)))) for each in report.problems]
    return problems + [(test, test.id) for test in report.failing if test not in report.problems]


def _standing(
    before: Sequence[TestReport], now: Sequence[TestReport], candidate: Candidate | None, called: Mapping[str, str]
) -> dict[str, _Standing]:
    """How each that failed before stands with the change, under the name that it is `called` now."""
    failing = {test.id or test.message for report in now for test in report.failing}
    passing = {test.id for report in now for test in report.passing}
    deleted = {change.path for change in candidate.files if change.content is None} if candidate else set()
    ran = any(report.tests for report in now)
    found: dict[str, _Standing] = {}
    for report in before:
        for test, name in _names_of(report):
            is_problem = test in report.problems  # it can't pass, but be gone
            known = called.get(test.id, test.id)
            passes = ran and test.id not in deleted if is_problem else known in passing
            found[name] = "fails" if (known or test.message) in failing else "passes" if passes else "not run"
    return found


def _renamed(before: Sequence[TestReport], now: Sequence[TestReport], patch: str) -> dict[str, str]:
    ids = [test.id for report in before for test in report.failing if test.id]
    return renamed(ids, {test.id for report in now for test in report.tests}, patch)


def _reasons_of(execution: Execution) -> list[str]:
    """Why tests failed; of a plain command, which says no more than an exit code, also its last words."""
    report = report_of(execution)
    if report is None:
        return []
    said = [_said_at(test, report) for test in report.failing if test.message]
    if said and report.runner == COMMAND_RUNNER:
        words = execution.stderr.text.strip() or execution.stdout.text.strip()
        said += words.splitlines()[-1:]
    return said


def _said_at(test: TestResult, report: TestReport) -> str:
    """Why it failed; where the code is that could not be imported, which the name of the test's file does not tell."""
    elsewhere = test in report.problems and test.frames and test.frames[-1][0] != test.id
    return f"{test.message} ({paths.shown_at(*test.frames[-1])})" if elsewhere else test.message


def _worst_first(attempt: Attempt | None) -> list[Finding]:
    """Its findings: what is not shown of many must not be what matters most."""
    return sorted(attempt.findings if attempt else (), key=lambda each: ("deny", "ask", "note").index(each.severity))


def _said(finding: Finding) -> str:
    return f"{paths.shown_at(finding.path, finding.line)}: {finding.message} ({finding.rule})"


def _denied(attempt: Attempt | None) -> str:
    return "; ".join(attempt.verdict.reasons) if attempt and attempt.verdict.state == "denied" else ""


def _reports(executions: Iterable[Execution]) -> list[TestReport]:
    return [report for report in map(report_of, executions) if report is not None]


def to_text(result: Result, *, with_next_steps: bool = True, width: int = 0) -> str:
    """The result for a person: what happened, the patch, its evidence, what to do next. All but the patch fits into
    `width` columns, as of `fitted`."""
    parts = [fitted(headline(result), width)]
    if result.patch:
        parts.append(visible(result.patch).rstrip("\n"))
    if partial := unsolved.change(result, treadle_in(result.folder)):
        parts.append(partial)
    if speaking := evidence(result):
        parts.append(fitted("\n".join(speaking), width))
    if result.question:
        asked = f"{clean_line(result.question)} ({' / '.join(map(visible_line, result.options))})"
        parts.append("\n".join((*_asked_about(result, width), fitted(asked, width))))
    if with_next_steps:
        parts.append(in_lines(next_steps(result), width))
    return "\n\n".join(part for part in parts if part) + "\n"


def _asked_about(result: Result, width: int) -> Iterator[str]:
    """All that is asked about, since a person decides on it, and the code as it is: a line of code that was broken
    between words would be another."""
    for detail, excerpt in with_code(result.asked_about, result.asked_code):
        yield fitted(f"  {visible_line(detail)}", width)
        yield from (f"    {line}".rstrip() for line in code_lines(excerpt))
    if about := once_more(result.question, result.asked_about, result.asked_code):
        yield fitted(visible_line(about), width)


def headline(result: Result) -> str:
    """What happened, in a sentence; the whole answer where a question was answered."""
    why = clean_line(result.why)
    reason = clean_line(result.reason)
    match result.state:
        case "SOLVED" if result.task == "check" and result.asking:
            return f"Checked: it runs, and there are findings to look at.{_what_is_missing(result)}"
        case "SOLVED" if result.task == "check" and result.partial:
            return "Checked: nothing was found, but not everything could be looked at: see the notes."
        case "SOLVED" if result.task == "check":
            return "Checked: nothing speaks against it."
        case "SOLVED" if result.answer:
            return clean(result.answer).strip()
        case "SOLVED" if result.task == "run":
            return f"{_how_done(result)}: {why}"
        case "SOLVED":
            return f"Fixed: {why}" if result.patch else f"Nothing to fix: {reason}"
        case "UNSOLVED" if result.exit_code == 3:
            return f"Refused: {clean_line(_reasons(result))}"
        case "UNSOLVED" if result.task == "check":
            return f"Checked: there are findings.{_what_is_missing(result)}"
        case "UNSOLVED":
            return f"Not {'done' if result.task == 'run' else 'fixed'}: {reason}"
        case "NEEDS_PERSON":
            return f"Needs you: {reason}"
        case "OVER_BUDGET":
            return f"Over budget: {reason}"
        case _:
            return f"Stopped: {reason}"


def _how_done(result: Result) -> str:
    """What was seen of a change, beside what is said of it."""
    count = len(result.failing_now)
    fail = f"{counted(count, 'test')} {'fails' if count == 1 else 'fail'}"
    if not count:
        return "Done, untested" if result.untested else "Done"
    return f"Done, though {fail} as before{', and none passes' if result.untested else ''}"


def _what_is_missing(result: Result) -> str:
    return " Not everything could be looked at: see the notes." if result.partial else ""


def _reasons(result: Result) -> str:
    """Why it was refused: the findings that deny, or what the session said."""
    return "; ".join(_first(result.refused_for)) or result.reason


def evidence(result: Result) -> list[str]:
    """What speaks for it and against it, a line each."""
    lines = []
    if result.nearest:
        lines.append(f"Nearest   {unsolved.standing(result)}")
    if result.failed_before or result.broken_now:
        lines += _tests(result)
        if result.state != "SOLVED" and not (result.nearest and result.details):
            lines += [f"Because   {clean_line(reason)[:200]}" for reason in dict.fromkeys(result.failures)]
    if result.passing_now:
        failing = f", {len(result.failing_now)} fail" if result.failing_now else ""
        lines.append(f"          {result.passing_now} pass{failing}")
    if result.remedy and result.total > 1:
        lines.append(f"Search    {result.tried} of {result.total} candidates tried ({clean_line(result.remedy)})")
    if result.confidence:
        lines += _bounded("Trust", (result.confidence, *result.trust))
    lines += disagreeing(result)
    lines += _bounded("Check", [said for said in result.signals if not said.startswith("ok ")])
    lines += [f"            {clean(line).rstrip()}" for line in _first(result.details)]  # of those that are against it
    lines += _bounded("Check", [said for said in result.signals if said.startswith("ok ")])
    causes = (cause for cause in result.causes if cause != result.reason)  # which the headline tells
    lines += [*unsolved.because(causes), *unsolved.advised(result)]
    lines += _bounded("Finding", result.findings)
    lines += _bounded("Note", result.notes)
    if result.models.requests:
        lines.append(f"Models    {clean_line(_use(result.models))}")
    lines.append(f"Time      {result.seconds:.1f} s, session {result.session}")
    return lines


def disagreeing(result: Result) -> list[str]:
    """The other changes with which every test passes, and where they come to other ends. What a terminal would obey is
    made visible: a person chooses by it."""
    if not result.disagreements:
        return []
    changes = ("this patch", *map(visible_line, result.rivals))
    lines = [f"{'Choice' if number == 1 else '':<10}{number}. {change}" for number, change in enumerate(changes, 1)]
    for each in result.disagreements:
        lines.append(f"            {visible_line(each.call)}")
        answers: dict[str, list[int]] = {}
        for number, answer in enumerate(each.answers, start=1):
            answers.setdefault(answer, []).append(number)
        lines += [f"              {', '.join(map(str, n))}: {visible_line(answer)}" for answer, n in answers.items()]
    return lines


def _tests(result: Result) -> list[str]:
    """The tests that failed before; where there is a change to look at, by how they stand with it, and with them those
    that it broke."""
    if result.state != "SOLVED" and not result.nearest:
        return [f"Tests     {len(result.failed_before)} failed before:", *_names(result.failed_before)]
    left = {*result.still_failing, *result.not_run_now}
    told = {name: f"{name}, now {new.rpartition('::')[2]}" for name, new in result.renamed.items()}
    groups = (
        ("failed before, pass now", tuple(name for name in result.failed_before if name not in left)),
        ("failed before, still fail", result.still_failing),
        ("failed before, were not run now", result.not_run_now),
        ("passed before, do not now", result.broken_now),
    )
    lines: list[str] = []
    for how, names in groups:
        if names:
            shown = tuple(told.get(name, name) for name in names)
            lines += [f"{'' if lines else 'Tests':<10}{len(names)} {how}:", *_names(shown)]
    return lines


def _use(use: ModelUse) -> str:
    """What models were asked, and what it cost."""
    asked = f"{counted(use.requests, 'request')} to {', '.join(use.models)}"
    estimate = f", about ${use.lost_usd:.4f}" if use.lost_usd else ""
    lost = f" ({use.lost} may be paid for{estimate})" if use.lost else ""
    failed = f"{use.failed} without a reply{lost}" if use.failed else ""
    cached = f" ({use.cached:,} from cache)" if use.cached else ""
    tokens = f"{use.read:,} tokens read{cached}, {use.written:,} written" if use.untold < use.answered else ""
    untold = f"tokens not told for {use.untold}" if use.untold else ""
    about = "about " if use.usd_estimated else ""
    price = f"{about}${use.usd:.4f}" if use.usd_unknown < use.answered else ""
    unknown = f"price unknown for {use.usd_unknown}" if use.usd_unknown else ""
    return ", ".join(filter(None, (asked, failed, tokens, untold, price, unknown)))


def _bounded(what: str, texts: Sequence[str]) -> list[str]:
    heads = [what] * min(len(texts), SHOWN_FINDINGS) + [""]
    return [f"{head:<10}{clean_line(text)}" for head, text in zip(heads, _first(texts), strict=False)]


def _first(texts: Sequence[str]) -> list[str]:
    """As many as are shown, and how many more there are."""
    more = len(texts) - SHOWN_FINDINGS
    return [*texts[:SHOWN_FINDINGS], *([f"and {more} more; --json tells all"] if more > 0 else [])]


def _names(names: tuple[str, ...]) -> list[str]:
    lines = [f"            {clean_line(name)}" for name in names[:SHOWN_TESTS]]
    if len(names) > SHOWN_TESTS:
        lines.append(f"            and {len(names) - SHOWN_TESTS} more")
    return lines
