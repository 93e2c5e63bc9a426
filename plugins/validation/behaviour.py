"""validate-behaviour: where the changed functions do otherwise than before, on inputs like those that tests give them.

The tests run with the change, and those that call what is changed run on the project as it was; on the way the
arguments are noted with which they, and the examples in docstrings, call it. Both versions are then called with these
arguments and with ones near them, the old one twice, so that no clock and no chance is taken for a change.
What differs is shown, and speaks against nothing: a change is made so that something is otherwise, and only a person
knows whether this is it.
"""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.counting import counted
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, Execution, GenerateRequest, Signal, Workspace
from treadle.core.testrun import is_test_job, report_of
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.comparison import Difference, compared, steady, worded
from treadle.plugins.behaviour.jobs import again, behaviour_of, observing, with_tests_alone
from treadle.plugins.test_runs.known_times import few_endless, within_known_times
from treadle.plugins.test_runs.runners.time_limit import GLANCE_S
from treadle.plugins.test_runs.test_places import is_of_tests

MOST_TOLD = 10
"""Calls that are told of each change."""


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """How long a suite may take."""
    return (
        Setting(
            name="longest_suite_s",
            default=20.0,
            least=0,
            summary="Seconds that the tests may take for a change to be compared by what it does; it runs them once, "
            "and those that call what is changed three times.",
        ),
    )


@hookimpl
def treadle_validate(
    candidate: Candidate,
    workspace: Workspace,
    execution: tuple[Execution, ...],
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...]:
    """One signal of kind `behaviour` where calls could be compared, none otherwise."""
    changed = [c for c in candidate.files if c.content and c.path.endswith(".py") and not is_of_tests(c.path)]
    checks = list(zip(request.plan.checks, execution, strict=False))
    runs = [(n, job, e) for n, (job, e) in enumerate(checks) if is_test_job(job)]
    longest = context.settings()["longest_suite_s"]
    assert isinstance(longest, (int, float))
    if not changed or not runs or runs[0][2].wall_s > longest:
        return ()
    place, job, ran = runs[0]
    before_it = report_of(baseline[place]) if place < len(baseline) else None
    report = report_of(ran)
    known = [test.id for test in report.tests] if report is not None else []
    files = {test.partition("::")[0] for test in known}
    jobs = observing(job, ("behaviour-before", "behaviour-after"), Tree(workspace), ((), candidate.files), files)
    if not jobs:
        return ()
    as_it_was, changed_now = jobs
    (observed,) = context.execute((changed_now,))
    after = behaviour_of(observed)
    reaching = set(after.reaching)
    ran_before = before_it.tests if before_it is not None else ()
    as_it_was = with_tests_alone(as_it_was, few_endless((test for test in known if test in reaching), ran_before))
    as_it_was = within_known_times(as_it_was, before_it, report_of(observed), least_s=GLANCE_S)
    # A change is made so that something is otherwise: the second look is nearly always needed.
    both = (as_it_was, again(as_it_was, "behaviour-again", after))
    before, once_more = map(behaviour_of, context.execute(both))
    count, differences = compared(steady(before, once_more), after)
    if not count:
        return ()
    return (_signal(count, differences),)


def _signal(count: int, differences: tuple[Difference, ...]) -> Signal:
    calls = f"{counted(count, 'call')} like those of the tests"
    if not differences:
        return Signal(kind="behaviour", ok=True, summary=f"the same as before on {calls}")
    told = [_told(difference) for difference in differences[:MOST_TOLD]]
    more = len(differences) - len(told)
    details = (*told, f"and {more} more") if more else tuple(told)
    return Signal(
        kind="behaviour", ok=True, summary=f"otherwise than before on {len(differences)} of {calls}", details=details
    )


def _told(difference: Difference) -> str:
    before, after = (", ".join(worded(call)) for call in (difference.one, difference.other))
    return f"{difference.one.call} {before} before, {after} now"
