"""The exit codes of every command, and which error leads to which."""

from __future__ import annotations

from enum import IntEnum

from treadle.core.errors import (
    BudgetExceeded,
    InterpreterError,
    NeedsPerson,
    SafetyRefusal,
    Stopped,
    UnsafePath,
    UnsafeReply,
    UsageError,
)
from treadle.core.records import Outcome


class ExitCode(IntEnum):
    """What the exit code of a command says. `treadle sandbox` passes its command's own exit code on instead."""

    OK = 0
    NOT_SOLVED = 1
    USAGE = 2
    REFUSED = 3
    LIMIT = 4
    NEEDS_PERSON = 5
    INTERRUPTED = 130


MEANING: dict[ExitCode, str] = {
    ExitCode.OK: "solved, or nothing was found by all that were to look",
    ExitCode.NOT_SOLVED: "not solved, findings, something failed, or a plugin that is on could not look at what was "
    "to be checked",
    ExitCode.USAGE: "wrong usage: a flag, a path, a setting, or a task that can't be planned as asked",
    ExitCode.REFUSED: "refused by safety: a scan rule, the sandbox, or the person",
    ExitCode.LIMIT: "a budget or a limit ended it; it can be resumed with a larger one",
    ExitCode.NEEDS_PERSON: "it rests until a person answers, or --apply did not apply a change that not everything "
    "could look at, that few tests hold fast, or that weakens its tests; `treadle resume` goes on",
    ExitCode.INTERRUPTED: "interrupted; `treadle resume` goes on",
}


def of_error(error: BaseException) -> ExitCode:
    """The exit code for an error that ended a command."""
    by_type: tuple[tuple[type[BaseException], ExitCode], ...] = (
        (UsageError, ExitCode.USAGE),
        (InterpreterError, ExitCode.USAGE),
        (SafetyRefusal, ExitCode.REFUSED),
        (UnsafePath, ExitCode.REFUSED),
        (UnsafeReply, ExitCode.REFUSED),
        (BudgetExceeded, ExitCode.LIMIT),
        (NeedsPerson, ExitCode.NEEDS_PERSON),
        (Stopped, ExitCode.INTERRUPTED),
        (KeyboardInterrupt, ExitCode.INTERRUPTED),
    )
    return next((code for kind, code in by_type if isinstance(error, kind)), ExitCode.NOT_SOLVED)


def of_outcome(outcome: Outcome) -> ExitCode:
    """The exit code for how a session ended or rests."""
    if outcome.state == "UNSOLVED" and outcome.attempts and outcome.attempts[-1].verdict.state == "denied":
        return ExitCode.REFUSED
    if outcome.state == "SOLVED" and outcome.task.kind == "check" and not _is_clean(outcome):
        return ExitCode.NOT_SOLVED
    return {
        "SOLVED": ExitCode.OK,
        "OVER_BUDGET": ExitCode.LIMIT,
        "NEEDS_PERSON": ExitCode.NEEDS_PERSON,
        "STOPPED": ExitCode.INTERRUPTED,
    }.get(outcome.state, ExitCode.NOT_SOLVED)


def _is_clean(outcome: Outcome) -> bool:
    """Whether a check has found nothing that a person should look at, and every plugin that is on has looked: what
    comes after it, in CI, reads nothing else."""
    asks = any(finding.severity == "ask" for attempt in outcome.attempts for finding in attempt.findings)
    return not asks and not outcome.short_of_plugins
