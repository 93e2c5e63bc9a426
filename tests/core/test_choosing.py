"""What a person chooses from changes that all tests pass with."""

from __future__ import annotations

import msgspec
import pytest

from treadle.core.choosing import chosen
from treadle.core.errors import UsageError
from treadle.core.records import (
    Attempt,
    Candidate,
    CollectedFile,
    Confidence,
    Disagreement,
    Execution,
    FileChange,
    Outcome,
    Rival,
    Task,
    Verdict,
)

THIS, OTHER = (FileChange(path="half.py", content=content) for content in (b"/", b"//"))
REPORT = b'{"complete": true, "tests": [{"id": "tests/test_half.py::test", "outcome": "failed"}]}'


def outcome(*tests: tuple[str, ...], rivals: bool = True) -> Outcome:
    """A session whose change has a rival, told apart by calls with these tests."""
    confidence = Confidence(
        level="low",
        rivals=(Rival(files=(OTHER,), why="another"),),
        disagreements=tuple(Disagreement(call="half(7)", answers=("3.5", "3"), tests=each) for each in tests),
    )
    candidate = Candidate(files=(THIS,), why="this one", confidence=confidence if rivals else None)
    ran = Execution(job="tests", verdict="error", files=(CollectedFile(name="report.json", content=REPORT),))
    return Outcome(
        task=Task(id="t", kind="fix", project="/p", python="python"),
        state="SOLVED",
        attempts=(Attempt(number=1, candidate=candidate, verdict=Verdict(state="passed")),),
        baseline=(ran,),
    )


def test_the_change_of_a_number_is_taken():
    both = outcome(("a", "b"))
    assert chosen(both, 1, keeps_example=False, exists=lambda name: False) == ((THIS,), "this one")
    assert chosen(both, 2, keeps_example=False, exists=lambda name: False) == ((OTHER,), "another")


def test_an_example_becomes_a_new_test_beside_those_that_failed():
    there = {"tests/test_half_example.py"}
    files, _ = chosen(outcome(("", ""), ("a", "b")), 2, keeps_example=True, exists=there.__contains__)
    assert files == (OTHER, FileChange(path="tests/test_half_example1.py", content=b"b"))


def test_who_has_chosen_is_told_the_way_to_choose_again():
    came = outcome(("a", "b"))
    first = msgspec.structs.replace(came.attempts[0], verdict=Verdict(state="failed"))
    candidate = msgspec.structs.replace(first.candidate, confidence=None)
    latest = Attempt(number=2, candidate=candidate, verdict=Verdict(state="passed"))
    came = msgspec.structs.replace(came, attempts=(first, latest))
    with pytest.raises(UsageError, match="attempt 1, of which there was a choice, holds no longer: go back to it"):
        chosen(came, 2, keeps_example=False, exists=lambda name: False)


def test_an_example_lies_in_the_project_whatever_a_report_names():
    came = outcome(("a", "b"))
    report = CollectedFile(name="report.json", content=REPORT.replace(b"tests/", b"../../"))
    elsewhere = msgspec.structs.replace(came.baseline[0], files=(report,))
    came = msgspec.structs.replace(came, baseline=(elsewhere,))
    files, _ = chosen(came, 1, keeps_example=True, exists=lambda name: False)
    assert files[-1].path == "test_half_example.py"


@pytest.mark.parametrize(
    ("came", "number", "keeps", "words"),
    [
        (None, 1, False, "nothing to choose from"),
        (outcome(), 1, False, "nothing to choose from"),
        (outcome(("a", "b"), rivals=False), 1, False, "nothing to choose from"),
        (outcome(("a", "b")), 3, False, "numbers from 1 to 2"),
        (outcome(("a", "b")), 0, False, "numbers from 1 to 2"),
        (outcome(("a", "")), 2, True, "none of the examples can be written"),
    ],
)
def test_what_can_not_be_chosen_is_said(came, number, keeps, words):
    with pytest.raises(UsageError, match=words):
        chosen(came, number, keeps_example=keeps, exists=lambda name: False)
