"""validate-tests: the tests after the change, compared with the tests before it.

Every test that passed must still pass, none may fail, and none may vanish that the task does not want gone. A run that
was cut off is never a pass. Where the time limit cut off the one before the change as well, only what went otherwise
then speaks against the change.
A change that a search has seen pass, and that fails now, is worth another look, and so is one that a person has
checked: what fails may be a test that does so now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from treadle.core.context import Context
from treadle.core.counting import counted
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, Execution, GenerateRequest, Signal, Task
from treadle.core.same_test import same_id
from treadle.core.testrun import TestReport, TestResult, report_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.test_runs.hindered import hindered
from treadle.plugins.validation import asked_about, other_tests
from treadle.plugins.validation.renamed_tests import renamed_by, under
from treadle.plugins.validation.unsteady import unsteady
from treadle.plugins.validation.wants_gone import wants_gone

_DETAILS = 20


@hookimpl
def treadle_validate(
    candidate: Candidate,
    execution: tuple[Execution, ...],
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...]:
    """One signal of kind `tests` for each check; without a baseline each is judged by itself. One more, where tests
    fail that the task speaks of. Where a person has named tests, and these hold, one of kind `others` for those beside
    them."""
    names = renamed_by(candidate, request.workspace)
    signals = _of_checks(candidate, execution, under(names, baseline), request, context)
    signals += asked_about.still_failing(request.task, baseline, execution, Tree(request.workspace), names)
    others = other_tests.judged(candidate, request, context) if all(signal.ok for signal in signals) else ()
    return (*signals, *others)


def _of_checks(
    candidate: Candidate,
    execution: tuple[Execution, ...],
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...]:
    signals = compared(execution, baseline, request.task)
    if len(execution) != len(baseline) or not _is_worth_another_look(candidate, request, signals):
        return signals
    aside = unsteady(request.plan.checks, baseline, execution, context)
    without = tuple(map(compare, baseline, execution, aside))
    mends = request.task.kind == "check" or any(signal.better for signal in without)
    return without if mends else signals  # a repair that mends nothing but what was set aside is none


def _is_worth_another_look(candidate: Candidate, request: GenerateRequest, signals: tuple[Signal, ...]) -> bool:
    """Whether a flaky test may be all that speaks against it: a model's change gets another attempt anyway."""
    if request.task.kind == "check":
        return any(signal.worse for signal in signals)
    return candidate.rank is not None and not all(signal.ok for signal in signals)


def compared(
    execution: tuple[Execution, ...], baseline: tuple[Execution, ...], task: Task | None = None
) -> tuple[Signal, ...]:
    """The judgement of each check as its runs came out, for a change that answers the task."""
    if not baseline:
        return tuple(compare(None, after) for after in execution)
    if len(execution) != len(baseline):
        ran = f"{counted(len(baseline), 'check')} ran before the change, {len(execution)} after it"
        summary = f"{ran}: they can't be compared"
        return (Signal(kind="tests", ok=False, summary=summary, worse=1),)
    text = task.text if task is not None and task.kind == "run" else ""
    return tuple(compare(before, after, text=text) for before, after in zip(baseline, execution, strict=True))


def compare(
    before: Execution | None, after: Execution, flaky: frozenset[str] = frozenset(), *, text: str = ""
) -> Signal:
    """The judgement of one check, without the `flaky` tests, those that the sandbox hinders before and after, those
    that are gone since the `text` of a task asks for it, and those of which nobody knows how they end now. A plain
    command has no report; then its exit alone counts."""
    old, new = report_of(before) if before else None, report_of(after)
    if new is not None and old is not None and new.complete:
        kept = hindered(old) & hindered(new) - flaky
        unknown = frozenset(test.id for test in new.not_judged)
        gone = _gone_as_asked(old, new, text) if text else frozenset()
        if flaky or kept or unknown or gone:
            return _without(old, new, after, flaky, kept, unknown, gone)
    if new is None and old is None:
        return _compare_commands(before, after)
    if new is None:
        return _against(f"the test run left no report ({_ending(after)})")
    if not new.complete and old is not None and not old.complete and _timed_out(before) and _timed_out(after):
        return _compare_reports(old, new, after)
    if not new.complete:
        failing = f"; {_names(new.failing)}" if new.failing else ""
        return _against(f"the test run was cut off after {counted(len(new.tests), 'test')} ({_ending(after)}){failing}")
    return _compare_reports(old, new, after)


