"""How far the search trusts its repairs, and what it shows where others would do as well."""

from __future__ import annotations

import sys

import msgspec

from tests.corpus.judging import PLAIN
from tests.plugins.search.search_driver import Project, ReplayContext
from treadle.core.records import Candidate, Job
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.generation.search.trust import Evidence, judged
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import command_job

HALF = "def half(n):\n    return n * 2\n"
FEW = "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
MANY = (
    FEW
    + "\n\ndef test_more():\n    assert [half(n) for n in (0, 6, 10, -4)] == [0, 3, 5, -2]\n"
    + "\n\ndef test_odd():\n    assert half(7) == 3\n"
)
TRUST = {"trust_s": 60.0, "trust_candidates": 80}


def plain(project: Project) -> Job:
    """The check by a runner that costs the tests' own time."""
    return msgspec.structs.replace(project.check(), script=PLAIN, stdin=b"{}", args=())


def weighed(project: Project, **settings: object) -> tuple[Candidate, dict[str, object]]:
    context = project.context(**TRUST | settings)
    found = treadle_generate(request=project.request(context, check=plain(project)), context=context)
    assert found is not None
    return found, next((data for kind, data in context.events if kind == "weighed"), {})


def test_few_tests_admit_others_and_the_calls_that_tell_them_apart_are_shown(project):
    project.write(half=HALF, test_half=FEW)
    found, evidence = weighed(project)
    confidence = found.confidence
    assert confidence is not None
    assert confidence.level == "low"
    texts = [(rival.files[0].content or b"").decode() for rival in confidence.rivals]
    assert any("n // 2" in text for text in texts), texts
    assert all(rival.files[0].base == found.files[0].base for rival in confidence.rivals)
    first = confidence.disagreements[0]
    assert len(first.answers) == len(texts) + 1
    assert len(set(first.answers)) > 1
    assert evidence["noticed"] < evidence["mutants"]


def test_each_answer_is_a_test_that_its_own_change_alone_passes(project):
    project.write(half=HALF, test_half=FEW)
    found, _ = weighed(project)
    assert found.confidence is not None
    shown = found.confidence.disagreements[0]
    changes = [found.files, *(rival.files for rival in found.confidence.rivals)]
    for text in {text for text in shown.tests if text}:
        project.write(test_example=text)
        for own, files in zip(shown.tests, changes, strict=True):
            report = project.report_with(Candidate(files=files, why=""))
            example = [test.outcome for test in report.tests if test.id.startswith("test_example")]
            assert example == ["passed" if own == text else "failed"]


def test_another_repair_is_one_by_the_tests_of_what_it_changes(project):
    """And not by those alone that hold the first one fast."""
    project.write(
        calc="def scale(y):\n    z = y * 10\n    return z\n\n\ndef shift(x):\n    w = x + 2\n    return w\n",
        test_calc="""
            from calc import scale, shift


            def test_one():
                assert scale(shift(1)) == 20


            def test_five():
                assert scale(shift(5)) == 60


            def test_scale():
                assert [scale(n) for n in (0, 3)] == [0, 30]
        """,
    )
    context = project.context(**TRUST | {"trust_candidates": 120})
    found = treadle_generate(request=project.request(context), context=context)
    assert found is not None
    assert found.confidence is not None
    assert [rival.why for rival in found.confidence.rivals] == []


def test_many_tests_hold_a_repair_fast(project):
    project.write(half=HALF, test_half=MANY)
    found, evidence = weighed(project)
    assert found.confidence is not None
    assert found.confidence.level == "high"
    assert found.confidence.disagreements == ()
    assert evidence["noticed"] == evidence["mutants"]


def test_tests_that_do_not_reach_the_change_are_not_run_to_weigh_it(project):
    project.write(half=HALF, test_half=FEW, other="def other():\n    return 1\n")
    project.write(test_other="from other import other\n\n\ndef test_other():\n    assert other() == 1\n")
    context = project.context(**TRUST)
    assert treadle_generate(request=project.request(context, check=plain(project)), context=context) is not None
    observing = [job for jobs, _ in context.batches for job in jobs if job.id.startswith("search-behaviour")]
    assert observing
    assert all(b"test_half" in job.stdin and b"test_other" not in job.stdin for job in observing)


def test_nobody_looks_where_that_is_switched_off(project):
    project.write(half=HALF, test_half=FEW)
    found, evidence = weighed(project, trust_s=0)
    assert found.confidence is None
    assert evidence == {}


def test_no_more_is_run_than_there_is_time_for(project):
    project.write(half=HALF, test_half=FEW)
    found, evidence = weighed(project, trust_s=1e-9)
    assert found.confidence is not None
    assert evidence["mutants"] == 4


def test_what_can_not_be_compared_makes_no_high_confidence():
    known = {"mutants": 20, "noticed": 19, "compared_mutants": 1, "unlike_mutants": 0, "looked_at": 9, "alike": 1}
    known |= {"unlike": 0, "unknown": 0, "inputs": 9, "observed": 3, "mends": 1, "edits": 1, "cost": 1, "suspicion": 1}
    assert judged(Evidence(**known))[0] == "high"
    for less in ({"compared_mutants": 0}, {"unknown": 1, "alike": 0}):
        level, reasons = judged(Evidence(**known | less))
        assert level == "medium"
        assert ("not be compared" in reasons[-1]) == ("unknown" in less)
    nothing = {"mutants": 0, "noticed": 0, "compared_mutants": 0}
    assert judged(Evidence(**known | nothing))[0] == "low"  # there was no time for them
    assert judged(Evidence(**known | nothing, has_mutants=False))[0] == "medium"
    for shown in (0, 1, 2):
        said = judged(Evidence(**known | {"unlike": 2}), shown)[1][-1]
        assert ("name 1 that stands" in said) == (shown == 1)


def test_the_weighing_is_the_same_when_it_is_resumed(project):
    project.write(half=HALF, test_half=FEW)
    context = project.context(**TRUST)
    request = project.request(context, check=plain(project))
    undisturbed = treadle_generate(request=request, context=context)
    recorded = context.batches[1:]
    for known in (len(recorded) // 2, len(recorded)):
        again = ReplayContext(project.root, project.workers, recorded[:known])
        again._settings = context._settings
        assert treadle_generate(request=request, context=again) == undisturbed


def test_of_a_plain_command_it_is_known_what_makes_it_fail(project):
    project.write(half=HALF, run_checks="from half import half\n\nassert half(10) == 5\nassert half(7) == 3\n")
    invocation = Invocation(pytest=False, args=(sys.executable, "run_checks.py"))
    check = command_job(invocation, project.task(), project.workspace)
    context = project.context(**TRUST)
    found = treadle_generate(request=project.request(context, check=check, files=("half.py",)), context=context)
    assert found is not None
    assert found.confidence is not None
    assert "further changes" in found.confidence.reasons[0]
    assert found.confidence.rivals == ()
