"""Tables of a file that were sent without the others."""

from __future__ import annotations

import pytest

from treadle.core.replies.parts import whole
from treadle.core.replies.table_parts import with_tables
from treadle.core.said import Said

OLD = """# Ours.
[project]
name = "a"

[tool.ruff]
line-length = 100
select = ["E"]

# For tests.
[tool.mypy]
strict = true
"""


@pytest.mark.parametrize(
    ("sent", "made"),
    [
        ("[tool.pytest]\naddopts = '-q'\n", OLD + "\n[tool.pytest]\naddopts = '-q'\n"),
        (
            '[tool.ruff]\nline-length = 120\nselect = ["E"]\nfix = true\n',
            OLD.replace('100\nselect = ["E"]', '120\nselect = ["E"]\nfix = true'),
        ),
        ("[tool.mypy]\nstrict = false\n\n[b]\nc = 1\n", OLD.replace("true", "false") + "\n[b]\nc = 1\n"),
    ],
)
def test_tables_go_to_their_places(sent: str, made: str) -> None:
    assert with_tables(OLD, sent) == made
    assert whole("pyproject.toml", OLD, sent) == made


@pytest.mark.parametrize(
    "sent",
    [
        OLD.replace("100", "120"),
        "[project]\nname = 'a'\n",
        "[tool.ruff]\nselect = ['E']\n",
        "x = 1\n[b]\nc = 1\n",
        "[b]\nc = 1\n[b]\nd = 1\n",
        "x = 1\n",
    ],
    ids=["all of it", "the first", "a key is lacking", "more", "twice", "no table"],
)
def test_what_may_be_all_of_the_file_has_no_place(sent: str) -> None:
    assert with_tables(OLD, sent) is None
    assert whole("a.cfg", OLD, sent) == sent


def test_tables_that_are_said_to_go_may_be_lacking() -> None:
    sent = OLD[OLD.index("[tool.ruff]") :]
    assert whole("a.toml", OLD, sent, Said(["Remove project from a.toml"])) == sent
