"""A script that comes again is compiled once, and is another one as soon as its text or its place is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from treadle.sandbox.server.zygote import Scripts


@pytest.fixture
def asked(tmp_path: Path) -> Any:
    """Asks for a script as a job does; `ends` says that it ended by itself."""
    scripts = Scripts()

    def ask(text: str, name: str = "script.py", *, ends: bool = True) -> Any:
        path = tmp_path / name
        path.write_text(text)
        script = scripts.take({"argv": [], "script": str(path)})
        if ends:
            scripts.keep(script)
        return script.code

    return ask


def test_what_came_and_ended_is_compiled_once(asked: Any) -> None:
    assert asked("a = 1") is None
    code = asked("a = 1")
    assert code is not None and asked("a = 1") is code and code.co_filename.endswith("script.py")
    assert asked("a = 2") is None and asked("a = 1", "other.py") is None
    assert asked("a = 1") is code, "it is kept beside others"


def test_what_did_not_end_is_not_compiled_here(asked: Any) -> None:
    assert asked("a = 1", ends=False) is None and asked("a = 1", ends=False) is None


def test_only_the_last_ones_are_kept(asked: Any) -> None:
    for _ in range(2):
        assert [asked(f"a = {n}") for n in range(5)] == [None] * 5


def test_what_can_not_be_compiled_is_left_to_the_job(asked: Any) -> None:
    assert [asked(text) for text in ("a = = 1", "a = = 1", "\0", "\0", *[r"a = '\d'"] * 3)] == [None] * 7


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"#" * (1 << 21))
    for name in ("pipe", "large", "nowhere", "."):
        assert Scripts().take({"argv": [], "script": str(tmp_path / name)}) is None
    assert Scripts().take({"argv": ["ls"], "script": ""}) is None
