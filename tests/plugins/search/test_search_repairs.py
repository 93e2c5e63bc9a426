"""The search on small projects: what it finds, and what it leaves alone."""

from __future__ import annotations

import hashlib
import shlex
import sys

import msgspec
import pytest

from tests.plugins.search.search_driver import ProcessContext, ReplayContext
from treadle.core import testrun
from treadle.core.records import Attempt, Candidate, CollectedFile, Execution, Lesson, Limits, Verdict
from treadle.core.testrun import report_of
from treadle.core.wire import pack
from treadle.plugins.generation.search import (
    suite,
    treadle_contributions,
    treadle_generate,
    treadle_settings,
)
from treadle.plugins.generation.search.plugin import repaired
from treadle.plugins.generation.search.settings import settings_from
from treadle.plugins.test_runs.command_line import Invocation, parse
from treadle.plugins.test_runs.test_jobs import command_job, pytest_job

MEAN = '''
    """Averages."""


    def mean(values):
        # An empty list has no mean.
        if len(values) > 1:
            return sum(values) / len(values)
        return None


    def spread(values):
        return max(values) - min(values)
'''
MEAN_TESTS = """
    from numbers_of import mean, spread


    def test_many():
        assert mean([1, 2, 3]) == 2


    def test_one():
        assert mean([4]) == 4


    def test_none():
        assert mean([]) is None


    def test_spread():
        assert spread([1, 5]) == 4
"""
CLAMP = """
    def clamp(x, low, high):
        return min(max(x, high), low)
"""
CLAMP_TESTS = """
    from clamp import clamp


    def test_low():
        assert clamp(-5, 0, 10) == 0


    def test_high():
        assert clamp(15, 0, 10) == 10


    def test_between():
        assert clamp(5, 0, 10) == 5
"""


def changed_lines(project, candidate):
    """The lines that a candidate replaces, and by what."""
    (change,) = candidate.files
    old = (project.root / change.path).read_text().splitlines()
    new = change.content.decode().splitlines()
    assert len(old) == len(new)
    return [(a.strip(), b.strip()) for a, b in zip(old, new, strict=True) if a != b]


def test_a_wrong_comparison_is_mended_and_nothing_else_changes(project):
    project.write(numbers_of=MEAN, test_numbers=MEAN_TESTS)
    candidate = project.repair()
    assert candidate is not None
    assert changed_lines(project, candidate) == [("if len(values) > 1:", "if len(values) >= 1:")]
    assert not project.report_with(candidate).failing
    assert candidate.remedy == "comparison-neighbour"
    assert "numbers_of.py, line 6 (in mean)" in candidate.why
    assert "test_numbers.py::test_one" in candidate.why


def test_the_change_names_the_content_it_was_made_from(project):
    project.write(numbers_of=MEAN, test_numbers=MEAN_TESTS)
    candidate = project.repair()
    assert candidate.files[0].base == hashlib.sha256((project.root / "numbers_of.py").read_bytes()).hexdigest()


def test_nothing_is_proposed_when_nothing_fails(project):
    project.write(numbers_of=MEAN.replace("> 1", "> 0"), test_numbers=MEAN_TESTS)
    assert project.repair() is None


PUSHED = """
    import pytest
    from pushes import push

    SHARED = [1, 5, 2]


    def test_first():
        push([3], 1)


    @pytest.mark.parametrize("values, size", [(SHARED, 4), (SHARED, 5), ([7, 8], 3)])
    def test_push(values, size):
        push(values, max)
        assert len(values) == size and values[-1] == max(values)
"""


@pytest.mark.parametrize(
    "tests",
    [
        PUSHED.replace("push([3], 1)", "pass").replace("push(values, max)", "push(values)"),
        PUSHED.replace("push([3], 1)", "SHARED.append(9)")
        .replace("(SHARED, 4), (SHARED, 5)", "(SHARED, 5), ([2, 1], 3)")
        .replace("push(values, max)", "push(values)"),
    ],
)
def test_a_test_that_builds_on_another_one_is_judged_in_the_order_of_the_suite(project, tests):
    project.write(pushes="def push(values):\n    values.append(min(values))\n", test_pushes=tests)
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing


