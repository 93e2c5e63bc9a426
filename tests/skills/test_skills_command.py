from __future__ import annotations

import json

import pytest

from treadle.skills import catalogue
from treadle.tui.cli import run


def test_without_words_every_skill_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [skill.name for skill in catalogue()]


def test_the_code_that_is_printed_is_the_code_that_was_tested(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "retry", "--code"]) == 0
    printed = capsys.readouterr().out
    module: dict[str, object] = {"__name__": "copied"}
    exec(compile(printed, "copied.py", "exec"), module)
    assert module["retry"](lambda: 7) == 7  # type: ignore[operator]


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "retry", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert first["name"] == "retry"
    assert first["signature"].startswith("retry(call: ")
    assert first["tests"].endswith("tests/skills/test_retry.py")


def test_words_that_fit_nothing_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "xylophone"]) == 1
    assert "no skill fits" in capsys.readouterr().err
