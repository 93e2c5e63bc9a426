from __future__ import annotations

import io
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_excerpts import new_files
from treadle.core.approval import run_question
from treadle.core.plan_question import ANEW, GO_ON, STOP, plan_question
from treadle.core.records import Concern, Plan, Question
from treadle.tui.asking import answer_option, ask, heard
from treadle.tui.safe_text import visible_line


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_an_answer_to_be_copied_is_one_word_for_a_shell_and_shown_as_it_is(options: list[str]) -> None:
    told = answer_option(options)
    name, answer = shlex.split(told)
    assert (name, visible_line(told)) == ("--answer", told.strip())
    assert answer in (*options, "ANSWER")


@pytest.mark.parametrize("option", ["don't $(touch ran)", "`touch ran`", "a; touch ran", '"$(touch ran)"'])
def test_no_shell_runs_what_stands_in_an_answer(option: str, tmp_path: Path) -> None:
    told = subprocess.run(
        ["sh", "-c", f"printf '%s|' {answer_option([option])}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == f"--answer|{option}|"
    assert not any(tmp_path.iterdir())


def test_the_code_is_put_with_what_is_asked_about(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    made = new_files(**{"a.py": b"def f():\n    run('x',  1)\x1b[2J\n"})
    question = run_question((Concern(rule="process", path="a.py", line=2, message="it starts a process"),), made)
    with pytest.raises(click.Abort):  # nobody answers
        ask(question)
    assert capsys.readouterr().out.startswith(
        "  a.py:2: it starts a process (process)\n         1  def f():\n    >    2      run('x',  1)\\033[2J\n"
    )


def test_where_nothing_is_asked_there_is_no_answer() -> None:
    assert answer_option([]) == ""


PLAN = plan_question(Plan(steps=("use a list",), checks=(), goal="change", files=("a.py",)))
OTHER = Question(id="q", text="?", options=("yes", "no"), with_words=("no",))


@pytest.mark.parametrize(
    ("question", "text", "meant"),
    [
        (PLAN, "go on", (GO_ON, "")),
        (PLAN, "3", (STOP, "")),
        (PLAN, "3 stop", (STOP, "")),
        (PLAN, "2 plan anew", (ANEW, "")),
        (PLAN, "2 use a dict", (ANEW, "use a dict")),
        (PLAN, "use a dict, and leave cli.py alone", (ANEW, "use a dict, and leave cli.py alone")),
        (PLAN, "ok", None),
        (PLAN, "1 but quickly", None),
        (PLAN, "4", None),
        (OTHER, "2 since it is late", ("no", "since it is late")),
        (OTHER, "not at all", None),
    ],
)
def test_a_line_stands_for_an_answer_or_for_none(question: Question, text: str, meant: tuple[str, str] | None) -> None:
    assert heard(question, text) == meant


def test_who_writes_something_else_is_asked_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("ok\nplan anew\nuse a dict\n"))
    assert ask(PLAN) == (ANEW, "use a dict")
    assert (
        "(1 go on, 2 plan anew, 3 stop, or what should be otherwise)\nAnswer: Error: 'ok' is none of the answers"
        in capsys.readouterr().out
    )


def test_what_is_asked_about_is_said_again_below_its_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    code = "\n".join(f"line {n}" for n in range(30))
    ask(Question(id="q", text="May it run?", options=("yes", "no"), details=("a.py:3: it deletes", "b"), code=(code,)))
    said = capsys.readouterr().out.split("\n")
    assert "About a.py:3: it deletes; 1 more above" in said
    named = Question(
        id="q", text="May f go from a.py?", options=("yes",), details=("a.py: f would be gone",), code=(code,)
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    ask(named)
    assert "About" not in capsys.readouterr().out
