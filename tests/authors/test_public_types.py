"""What authors write against Treadle passes strict mypy, and what is wrong in it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.authors.conftest import Shell
from treadle.core.plugin_kit.new_plugin import write_plugin

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = '''
"""Every kind of name that a plugin takes from Treadle."""

from treadle import (
    Attempt, Candidate, Context, Execution, FileChange, GenerateRequest, Job, Lesson, Limits, Message, ModelRequest,
    NoPlugin, Plan, Question, Reflection, Task, Workspace, hookimpl,
)
from treadle.testing import LoadPlugin, TrialProject, Witness

@hookimpl
def treadle_plan(task: Task, lessons: tuple[Lesson, ...], workspace: Workspace, context: Context) -> Plan | None:
    return Plan(steps=("look",), checks=(Job(id="a", argv=("true",), workspace=workspace),))

@hookimpl(tryfirst=True)
def treadle_generate(request: GenerateRequest, context: Context) -> Candidate | None:
    try:
        reply = context.complete(ModelRequest(role="coder", system="", messages=(Message(text="x"),)))
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


def test_what_authors_write_passes_strict_mypy_and_what_is_wrong_in_it_does_not(tmp_path: Path, shell: Shell) -> None:
    # All in one test: mypy looks at what of Treadle they reach once, and keeps that.
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(PLUGIN)
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}/cache"]
    env = {"MYPYPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [*command, "right.py", "wrong.py"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    said = done.stdout.splitlines()
    # A plugin that is right passes.
    assert [line for line in said if "wrong.py" not in line] == ["Found 3 errors in 1 file (checked 2 source files)"]
    # One that is wrong does not.
    errors = "\n".join(line for line in said if "wrong.py" in line)
    assert '"Context" has no attribute "not_there"' in errors
    assert '"Task" has no attribute "no_field"' in errors
    # The package that `treadle plugin new` writes passes by its own settings, which are as strict.
    package, _ = write_plugin("acme-scan", tmp_path / "package")
    checked = shell(f"python -m mypy --cache-dir={tmp_path}/cache", package)
    assert "Success: no issues found in 2 source files" in checked, checked
