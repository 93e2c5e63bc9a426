"""given: the code that the person gave is the candidate, once."""

from __future__ import annotations

from treadle.core.authorship import GIVEN
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, GenerateRequest


@hookimpl
def treadle_generate(request: GenerateRequest) -> Candidate | None:
    """The given files, unchanged, at the first attempt of a `check`; nothing after that."""
    if request.task.kind != "check" or request.attempts:
        return None
    return Candidate(files=request.task.given, why="the code as it was given", remedy=GIVEN, tried=1, total=1)