def _without(
    old: TestReport,
    new: TestReport,
    after: Execution,
    flaky: frozenset[str],
    kept: frozenset[str],
    unknown: frozenset[str],
    gone: frozenset[str] = frozenset(),
) -> Signal:
    """The judgement of whole reports without some tests; that these failed is no bad end of the run. It is never a good
    one where there are `unknown` tests."""
    left = [
        msgspec.structs.replace(
            report, tests=tuple(t for t in report.tests if t.id not in flaky | kept | unknown | gone)
        )
        for report in (old, new)
    ]
    ended = msgspec.structs.replace(after, verdict="ok") if after.verdict == "error" and after.exit_code == 1 else after
    signal = _compare_reports(left[0], left[1], ended)
    said = [signal.summary]
    for why, tests in (
        ("set aside as flaky", flaky),
        ("set aside, since the sandbox does not let them", kept),
        ("not judged, since a test before them ran into its limit", unknown),
        ("gone, as the task asks", gone),
    ):
        if tests:
            said.append(f"{why}: {', '.join(sorted(tests)[:_DETAILS])}")
    return msgspec.structs.replace(signal, ok=signal.ok and not unknown, summary="; ".join(said))


def _gone_as_asked(old: TestReport, new: TestReport, text: str) -> frozenset[str]:
    left = {same_id(test.id) for test in new.tests}
    return frozenset(test.id for test in old.tests if same_id(test.id) not in left and wants_gone(text, test.id))


def _timed_out(execution: Execution | None) -> bool:
    return execution is not None and execution.verdict == "timeout"


def _compare_commands(before: Execution | None, after: Execution) -> Signal:
    passes = after.verdict == "ok"
    if before is None:
        return _judge_command(after, passes)
    passed = before.verdict == "ok"
    if passes:
        summary = "the command passes" + ("" if passed else ", which it did not before")
        return Signal(kind="tests", ok=True, summary=summary, better=int(not passed))
    details = tuple(line for line in after.stderr.text.strip().splitlines()[-_DETAILS:])
    summary = f"the command {'fails now' if passed else 'still fails'} ({_ending(after)})"
    return Signal(kind="tests", ok=False, summary=summary, details=details, worse=int(passed))


def _judge_command(after: Execution, passes: bool) -> Signal:
    if passes:
        return Signal(kind="tests", ok=True, summary=f"{after.job} passes")
    details = tuple(after.stderr.text.strip().splitlines()[-_DETAILS:])
    return Signal(kind="tests", ok=False, summary=f"{after.job} fails ({_ending(after)})", details=details, worse=1)


class _Tests(NamedTuple):
    """How often each test id had which outcome. Ids that hold an object's address are told apart by the rest."""

    outcomes: dict[str, Counter[str]]

    @classmethod
    def of(cls, results: Iterable[TestResult]) -> _Tests:
        outcomes: dict[str, Counter[str]] = {}
        for result in results:
            outcomes.setdefault(same_id(result.id), Counter())[result.outcome] += 1
        return cls(outcomes)

    def count(self, test: str, *outcomes: str) -> int:
        """How many tests of that id had one of the outcomes, or any outcome when none is named."""
        found = self.outcomes.get(test, Counter())
        return sum(found[outcome] for outcome in outcomes) if outcomes else found.total()


def _where(cut_off: TestReport) -> str:
    """In which test a run was cut off: the last of its report, of which it says that it did not end."""
    last = cut_off.tests[-1] if cut_off.tests else None
    return f" in {last.id}" if last is not None and last.outcome == "error" else ""