def test_a_repair_that_breaks_a_passing_test_is_no_repair(project):
    """`>= 2`, `> 1` and a constant would satisfy the failing test alone."""
    project.write(
        sign="def sign(x):\n    return 1 if x > 1 else 0 if x == 0 else -1\n",
        test_sign="""
            from sign import sign


            def test_one():
                assert sign(1) == 1


            def test_rest():
                assert [sign(x) for x in (-3, -1, 0, 2, 9)] == [-1, -1, 0, 1, 1]
        """,
    )
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing


def test_of_a_slow_suite_the_tests_near_a_change_refuse_it_before_the_whole_runs(project, monkeypatch):
    monkeypatch.setattr(suite, "SLOW_S", 0.0)
    monkeypatch.setattr(suite, "NEAR_SHARE", 1.0)
    project.write(
        sign="def sign(x):\n    return 1 if x > 3 else 0 if x == 0 else -1\n\n\ndef other():\n    return 1\n",
        test_sign="""
            from sign import other, sign


            def test_one():
                assert sign(4) == 0


            def test_rest():
                assert [sign(x) for x in (-3, -1, 0, 3, 9)] == [-1, -1, 0, -1, 1]


            def test_other():
                assert other() == 1
        """,
    )
    context = project.context(max_candidates=60)
    treadle_generate(request=project.request(context), context=context)
    done = {e.job: report_of(e) for jobs, answers in context.batches for e in answers}
    near = {job: report for job, report in done.items() if job.endswith("-near")}
    assert near
    for job, report in near.items():
        assert report is not None
        assert "test_sign.py::test_other" not in {t.id for t in report.tests}
        assert (job.removesuffix("near") + "whole" in done) == (not report.failing)
    assert any(report.failing for report in near.values())


def test_what_fails_slowly_may_pass_slowly(project):
    project.write(
        job="""
            def run():
                return 0
        """,
        test_job="""
            import time
            from job import run


            def test_run():
                time.sleep(0.2)
                assert run() == 1
        """,
    )
    candidate = project.repair(least_timeout_s=0.01)
    assert candidate is not None and changed_lines(project, candidate)[0][1] == "return 1"


def test_endless_loops_cost_a_time_limit_and_no_more(project):
    project.write(
        digits="""
            def digits(n):
                count = 1
                while n >= 10:
                    n = n * 10
                    count += 1
                return count
        """,
        test_digits="""
            from digits import digits


            def test_one():
                assert digits(7) == 1


            def test_three():
                assert digits(314) == 3
        """,
    )
    context = project.context()
    check = msgspec.structs.replace(project.check(), limits=Limits(wall_s=2.0))
    request = project.request(context, check=check)
    assert not testrun.report_of(request.baseline[0]).complete
    candidate = treadle_generate(request=request, context=context)
    assert candidate is not None
    assert not project.report_with(candidate).failing
    assert changed_lines(project, candidate)[0][0] == "n = n * 10"


def test_a_name_that_a_module_does_not_have_is_mended(project):
    project.write(
        shapes="import math\n\nPI = math.pie\n\n\ndef turn():\n    return 2 * math.pi\n",
        test_shapes="import math\n\nimport shapes\n\n\ndef test_pi():\n    assert shapes.PI == math.pi\n",
    )
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing


def test_a_doctest_is_a_test_and_its_file_is_source(project):
    project.write(
        plus="""
            def plus(a, b):
                \"\"\"Add.

                >>> plus(2, 3)
                5
                \"\"\"
                return a - b
        """,
    )
    context = project.context()
    request = project.request(context, check=project.check("--doctest-modules"))
    candidate = treadle_generate(request=request, context=context)
    assert changed_lines(project, candidate) == [("return a - b", "return a + b")]


