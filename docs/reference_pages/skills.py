"""The page of the skills."""

from __future__ import annotations

from collections.abc import Iterator

from reference_pages.from_code import manual
from reference_pages.markdown import fenced
from treadle.skills import catalogue


def skills() -> Iterator[str]:
    yield "# Skills"
    yield manual("treadle.skills")
    yield (
        "`treadle skills [WORDS]` finds them; `treadle skills WORDS --code` prints one. Each was checked: types, "
        "examples, tests, and Treadle's own scan."
    )
    for skill in catalogue():
        yield f"## {skill.name}"
        yield fenced(skill.signature, "python")
        yield manual(skill.module).rpartition("\n\nWords:")[0]
