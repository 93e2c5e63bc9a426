"""Replies that a real model gave, which are not part of the repository: TREADLE_TEST_DATA names their folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from treadle.core.replies.reply import files_of

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("TREADLE_TEST_DATA") or ROOT.parent / "shared" / "data") / "real_replies.jsonl"

RUN_ALL = """
import contextlib, io, json, os, sys
for line in sys.stdin:
    reply_id, code, tests = json.loads(line)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        import resource
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                exec(compile(code + "\\n" + tests, "main.py", "exec"), {"__name__": "__main__"})
                os._exit(0)
            except BaseException:
                os._exit(1)
    _, status = os.waitpid(child, 0)
    print(json.dumps([reply_id, status == 0]), flush=True)
"""


@pytest.fixture(scope="module")
def replies() -> list[dict[str, Any]]:
    if not DATA.is_file():
        pytest.skip(f"{DATA} is absent: set TREADLE_TEST_DATA to the folder that holds it")
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def test_every_real_reply_yields_main_py(replies: list[dict[str, Any]]) -> None:
    assert {reply["id"]: [change.path for change in files_of(reply["reply"])] for reply in replies} == {
        reply["id"]: ["main.py"] for reply in replies
    }


def test_what_is_taken_passes_exactly_the_tests_that_the_first_block_passes(replies: list[dict[str, Any]]) -> None:
    """Each program runs in a fork of one bare interpreter: 197 of them take seconds, not minutes."""
    lines = []
    for reply in replies:
        (change,) = files_of(reply["reply"])
        lines.append(json.dumps([reply["id"], (change.content or b"").decode(), "\n".join(reply["tests"])]))
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUN_ALL],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    passed = dict(json.loads(line) for line in done.stdout.splitlines())
    # A reply without any fence has no first block; what is taken from it then is the whole program.
    expected = {reply["id"]: reply["first_block_passes"] for reply in replies if reply["fences"]}
    assert {key: passed[key] for key in expected} == expected