def test_a_misspelt_name_is_mended_first(project):
    project.write(
        total="""
            def total(values):
                result = 0
                for value in values:
                    result += valeu
                return result
        """,
        test_total="from total import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    )
    candidate = project.repair()
    assert candidate.remedy == "misspelt-name"
    assert candidate.rank == 1


def test_an_error_at_import_is_mended_though_no_test_ran(project):
    project.write(
        table="NAMES = ['a', 'b']\nFIRST = NAMES[2]\n\n\ndef first():\n    return FIRST\n",
        test_table="from table import first\n\n\ndef test_first():\n    assert first() == 'b'\n",
    )
    candidate = project.repair()
    assert candidate is not None
    report = project.report_with(candidate)
    assert not report.failing
    assert report.passing
    assert changed_lines(project, candidate)[0][0] == "FIRST = NAMES[2]"


def test_the_fault_is_found_among_several_files(project):
    project.write(
        shop__init__="",
        shop__tax="RATES = {'book': 5}\n\n\ndef rate(kind):\n    return RATES.get(kind, 20)\n",
        shop__price="from shop.tax import rate\n\n\ndef gross(net, kind):\n    return net + net * rate(kind) / 10\n",
        shop__names="def title(name):\n    return name.title()\n",
        tests__test_shop="""
            from shop.names import title
            from shop.price import gross
            from shop.tax import rate


            def test_gross():
                assert gross(100, "book") == 105


            def test_rate():
                assert rate("book") == 5
                assert rate("toy") == 20


            def test_title():
                assert title("a") == "A"
        """,
    )
    (project.root / "shop" / "init__.py").rename(project.root / "shop" / "__init__.py")
    candidate = project.repair()
    assert candidate is not None
    assert candidate.files[0].path == "shop/price.py"
    assert not project.report_with(candidate).failing


def test_tests_are_never_changed(project):
    project.write(
        seven="def seven():\n    return 7\n",
        test_seven="""
            from seven import seven


            def helper():
                return 8


            def test():
                assert seven() == helper()
        """,
    )
    candidate = project.repair()
    assert candidate.files[0].path == "seven.py"


def test_only_the_files_that_the_person_named_are_changed(project):
    project.write(
        one="def one():\n    return 2\n",
        two="from one import one\n\n\ndef two():\n    return one() + 1\n",
        test_two="from two import two\n\n\ndef test_two():\n    assert two() == 2\n",
    )
    context = project.context()
    request = project.request(context, files=("two.py",))
    candidate = treadle_generate(request=request, context=context)
    assert [c.path for c in candidate.files] == ["two.py"]


def test_a_fault_in_a_default_that_all_calls_share_is_mended(project):
    """Each test passes alone; only the suite's own order shows the fault."""
    project.write(
        basket="""
            def basket(item, items=[]):
                \"\"\"The items with one more.\"\"\"
                items.append(item)
                return items
        """,
        test_basket="""
            from basket import basket


            def test_a():
                assert basket("a") == ["a"]


            def test_b():
                assert basket("b") == ["b"]
        """,
    )
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing
    assert candidate.remedy == "mutable-default"


def test_a_flaky_test_is_set_aside(project, tmp_path):
    """A test that fails every other time neither hides the repair nor is asked of it."""
    project.write(
        numbers_of=MEAN,
        test_flaky=f"""
            from itertools import count
            from pathlib import Path


            def test_now_and_then():
                for n in count():
                    try:
                        Path({str(tmp_path)!r}, f"run-{{n}}").mkdir()
                        break
                    except FileExistsError:
                        pass
                assert n % 2
        """,
        test_numbers=MEAN_TESTS,
    )
    context = project.context()
    candidate = treadle_generate(request=project.request(context), context=context)
    assert candidate is not None
    assert candidate.files[0].path == "numbers_of.py"
    assert "test_flaky" not in candidate.why
    flaky = "test_flaky.py::test_now_and_then"
    assert context.notes == [f"set aside, since without a change they fail now and then: {flaky}"]


def test_what_failed_after_the_search_had_seen_it_pass_is_set_aside(project):
    """The second attempt does not mend a flaky test that failed each time it was looked at on the unchanged project."""
    project.write(
        unlucky="def unlucky():\n    return 1\n",
        numbers_of=MEAN,
        test_flaky="from unlucky import unlucky\n\n\ndef test_flaky():\n    assert unlucky() == 2\n",
        test_numbers=MEAN_TESTS,
    )
    context = project.context()
    request = project.request(context)
    (whole,) = request.baseline
    failed = Attempt(
        number=1,
        candidate=Candidate(files=(), why="", rank=1, remedy="comparison-neighbour"),
        executions=(without_failures(whole, but="test_flaky.py::test_flaky"),),
        verdict=Verdict(state="failed"),
    )
    candidate = treadle_generate(request=project.request(context, attempts=(failed,)), context=context)
    assert candidate is not None
    assert [change.path for change in candidate.files] == ["numbers_of.py"]


def test_a_file_with_tests_in_it_is_named_where_nothing_else_is_left(project):
    project.write(one="def one():\n    return 2\n\n\ndef test_one():\n    assert one() == 1\n")
    invocation = Invocation(pytest=True, args=("one.py",), cwd_on_path=True)
    context = project.context()
    request = project.request(context, check=pytest_job(invocation, project.task(), project.workspace))
    assert treadle_generate(request=request, context=context) is None
    (said,) = context.notes
    assert "nothing to change: one.py holds tests" in said


def test_what_was_named_is_told_where_nothing_was_found_in_it(project):
    project.write(
        one="def one():\n    return 2\n",
        two="",
        test_one="from one import one\n\n\ndef test_one():\n    assert one() == 1\n",
    )
    context = project.context()
    assert treadle_generate(request=project.request(context, files=("two.py",)), context=context) is None
    assert context.notes[-1].startswith("only two.py was looked into")


def test_a_statement_that_is_taken_away_is_said_to_be(project):
    """And of two edits, each counts for the tests that executed it."""
    project.write(
        pair="""
            def one():
                return 2


            def two(items):
                items.append(1)
                items.append(2)
                return items
        """,
        test_pair="""
            from pair import one, two


            def test_one():
                assert one() == 1


            def test_two():
                assert two([]) == [2]
                assert two([3]) == [3, 2]
        """,
    )
    candidate = project.repair()
    assert candidate is not None
    assert "`items.append(1)` is deleted (statement-deleted)." in candidate.why
    assert "All 2 failing tests executed one of these lines: " in candidate.why


def without_failures(run, but):
    """The run as if every test but one had passed."""
    report = report_of(run)
    tests = tuple(t if t.id == but else msgspec.structs.replace(t, outcome="passed") for t in report.tests)
    content = msgspec.json.encode(msgspec.structs.replace(report, tests=tests))
    return msgspec.structs.replace(run, files=(CollectedFile(name=testrun.REPORT, content=content),))


def test_two_faults_are_mended_together(project):
    project.write(
        pair="def smaller(a, b):\n    return max(a, b)\n\n\ndef double(a):\n    return a * 3\n",
        test_pair="""
            from pair import double, smaller


            def test_smaller():
                assert smaller(1, 2) == 1
                assert smaller(4, 3) == 3


            def test_double():
                assert double(4) == 8
                assert double(5) == 10
        """,
    )
    candidate = project.repair(max_candidates=600)
    assert candidate is not None
    assert not project.report_with(candidate).failing
    assert sorted(candidate.remedy.split(" + ")) == ["integer-step", "sibling-function"]


def test_swapped_names_in_one_expression_are_a_two_edit_repair_or_less(project):
    project.write(clamp=CLAMP, test_clamp=CLAMP_TESTS)
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing


def repaired_by_command(project, *words, context=None):
    """What the search makes of the project with a plain command as its test."""
    check = command_job(parse(words, sys.executable), project.task(), project.workspace)
    context = context or project.context(max_candidates=60)
    return treadle_generate(request=project.request(context, check=check), context=context)


def test_a_plain_command_serves_as_the_test(project):
    project.write(
        half="def half(n):\n    return n // 3\n",
        run_checks="from half import half\n\nassert half(10) == 5\nassert half(7) == 3\n",
    )
    candidate = repaired_by_command(project, "python", "run_checks.py")
    assert candidate is not None
    assert changed_lines(project, candidate) == [("return n // 3", "return n // 2")]


UNITTEST_CHECKS = """
import unittest


class Test(unittest.TestCase):
    def test_half(self):
        self.assertEqual((half(8), half(9)), (4, wanted()))
"""


@pytest.mark.parametrize(
    ("checks", "command"),
    [
        ("assert half(8) == 4 and half(9) == wanted()", "python checks.py"),
        ("if (half(8), half(9)) != (4, wanted()):\n    raise SystemExit(1)", "cd . && python -u ./checks.py"),
        ("assert half(8) == 4 and half(9) == wanted()", "python -c 'import runpy; runpy.run_module(\"checks\")'"),
        (UNITTEST_CHECKS, "python -m unittest checks"),
    ],
    ids=["asserts", "exits", "run by another", "unittest"],
)
def test_what_a_plain_command_checks_by_is_never_changed(project, checks, command):
    """The fault is in the checks themselves, where one small change would make the command pass."""
    project.write(
        half="def half(n):\n    return n // 2\n",
        checks=f"from half import half\n\n\ndef wanted():\n    return 4 + 1\n\n\n{checks}\n",
    )
    candidate = repaired_by_command(project, *shlex.split(command))
    assert candidate is None or [change.path for change in candidate.files] == ["half.py"]


def test_what_a_plain_command_checks_by_is_named_where_nothing_was_found(project):
    project.write(half="HALF = 0.5\n", checks="from half import HALF\n\nassert half(8) == 4\n")
    context = project.context(max_candidates=8)
    assert repaired_by_command(project, "python", "checks.py", context=context) is None
    assert context.notes[-1] == "never changed, since the test command checks by it: checks.py"


def test_an_assertion_in_code_that_tests_import_does_not_make_it_a_test(project):
    project.write(
        units="TWO = 2\n",
        half="from units import TWO\n\n\ndef half(n):\n    assert n >= 0\n    return n // TWO + 1\n",
        test_half="from half import (\n    half,\n)\n\nassert (half(8), half(9)) == (4, 4)\n",
    )
    candidate = repaired_by_command(project, "python", "-m", "test_half")
    assert candidate is not None
    assert [change.path for change in candidate.files] == ["half.py"]


def test_a_script_that_checks_itself_keeps_its_checks(project):
    checks = "if __name__ == '__main__':\n    assert half(8) == 4\n    assert half(9) == {}\n"
    project.write(half="def half(n):\n    return n // 3\n\n\n" + checks.format(4))
    candidate = repaired_by_command(project, "python", "half.py")
    assert candidate is not None
    assert changed_lines(project, candidate) == [("return n // 3", "return n // 2")]
    project.write(half="def half(n):\n    return n // 2\n\n\n" + checks.format(5))
    candidate = repaired_by_command(project, "python", "half.py")
    assert candidate is None or checks.format(5).encode() in candidate.files[0].content


# ---------------------------------------------------------------- the same again, however it is interrupted


def test_a_resumed_search_ends_as_an_undisturbed_one(project):
    project.write(numbers_of=MEAN, test_numbers=MEAN_TESTS)
    context = project.context()
    request = project.request(context)
    undisturbed = treadle_generate(request=request, context=context)
    assert undisturbed is not None
    recorded = context.batches[1:]
    assert len(recorded) > 2
    for known in range(1, len(recorded) + 1):
        again = ReplayContext(project.root, project.workers, recorded[:known])
        resumed = treadle_generate(request=request, context=again)
        assert pack(resumed) == pack(undisturbed)


def test_a_cancelled_search_ends_at_once_without_a_candidate(project):
    project.write(clamp=CLAMP, test_clamp=CLAMP_TESTS)
    context = project.context()
    request = project.request(context)
    context.stop_after = len(context.batches) + 1
    assert treadle_generate(request=request, context=context) is None
    assert len(context.batches) == 2
    assert "told to come back" in context.notes[-1]


def test_progress_is_shown_and_the_suspects_are_told(project):
    beyond = "def clamp(x, low, high):\n    return [x, low, high].pop(2) * 7\n"
    project.write(digits=beyond, test_digits=CLAMP_TESTS.replace("from clamp", "from digits"))
    context = project.context(max_candidates=150)
    treadle_generate(request=project.request(context), context=context)
    done = [d for d, _, _ in context.shown]
    assert len(set(done)) > 1
    assert done == sorted(done)
    assert all(total is not None and d <= total for d, total, _ in context.shown)
    (data,) = (data for kind, data in context.events if kind == "localised")
    assert data["suspects"][0][:2] == ["digits.py", "clamp"]


def test_a_second_attempt_goes_on_after_the_rejected_candidate(project):
    project.write(
        seven="def seven():\n    return 5\n",
        test_seven="from seven import seven\n\n\ndef test():\n    assert seven() > 6\n",
    )
    context = project.context()
    request = project.request(context)
    first = treadle_generate(request=request, context=context)
    second_request = project.request(context, attempts=(Attempt(number=1, candidate=first),), rung="repair")
    second = treadle_generate(request=second_request, context=context)
    assert second is not None
    assert second.rank > first.rank
    assert second.files != first.files


def test_a_lesson_makes_its_operator_come_sooner(project):
    project.write(
        seven="def seven(a, b):\n    return a - b\n",
        test_seven="from seven import seven\n\n\ndef test():\n    assert seven(3, 4) == 7\n",
    )
    context = project.context()
    plain = treadle_generate(request=project.request(context), context=context)
    other = Lesson(id="1", signature="s", text="t", remedy="variable", uses=2, successes=2)
    helpful = Lesson(id="2", signature="s", text="t", remedy="arithmetic-operator", uses=2, successes=2)
    taught = treadle_generate(request=project.request(context, lessons=(helpful,)), context=context)
    misled = treadle_generate(request=project.request(context, lessons=(other,)), context=context)
    assert plain.files == taught.files == misled.files
    assert taught.rank == 1 < misled.rank


def test_a_missing_guard_is_taken_from_a_sibling_function(project):
    project.write(
        tank="""
            class Tank:
                def __init__(self):
                    self.level = 0

                def fill(self, amount):
                    if amount <= 0:
                        raise ValueError(amount)
                    self.level += amount

                def drain(self, amount):
                    self.level -= amount
        """,
        test_tank="""
            import pytest
            from tank import Tank


            def test_fill():
                tank = Tank()
                tank.fill(2)
                assert tank.level == 2
                with pytest.raises(ValueError):
                    tank.fill(0)


            def test_drain():
                tank = Tank()
                tank.drain(3)
                assert tank.level == -3


            def test_drain_refuses():
                for amount in (0, -1):
                    with pytest.raises(ValueError):
                        Tank().drain(amount)
        """,
    )
    candidate = project.repair()
    assert candidate is not None
    assert candidate.remedy == "guard-inserted"
    assert "`if amount <= 0: raise ValueError(amount)` is inserted" in candidate.why
    assert not project.report_with(candidate).failing


@pytest.mark.parametrize("limit", [{"max_candidates": 8}, {"budget_s": 0.0}])
def test_a_budget_ends_the_search_and_is_named(project, limit):
    project.write(
        far="def far(text):\n    return text\n",
        test_far="from far import far\n\n\ndef test():\n    assert far('a') == 'completely different'\n",
    )
    context = project.context(**limit)
    request = project.request(context)
    before = sum(len(jobs) for jobs, _ in context.batches)
    assert treadle_generate(request=request, context=context) is None
    assert sum(len(jobs) for jobs, _ in context.batches) - before <= 2 + 8
    assert f"plugins.search.{next(iter(limit))}" in context.notes[-1]


def test_jobs_keep_the_limits_of_the_plan(project):
    project.write(numbers_of=MEAN, test_numbers=MEAN_TESTS)
    context = project.context()
    check = msgspec.structs.replace(project.check(), limits=Limits(tier="heavy", wall_s=9.0, memory=1 << 30))
    treadle_generate(request=project.request(context, check=check), context=context)
    for jobs, _ in context.batches:
        for job in jobs:
            assert job.limits.tier == "heavy"
            assert job.limits.memory == 1 << 30
            assert job.limits.wall_s <= 9.0


def test_the_plugin_tells_its_settings_and_operators():
    assert {setting.name: setting.default for setting in treadle_settings()}["max_candidates"] == 5000
    assert len(treadle_contributions()) >= 15
    pack(treadle_contributions())


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("def f(a, b):\r\n    # größer\r\n    return a - b  # über\r\n".encode("utf-8-sig"), "a - b"),
        ("# -*- coding: latin-1 -*-\ndef f(a, b):\n    name = 'ä'; return a - b".encode("latin-1"), "a - b"),
    ],
)
def test_encoding_endings_and_comments_survive(project, content, wrong):
    (project.root / "plus.py").write_bytes(content)
    project.write(test_plus="from plus import f\n\n\ndef test():\n    assert f(2, 3) == 5\n")
    candidate = project.repair()
    assert candidate.files[0].content == content.replace(wrong.encode(), wrong.replace("-", "+").encode())


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("import nowhere\n\n\ndef test(): pass\n", "no module named 'nowhere' (test_lacking.py:1)"),
        ("def test(absent): pass\n", "fixture 'absent' not found (test_lacking.py::test)"),
    ],
)
def test_what_no_change_of_the_code_can_mend_is_told_without_a_search(project, text, lacks):
    project.write(clamp=CLAMP, test_clamp=CLAMP_TESTS, test_lacking=text)
    context = project.context()
    request = project.request(context)
    before = len(context.batches)
    assert treadle_generate(request=request, context=context) is None
    assert lacks in context.notes[-1]
    assert len(context.batches) == before + 1


