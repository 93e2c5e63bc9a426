"""What an unsolved session is still good for, in words: which attempt came nearest, what is amiss with it, what leads
on from there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treadle.core.counting import called, counted
from treadle.core.records import Attempt, Outcome
from treadle.tui.safe_text import clean_line, shortened, visible
from treadle.tui.ways import Ways, converses

if TYPE_CHECKING:
    from treadle.tui.result import Result

SHOWN_DIFF = 60
"""Lines of the nearest attempt's change that are shown; the rest is counted, and `treadle show` prints all of it."""

_LONGEST_SAID = 600
_ASKED_OF_A_MODEL = "Mend the failing tests"


def nothing_to_apply(result: Result) -> str:
    """What is said to a person who wants it applied."""
    if result.state == "NEEDS_PERSON":
        return "nothing was applied: the session waits for you, and goes on first"
    if result.answer:
        return "nothing was applied: the session has answered a question, and holds no change"
    why = "no attempt passed" if result.attempts else "no change was found"
    return f"nothing was applied: {why}, so there is nothing that may be applied"


def causes_of(attempt: Attempt) -> tuple[str, ...]:
    """Why it does not hold, as far as no check says so: what the person said of it, and what was reflected."""
    checks = [signal.summary for signal in attempt.signals if not signal.ok]
    said = [reason for reason in attempt.verdict.reasons if reason not in checks]
    wrong = attempt.reflection.wrong if attempt.reflection else ""
    if wrong and not any(known in wrong for known in (*checks, *said)):
        said.append(wrong)  # else it repeats what stands there anyway
    return tuple(said)


def advice_of(outcome: Outcome, attempt: Attempt) -> tuple[str, ...]:
    """What was advised after that attempt, and after the last one."""
    last = outcome.attempts[-1]
    said = {each.number: each.reflection.advice for each in (attempt, last) if each.reflection}
    if len({*said.values()}) < 2:
        return tuple(filter(None, {*said.values()}))
    return tuple(f"after attempt {number}: {advice}" for number, advice in said.items() if advice)


def change(result: Result, treadle: str) -> str:
    """The nearest attempt's change under a line that says what it is; "" where none is shown."""
    if not result.nearest_patch:
        return ""
    lines = visible(result.nearest_patch).rstrip("\n").split("\n")
    more = len(lines) - SHOWN_DIFF
    see = f"[{counted(more, 'line')} more: {treadle} show {result.session} --attempt {result.nearest} --diff]"
    said = f"Attempt {result.nearest} came nearest. Its change, which did not pass:"
    return "\n".join((said, "", *lines[:SHOWN_DIFF], *([see] if more > 0 else [])))


def standing(result: Result) -> str:
    """How near that attempt came, in a line."""
    left = len({*result.still_failing, *result.not_run_now})
    all_before = len(result.failed_before)
    parts = []
    if all_before:
        parts.append(f"{all_before - left} of {all_before} failing {called(all_before, 'test')} mended")
    if result.broken_now:
        parts.append(f"{len(result.broken_now)} broken that passed before")
    elif all_before or result.passing_now:
        parts.append("none broken")
    if not parts:
        holds = sum(signal.startswith("ok ") for signal in result.signals)
        one = len(result.signals) == 1
        parts.append(f"{holds} of {len(result.signals)} {'check holds' if one else 'checks hold'}")
    return f"attempt {result.nearest} of {result.attempts}: {', '.join(parts)}"


def because(causes: Iterable[str]) -> list[str]:
    """Why it does not hold, a line each."""
    return [f"Because   {shortened(clean_line(cause), _LONGEST_SAID)}" for cause in causes]


def advised(result: Result) -> list[str]:
    """What was advised, a line each."""
    return [f"Advice    {shortened(clean_line(advice), _LONGEST_SAID)}" for advice in result.advice]


def ways_on(result: Result, ways: Ways) -> list[str]:
    """What the person can do where no attempt passed, each command in a line of its own."""
    if result.task == "run":
        lines = try_again(result, ways)
    else:
        lines = ["A language model may find what a search does not:"]
        command = f'{ways.treadle} run "{_ASKED_OF_A_MODEL}" --continue {result.session}'
        lines.append(f"  {_ASKED_OF_A_MODEL if converses() else command}")
    if result.attempts > 1 and result.nearest:
        lines += _the_others(result, ways)
    return lines


def try_again(result: Result, ways: Ways) -> list[str]:
    """How another attempt is made, from the one that came nearest where there is one."""
    from_it = result.nearest if result.nearest != result.attempts else 0
    whence = f"Go on from attempt {result.nearest}, and say" if result.nearest else "Have it tried again, and say"
    lines = [f"Nothing can be applied as it is. {whence} what is wrong:"]
    lines.append(f"  {ways.reject(from_it)}")
    if converses():
        return lines  # /model and the like stand in /help
    lines.append("Add --model coder=PROVIDER/MODEL for another model.")
    if result.limited_by:
        lines.append(f"Add --set {result.limited_by}=N to allow N attempts in all.")
    return lines


def _the_others(result: Result, ways: Ways) -> list[str]:
    others = [number for number in range(1, result.attempts + 1) if number != result.nearest]
    which = f"attempt {others[0]}" if len(others) == 1 else f"the others (N from 1 to {result.attempts})"
    number = str(others[0]) if len(others) == 1 else "N"
    return [f"See {which}:", f"  {ways.show} --attempt {number} --diff"]
