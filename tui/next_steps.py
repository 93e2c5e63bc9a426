"""What a person can do with a session that has ended or rests: one table, so that no end is without a way on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from treadle.core.states import SETTLED
from treadle.tui import unsolved
from treadle.tui.asking import answer_option
from treadle.tui.ways import Ways, converses, treadle_in

_COMMAND = ": treadle "

if TYPE_CHECKING:
    from treadle.tui.result import Result


def next_steps(result: Result) -> list[str]:
    """What the person can do now, a sentence each; the first that fits in the table."""
    ways, passed = Ways(treadle_in(result.folder), result.session), result.had_passed
    back = [f"Go back to attempt {passed}, which passed, with: {ways.back(passed)}"] if passed else []
    return [*next(steps(result, ways) for fits, steps in _TABLE if fits(result)), *back]


def in_lines(steps: Iterable[str], width: int) -> str:
    """The sentences, fitted to `width`: a command that does not fit behind its words stands below them, whole, so that
    it can be copied."""
    return "\n".join(_below(step) if 0 < width < len(step) else step for step in steps)


def _below(step: str) -> str:
    words, colon, command = step.partition(_COMMAND)
    return f"{words}:\n  treadle {command}" if colon else step


def _decide(result: Result, ways: Ways) -> list[str]:
    look_at = result.to_look_at or result.nearest
    which = "change" if result.to_look_at else "nearest"
    see = [f"See the {which} with: {ways.diff_of(look_at)}"] if look_at else []
    return [*see, *ways.answers(result.options, result.with_words)]


def _go_on(result: Result, ways: Ways) -> list[str]:
    """It stopped on the way. Where that began with an answer to a question, it can be answered otherwise."""
    on = [f"Go on with: {ways.resume(result.limited_by, result.enough)}"]
    if result.options and not converses():
        answered = f"{ways.resume(result.limited_by, result.enough)}{answer_option(result.options)}"
        on.append(f"Or answer what was asked before with: {answered}")
    return on


def _of_its_original(result: Result, ways: Ways) -> list[str]:
    """A replay asks nobody, so that nothing can be done from it."""
    return [f"This is a replay. See what can be done from the session itself with: {ways.see(result.replays)}"]


def _accept(result: Result, ways: Ways) -> list[str]:
    other = [f"Choose another with: {ways.choose}"] if result.disagreements else []
    return [f"Nothing was changed yet. Apply it with: {ways.accept}", *other]


def _put_right(result: Result, ways: Ways) -> list[str]:
    return [
        f"The patch is in the files in part. Take that back with: {ways.undo}",
        f"Apply all of it with: {ways.accept}",
    ]


def _say_it_anew(result: Result, ways: Ways) -> list[str]:
    return ways.from_there("Say it in other words") or ["Say it in other words: your next line goes on from here"]


def _nothing(result: Result, ways: Ways) -> list[str]:
    return []


def _of_code_that_was_given(result: Result) -> bool:
    return result.task == "check"


def _failed_to_mend(result: Result) -> bool:
    return bool(result.nearest or (result.task == "fix" and result.failed_before))


_TABLE: tuple[tuple[Callable[[Result], bool], Callable[[Result, Ways], list[str]]], ...] = (
    (lambda r: r.half_applied, _put_right),
    (lambda r: r.applied, lambda r, ways: [f"Applied. Take it back with: {ways.undo}"]),
    (lambda r: bool(r.replays), _of_its_original),
    (lambda r: r.failed, lambda r, ways: [f"Once that is mended, go on with: {ways.resume()}"]),
    (lambda r: r.state == "NEEDS_PERSON", _decide),
    (lambda r: r.state not in SETTLED, _go_on),
    (_of_code_that_was_given, _nothing),  # its findings say what to do
    (lambda r: r.state == "SOLVED" and bool(r.answer), lambda r, ways: ways.from_there("Ask on, or have it changed,")),
    (lambda r: r.state == "SOLVED" and bool(r.patch) and not r.stands, _accept),
    (lambda r: r.state == "SOLVED", _nothing),  # nothing is left to do
    (_failed_to_mend, unsolved.ways_on),
    (lambda r: r.task == "run" and r.attempts > 0, unsolved.try_again),
    (lambda r: r.task == "run", _say_it_anew),
    (lambda r: True, lambda r, ways: [f"See what was done with: {ways.show}"]),
)
"""Whether a row fits, and what the person can do then."""