def test_a_module_missing_where_the_source_imports_it_may_be_the_wrong_one(project):
    project.write(
        choice="""
            import sys

            if sys.version_info < (3, 0):
                import math
            else:
                import nowhere as math


            def half(x):
                return math.floor(x / 2)
        """,
        test_choice="from choice import half\n\n\ndef test():\n    assert half(5) == 2\n",
    )
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing


NET = """
from total import total

def test_total(): assert total([1, 2]) == 3
def test_net():
    raise PermissionError(1, "Operation not permitted")
"""
TOTAL = "def total(values):\n    found = 0\n    for value in values:\n        found -= value\n    return found\n"


def test_a_test_that_the_sandbox_hinders_is_set_aside(project):
    project.write(total=TOTAL, test_total=NET)
    context = project.context()
    candidate = treadle_generate(request=project.request(context), context=context)
    assert candidate is not None
    assert b"found += value" in candidate.files[0].content
    (note,) = context.notes
    assert note.startswith("set aside, since the sandbox does not let them")
    assert note.endswith("test_total.py::test_net")


def test_a_change_that_mends_a_part_is_named_with_how_to_have_it(project):
    project.write(total=TOTAL, test_total=NET.replace("PermissionError(1, ", "LookupError("))
    context = project.context(max_candidates=40)
    assert treadle_generate(request=project.request(context), context=context) is None
    assert "1 of the 2 failing tests would pass with this change: total.py, line 4" in context.notes[-1]
    assert context.notes[-1].endswith("--test 'pytest test_total.py::test_total'")


