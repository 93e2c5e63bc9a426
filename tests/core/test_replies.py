from __future__ import annotations

import json
from pathlib import Path

import pytest

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies import file_of_tool_call, files_of

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]


def taken(case: dict) -> object:
    try:
        if "tool_call" in case:
            changes: tuple[FileChange, ...] = (file_of_tool_call(case["tool_call"]["name"], case["tool_call"]["json"]),)
        else:
            changes = files_of(case["reply"], dict(case.get("before", [])))
    except ReplyError:
        return "refused"
    return [[c.path, (c.content or b"").decode()] for c in changes]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_kind_of_reply_gives_the_files_it_should(case: dict) -> None:
    allowed = case.get("files_any_of") or [case["files"]]
    assert taken(case) in [[] if files == "none" else files for files in allowed]
