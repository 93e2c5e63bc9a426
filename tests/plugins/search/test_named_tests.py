"""Repairs of the tests that a person has named: the others of the project may not break."""

from __future__ import annotations

import msgspec

from treadle.core.records import Candidate, FileChange
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.planning.tests import test_check as planned
from treadle.plugins.validation.tests import treadle_validate

SIGN = "def sign(n):\n    return 1 if n > 0 else 0\n"
TESTS = """
    from sign import sign


    def test_below():
        assert sign(-2) == -1
"""
OTHERS = """
    from sign import sign


    def test_zero():
        assert sign(0) == 0


    def test_that_fails_anyway():
        assert sign(1) == 2
"""
NAMED = ("test_sign.py::test_below",)
BREAKING = SIGN.replace("else 0", "else -1")


def named(project, context):
    project.write(sign=SIGN, test_sign=TESTS, test_zero=OTHERS)
    task = project.task(NAMED)
    job, _ = planned(task, project.workspace)
    job = msgspec.structs.replace(job, env=(("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),))
    return project.request(context, check=job, files=NAMED)


def test_a_change_that_breaks_another_test_is_no_repair(project):
    context = project.context(max_candidates=150)
    candidate = treadle_generate(request=named(project, context), context=context)
    assert candidate is None or candidate.files[0].content != BREAKING.encode()
    asked = {job.id for jobs, _ in context.batches for job in jobs}
    assert any(name.endswith("-1-whole") for name in asked), "the others were asked"


def test_a_named_file_with_tests_is_no_place_to_be_changed_whatever_it_is_called(project):
    project.write(sign=SIGN, checks__check_sign=TESTS)
    context = project.context(max_candidates=150)
    check = project.check("-o", "python_files=check_*.py")
    request = project.request(context, check=check, files=("checks/check_sign.py",))
    candidate = treadle_generate(request=request, context=context)
    assert candidate is not None and candidate.files[0].path == "sign.py"


def test_the_verdict_counts_other_tests_that_break_and_none_that_failed_before(project):
    context = project.context()
    request = named(project, context)

    def judged(text):
        change = FileChange(path="sign.py", content=text.encode())
        after = context.execute((msgspec.structs.replace(request.plan.checks[0], id="after", files=(change,)),))
        return treadle_validate(
            candidate=Candidate(files=(change,), why=""),
            execution=after,
            baseline=request.baseline,
            request=request,
            context=context,
        )

    tests, others = judged(BREAKING)
    assert tests.ok and not others.ok and others.worse == 1
    assert others.details == ("passed before, and does not now: test_zero.py::test_zero",)
    tests, others = judged(SIGN.replace("else 0", "else -1 if n else 0"))
    assert tests.ok and others.ok and "1 of them pass" in others.summary
    assert len(judged(SIGN)) == 1, "while the named ones fail, nobody asks for the others"