class HoldingBack(ProcessContext):
    """A context that does not let variants run with one of these texts in them."""

    held = ()

    def _run(self, job):
        if any(text.encode() in (change.content or b"") for text in self.held for change in job.files):
            return Execution(job=job.id, verdict="error", message="not run: somebody has to look at it")
        return super()._run(job)


def repaired_for_a_model(project, context):
    """What is found where a model writes, and each variant is shown to the scanners before it runs."""
    request = project.request(context)
    request = msgspec.structs.replace(request, task=msgspec.structs.replace(request.task, kind="run"))
    return repaired(request, context, settings_from(context.settings()))


def test_variants_that_may_not_run_are_not_tried_and_where_none_may_it_ends(project):
    project.write(clamp=CLAMP, test_clamp=CLAMP_TESTS)
    context = HoldingBack(project.root, project.workers)
    context.held = ("def clamp",)
    assert repaired_for_a_model(project, context) is None
    assert [data["tried"] for kind, data in context.events if kind == "tried"] == [0]
    assert context.notes == ["the search tried 0 candidates: what it makes may not run (somebody has to look at it)"]
    variants = [jobs for jobs, _ in context.batches if any(job.files for job in jobs)]
    assert len(variants) == 1


def test_a_variant_that_may_not_run_holds_up_no_other(project):
    project.write(numbers_of=MEAN, test_numbers=MEAN_TESTS)
    free = repaired_for_a_model(project, HoldingBack(project.root, project.workers))
    assert free is not None
    context = HoldingBack(project.root, project.workers)
    context.held = ("if len(values) < 1:",)
    found = repaired_for_a_model(project, context)
    assert found is not None
    assert found.files == free.files
    held = {done.job for _, answers in context.batches for done in answers if done.not_run}
    assert held
    assert found.tried == free.tried - len(held)


