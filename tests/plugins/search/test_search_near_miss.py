"""What the search makes of an attempt that nearly holds."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.plugins.search.search_driver import Project
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Confidence,
    Execution,
    FileChange,
    Rival,
    Verdict,
    Workspace,
)
from treadle.core.testrun import REPORT, TestReport, TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search import treadle_generate
from treadle.plugins.generation.search.near_miss import TakingBack, laid_over


def test_each_change_to_choose_from_is_one_of_the_project_as_the_attempt_is():
    first = (FileChange(path="a.py", content=b"1", base="project"), FileChange(path="b.py", content=b"new"))
    attempt = Attempt(number=1, candidate=Candidate(files=first, why="w"), verdict=Verdict(state="failed"))

    def mended(content: bytes) -> tuple[FileChange, ...]:
        return (FileChange(path="a.py", content=content, base="attempt"),)

    trust = Confidence(level="low", rivals=(Rival(files=mended(b"3"), why="w"),))
    found = laid_over(attempt, Candidate(files=mended(b"2"), why="w", confidence=trust))
    assert found.files == (FileChange(path="a.py", content=b"2", base="project"), first[1])
    assert found.confidence is not None
    assert found.confidence.rivals[0].files == (FileChange(path="a.py", content=b"3", base="project"), first[1])


@pytest.mark.parametrize(
    ("tried", "found", "taken_back"),
    [
        ("a\nB\nc\nd\n", "a\nb\nc\nd\n", True),
        ("A\nb\nc\nD\n", "A\nb\nc\nd\n", True),
        ("a\nb\nnew\nc\nd\n", "a\nb\nc\nd\n", True),
        ("a\nB\nc\nd\n", "a\nBB\nc\nd\n", False),
        ("a\nb\nnew\nc\nd\n", "a\nb\nnewer\nc\nd\n", False),
        ("a\nB\nc\nd\n", "a\nB\nc\nD\n", False),
        ("a\nd\n", "a\nc\nd\n", False),
    ],
)
def test_to_take_back_what_was_changed_is_no_mend(tmp_path: Path, tried: str, found: str, taken_back: bool):
    taking_back = taking_back_of(tmp_path, tried, ran("test_a"), ran("test_a"))
    assert taking_back.is_by(change(found)) is taking_back.seen is taken_back


@pytest.mark.parametrize(
    ("found", "taken_back"),
    [("A\nb\nc\nd\n", False), ("a\nb\nc\nd\n", True), ("a\nb\nnew\nc\nd\n", True)],
)
def test_one_of_several_places_was_wrong_where_a_test_tells_the_others_from_nothing(
    tmp_path: Path, found: str, taken_back: bool
):
    taking_back = taking_back_of(tmp_path, "A\nb\nc\nD\n", ran("test_a"), ran("test_a", "test_new"))
    assert taking_back.is_by(change(found)) is taken_back


def test_a_change_that_takes_back_is_neither_the_mend_nor_offered_beside_it(project: Project):
    write_both(project)
    found = mended(project, b"a + c")
    assert found is not None and found.confidence is not None
    offered = [found.files, *(rival.files for rival in found.confidence.rivals)]
    assert not any(b"return a + b" in (files[0].content or b"") for files in offered)


def test_what_old_tests_contradict_and_none_speaks_for_is_not_mended(project: Project):
    """`a * b` would be what they all ask for."""
    write_both(project)
    assert mended(project, b"a - b") is None


def write_both(project: Project) -> None:
    project.write(
        both="""
            def both(a, b):
                return a + b
        """,
        test_both="""
            from both import both


            def test_twos():
                assert both(2, 2) == 4


            def test_zeros():
                assert both(0, 0) == 0


            def test_all_but_it():
                assert callable(both)
        """,
    )


def mended(project: Project, value: bytes) -> Candidate | None:
    """What the search makes of an attempt that gives this value."""
    context = project.context(trust_s=1.0)
    request = project.request(context)
    changed = (FileChange(path="both.py", content=b"def both(a, b):\n    return " + value + b"\n"),)
    failed = context.execute((msgspec.structs.replace(project.check(), files=changed),))
    attempt = Attempt(
        number=1,
        candidate=Candidate(files=changed, why="w"),
        executions=failed,
        verdict=Verdict(state="failed"),
    )
    task = msgspec.structs.replace(request.task, kind="run")
    return treadle_generate(request=msgspec.structs.replace(request, task=task, attempts=(attempt,)), context=context)


def ran(*passing: str) -> tuple[Execution, ...]:
    tests = tuple(TestResult(id=test, outcome="passed") for test in passing)
    report = msgspec.json.encode(TestReport(complete=True, tests=tests))
    return (Execution(job="tests", verdict="ok", files=(CollectedFile(name=REPORT, content=report),)),)


def change(text: str) -> tuple[FileChange, ...]:
    return (FileChange(path="a.txt", content=text.encode()),)


def taking_back_of(folder: Path, tried: str, before: tuple[Execution, ...], now: tuple[Execution, ...]) -> TakingBack:
    """What knows which mends take back a change of a file to this text, by the runs before it and with it."""
    (folder / "a.txt").write_text("a\nb\nc\nd\n")
    tree = Tree(Workspace(id="w", root=str(folder), kind="overlay", upper="", project=str(folder)))
    candidate = Candidate(files=change(tried), why="w")
    attempt = Attempt(number=1, candidate=candidate, executions=now, verdict=Verdict(state="failed"))
    return TakingBack(attempt, before, tree)
