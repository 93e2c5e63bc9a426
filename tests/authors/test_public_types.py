"""What authors write against Treadle passes strict mypy, and what is wrong in it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = '''
"""Every kind of name that a plugin takes from Treadle."""

from treadle import (
    Attempt, Candidate, Context, Execution, FileChange, GenerateRequest, Job, Lesson, Limits, ModelRequest, NoPlugin,
    Plan, Question, Reflection, Task, Workspace, hookimpl,
)
from treadle.testing import LoadPlugin, TrialProject, Witness

@hookimpl
def treadle_plan(task: Task, lessons: tuple[Lesson, ...], workspace: Workspace, context: Context) -> Plan | None:
    return Plan(steps=("look",), checks=(Job(id="a", argv=("true",), workspace=workspace),))

@hookimpl(tryfirst=True)
def treadle_generate(request: GenerateRequest, context: Context) -> Candidate | None:
    try:
        reply = context.complete(ModelRequest(role="coder", system="", messages=("x",)))
    except NoPlugin:
        return None
    return Candidate(files=(FileChange(path="a.py", content=reply.text.encode()),), why="it said so")

@hookimpl
def treadle_execute(jobs: tuple[Job, ...], limits: Limits, context: Context) -> tuple[Execution, ...] | None:
    return context.execute(jobs) if not context.cancelled() else None

@hookimpl
def treadle_reflect(attempts: tuple[Attempt, ...], context: Context) -> Reflection:
    answer: str = context.ask(Question(id="q", text="Which?", options=("a", "b")))
    return Reflection(wrong=answer, advice=context.folder("session"))

def test_it(treadle_plugin: LoadPlugin, treadle_project: TrialProject) -> None:
    plugin = treadle_plugin("acme", {"limit": 3})
    plugin.witness.will_answer("a")
    assert plugin.call("treadle_reflect", attempts=()).wrong == "a"
    notes: list[str] = Witness().notes
    context: Context = plugin.witness
    assert treadle_project.run("fix").stdout, (notes, context)
'''
WRONG = """
from treadle import Context, Plan, Task, hookimpl

@hookimpl
def treadle_plan(task: Task, context: Context) -> Plan:
    return context.not_there(task.no_field)
"""


def mypy(source: str, folder: Path) -> str:
    pytest.importorskip("mypy")
    (folder / "acme.py").write_text(source)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={folder}/cache", "acme.py"]
    env = {"MYPYPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_plugin_that_is_right_passes(tmp_path: Path) -> None:
    assert mypy(PLUGIN, tmp_path) == "Success: no issues found in 1 source file\n"


def test_a_plugin_that_is_wrong_does_not(tmp_path: Path) -> None:
    said = mypy(WRONG, tmp_path)
    assert '"Context" has no attribute "not_there"' in said
    assert '"Task" has no attribute "no_field"' in said