def test_a_decorator_left_out_of_what_no_failing_test_executes_is_put_in(project):
    project.write(
        registry="""
            HANDLERS = {}


            def handler(name):
                def register(function):
                    HANDLERS[name] = function
                    return function
                return register
        """,
        commands="""
            from registry import handler


            @handler("add")
            def add(a, b):
                return a + b


            def subtract(a, b):
                return a - b
        """,
        test_commands="""
            import commands
            from registry import HANDLERS


            def test_add():
                assert HANDLERS["add"](1, 2) == 3


            def test_subtract():
                assert HANDLERS["subtract"](5, 2) == 3
        """,
    )
    candidate = project.repair()
    assert candidate is not None and candidate.files[0].path == "commands.py"
    assert b'@handler("subtract")\ndef subtract' in candidate.files[0].content
    assert '`@handler("subtract")` is inserted' in candidate.why and "executed" not in candidate.why


def test_what_tests_can_not_import_from_a_package_is_put_into_its_imports(project):
    project.write(
        kit____init__="from .text import shout\n",
        kit__text="def shout(a):\n    return a.upper()\n\n\ndef whisper(a):\n    return a.lower()\n",
        test_kit="from kit import whisper\n\n\ndef test_whisper():\n    assert whisper('A') == 'a'\n",
    )
    candidate = project.repair()
    assert candidate is not None and candidate.files[0].path == "kit/__init__.py"
    assert candidate.files[0].content == b"from .text import shout, whisper\n"
