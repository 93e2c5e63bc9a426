"""What the search makes of an attempt that nearly holds."""

from __future__ import annotations

from treadle.core.records import Attempt, Candidate, Confidence, FileChange, Rival, Verdict
from treadle.plugins.generation.search.near_miss import laid_over


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
