"""A plugin within Treadle that makes another change of what one has answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.plugin_workshop import Workshop
from treadle.core.records import GenerateRequest, Plan, Task, Workspace

WORKSPACE = Workspace(id="w", upper="", root="/project", project="/project", kind="overlay")
MAKES = "@hookimpl\ndef treadle_generate(request):\n    return Candidate(files=(), why='first')\n"
WRAPS = (
    "@hookimpl(wrapper=True)\ndef treadle_generate(request):\n    yield\n    return Candidate(files={}, why='second')\n"
)


@pytest.mark.parametrize(
    ("files", "by", "faults"),
    [
        ("()", ("wraps", "makes"), 0),
        ("(FileChange(path='../x', content=b''),)", ("makes",), 1),
        ("(FileChange(path='a/' * 2100 + 'b', content=b''),)", ("makes",), 1),
        ("(FileChange(path='a', content=b'x' * (17 << 20)),)", ("makes",), 1),
        ("(), failed='x' * 70_000", ("makes",), 1),
    ],
)
def test_it_is_of_both_and_held_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: str, by: tuple[str, ...], faults: int
) -> None:
    workshop = Workshop(tmp_path, monkeypatch)
    workshop.built_in("makes", MAKES)
    workshop.built_in("wraps", WRAPS.format(files))
    task = Task(id="t", kind="fix", project="/project", python="python")
    request = GenerateRequest(
        task=task, plan=Plan(steps=(), checks=()), workspace=WORKSPACE, baseline=(), lessons=(), attempts=()
    )
    answer = workshop.manager().call("treadle_generate", request=request, context=None)
    assert (answer.by, len(workshop.faults)) == (by, faults)