def _compare_reports(old: TestReport | None, new: TestReport, after: Execution) -> Signal:
    """The judgement of two reports, of which the new one is whole, or cut off by the time limit as the old one was."""
    was, now = _Tests.of(old.tests if old else ()), _Tests.of(new.tests)
    vanished = [test for test in was.outcomes if now.count(test) < was.count(test)]
    known = [test for test in was.outcomes if now.count(test) >= was.count(test)]
    broken = [test for test in known if now.count(test, "passed") < was.count(test, "passed")]
    told = set(broken)
    bad = [test for test in now.outcomes if now.count(test, "failed", "error") and test not in told]
    newly_bad = [test for test in bad if now.count(test, "failed", "error") > was.count(test, "failed", "error")]
    still_bad = [test for test in bad if now.count(test, "failed", "error") <= was.count(test, "failed", "error")]
    silenced = [
        test
        for test in known
        if was.count(test, "failed", "error")
        and not now.count(test, "failed", "error")
        and not now.count(test, "passed")
    ]
    old_problems = {(p.id, p.message) for p in old.problems} if old else set()
    new_problems = [p for p in new.problems if (p.id, p.message) not in old_problems]
    # What could not be collected before is no worse for failing now that it can.
    hidden = old is None or not old.complete or bool(old.problems)
    counted_as_worse = [test for test in newly_bad if not (hidden and test not in was.outcomes)]
    mended = [
        test
        for test in was.outcomes
        if was.count(test, "failed", "error") and now.count(test, "passed") > was.count(test, "passed")
    ]
    gone_problems = len(old_problems - {(p.id, p.message) for p in new.problems})

    worse = len(vanished) + len(broken) + len(counted_as_worse) + len(silenced) + len(new_problems)
    better = len(mended) + gone_problems
    messages = {same_id(t.id): t.message or t.exception for t in new.tests}
    details = [
        *(f"vanished: {test}" for test in vanished),
        *(f"passed before, {_outcome(now, test)} now: {test}{_because(messages, test)}" for test in broken),
        *(f"failed before, {_outcome(now, test)} now: {test}" for test in silenced),
        *(f"fails: {test}{_because(messages, test)}" for test in newly_bad),
        *(f"still fails: {test}{_because(messages, test)}" for test in still_bad),
        *(f"problem: {p.id}: {p.message}" for p in new.problems),
    ]
    failed = [*broken, *newly_bad, *still_bad, *silenced, *vanished]
    both_cut_off = not new.complete
    bad_end = not failed and not new.problems and after.verdict != "ok" and not both_cut_off
    nothing = not new.tests and not new.problems
    if bad_end:
        details.append(f"every test passed, but the run itself ended badly: {_ending(after)}")
    return Signal(
        kind="tests",
        ok=not failed and not new.problems and not bad_end and not nothing and not both_cut_off,
        summary=(
            f"the time limit cut the test run off{_where(new)}, as it did before the change; " if both_cut_off else ""
        )
        + _summary(new, mended, vanished, broken, silenced, newly_bad, still_bad, bad_end, nothing, after),
        details=_cut(details),
        worse=worse + int(bad_end),
        better=better,
    )


def _summary(
    new: TestReport,
    mended: list[str],
    vanished: list[str],
    broken: list[str],
    silenced: list[str],
    newly_bad: list[str],
    still_bad: list[str],
    bad_end: bool,
    nothing: bool,
    after: Execution,
) -> str:
    total = len(new.tests)
    parts = []
    if mended:
        parts.append(f"{counted(len(mended), 'failing test')} now {'passes' if len(mended) == 1 else 'pass'}")
    if vanished:
        parts.append(f"{counted(len(vanished), 'test')} vanished")
    if broken:
        parts.append(
            f"{counted(len(broken), 'test')} that passed before {'does' if len(broken) == 1 else 'do'} not now"
        )
    if silenced:
        parts.append(f"{counted(len(silenced), 'failing test')} no longer run")
    for failing, since in ((newly_bad, ""), (still_bad, " as before")):
        if failing:
            parts.append(f"{counted(len(failing), 'test')} {'fails' if len(failing) == 1 else 'fail'}{since}")
    if new.problems:
        parts.append(counted(len(new.problems), "problem") + " outside of tests")
    if bad_end:
        parts.append(f"the run ended badly ({_ending(after)})")
    parts.append("no test was run" if nothing else f"{len(new.passing)} of {total} pass")
    return "; ".join(parts)


def _against(summary: str) -> Signal:
    return Signal(kind="tests", ok=False, summary=summary, worse=1)


def _ending(execution: Execution) -> str:
    if execution.message:
        return f"{execution.verdict}: {execution.message}"
    if execution.signal is not None:
        return f"{execution.verdict}, signal {execution.signal}"
    return f"{execution.verdict}, exit code {execution.exit_code}"


def _names(results: tuple[TestResult, ...]) -> str:
    return "failing: " + ", ".join(r.id or r.message for r in results[:5])


def _outcome(tests: _Tests, test: str) -> str:
    return "/".join(sorted(tests.outcomes.get(test, Counter()))) or "missing"


def _because(messages: dict[str, str], test: str) -> str:
    message = messages.get(test, "").strip()
    return f" ({message.splitlines()[0][:200]})" if message else ""


def _cut(details: list[str]) -> tuple[str, ...]:
    if len(details) <= _DETAILS:
        return tuple(details)
    return (*details[:_DETAILS], f"and {len(details) - _DETAILS} more")
