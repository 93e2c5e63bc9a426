"""What of a suite is asked of a change: what was seen to execute it, and what fails."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as replaced

from treadle.core.records import Job
from treadle.core.testrun import TestReport, TestResult
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.generation.search.suite import Check
from treadle.plugins.planning.tests import test_check as planned

NEAR = TestResult(id="test_a.py::test_near", outcome="passed", lines={"a.py": (1, 2)})
FAR = TestResult(id="test_b.py::test_far", outcome="passed", lines={"b.py": (1, 2)})
GUARD = Check(Job(id="tests"), (), (NEAR, FAR), frozenset(), 1.0, (NEAR.id, FAR.id))


def test_what_guards_other_tests_runs_those_near_to_a_change_and_none_where_all_were_seen_elsewhere():
    seen = TestReport(complete=True, tests=(NEAR, FAR))
    assert GUARD.through((("a.py", range(1, 9)),), seen).only == (NEAR.id,)
    assert GUARD.through((("c.py", range(1, 9)),), seen).asks_nothing
    unseen = replace(GUARD, passing=(NEAR, FAR, TestResult(id="test_c.py::test_untraced", outcome="passed")))
    assert unseen.through((("c.py", range(1, 9)),), seen) == unseen, "one that nobody saw may be near"


def test_the_others_are_not_run_for_what_none_of_them_executes(project):
    project.write(
        half="def half(n):\n    return n // 3\n",
        twice="def twice(n):\n    return 2 * n\n",
        test_half="from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
        test_twice="from twice import twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n",
    )
    named = ("test_half.py::test_half",)
    job, _ = planned(project.task(named), project.workspace)
    context = project.context(trust_s=60.0)
    request = project.request(context, check=replaced(job, env=(("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)), files=named)
    assert treadle_generate(request=request, context=context) is not None
    asked = [job.id for jobs, _ in context.batches for job in jobs]
    assert "search-0-0-whole" in asked, "mutants of the repair were tried"
    assert "search-0-1-whole" not in asked
