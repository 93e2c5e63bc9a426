"""`treadle.testing`: what an author's tests are given holds what it promises, inside and apart."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle import (
    Event,
    Execution,
    Job,
    ModelReply,
    ModelRequest,
    NeedsPerson,
    PluginError,
    PluginFault,
    Question,
    Task,
    Tool,
    ToolCall,
)
from treadle.testing import LoadPlugin, TrialProject, Witness

TASK = Task(id="t", kind="fix", project="/project", python="python")
SOURCE = """
import os
from pathlib import Path
from treadle import Finding, Job, Lesson, ModelRequest, NoPlugin, Question, Reflection, Setting, hookimpl

treadle_needs = {"environment": ["ACME_KEY"]}

def lesson(text):
    return (Lesson(id="1", signature="", text=str(text)),)

@hookimpl
def treadle_settings():
    return (Setting(name="limit", default=3),)

@hookimpl
def treadle_recall(task, context):
    return lesson(eval(task.text))

@hookimpl
def treadle_reflect(attempts):
    return Reflection(wrong="all", advice="")

@hookimpl
def treadle_event(event):
    raise KeyError(event.kind)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "asks.py"
    file.write_text(SOURCE)
    return file


@pytest.fixture
def recall(treadle_plugin: LoadPlugin, file: Path) -> Callable[[str], str]:
    plugin = treadle_plugin(file)

    def run(text: str, context: Witness | None = None) -> str:
        task = Task(id="t", kind="fix", project="/project", python="python", text=text)
        return str(plugin.call("treadle_recall", task=task, context=context or plugin.witness)[0].text)

    return run


def test_it_runs_where_the_tests_name_says(
    treadle_plugin: LoadPlugin, file: Path, request: pytest.FixtureRequest
) -> None:
    plugin = treadle_plugin(file)
    task = Task(id="t", kind="fix", project="/project", python="python", text="os.getpid()")
    same = plugin.call("treadle_recall", task=task)[0].text == str(os.getpid())
    assert plugin.where in request.node.name
    assert same == (plugin.where == "inside")
    assert set(plugin.hooks) == {"treadle_settings", "treadle_recall", "treadle_reflect", "treadle_event"}


def test_settings_are_the_defaults_with_those_of_the_test(treadle_plugin: LoadPlugin, file: Path) -> None:
    task = Task(id="t", kind="fix", project="/project", python="python", text="context.settings()['limit']")
    assert treadle_plugin(file).call("treadle_recall", task=task)[0].text == "3"
    assert treadle_plugin(file, {"limit": 5}).call("treadle_recall", task=task)[0].text == "5"
    with pytest.raises(Exception, match="unknown key"):
        treadle_plugin(file, {"limits": 5})


def test_its_folder_is_there_and_can_be_written(recall: Callable[[str], str]) -> None:
    assert recall("Path(context.folder('project'), 'kept').write_text('kept')") == "4"


def test_what_it_asks_is_answered_as_laid_ready_and_kept(recall: Callable[..., str]) -> None:
    witness = Witness()
    witness.will_execute(Execution(job="", verdict="timeout"))
    witness.will_complete("hello")
    witness.will_answer("b")
    said = recall("[e.verdict for e in context.execute((Job(id='x'), Job(id='y')))]", witness)
    assert said == "['timeout', 'ok']"
    assert [job.id for job in witness.jobs] == ["x", "y"]
    assert recall("context.complete(ModelRequest(role='r', system='', messages=())).text", witness) == "hello"
    witness.will_complete(ModelReply(calls=(ToolCall(id="1", name="read", arguments="{}"),), stop="tool calls"))
    assert recall("context.complete(ModelRequest(role='r', messages=())).calls[0].name", witness) == "read"
    assert recall("context.ask(Question(id='q', text='Which?', options=('a', 'b')))", witness) == "b"
    assert recall("context.note('n') or context.emit('k', {'a': 1})", witness) == "None"
    assert (witness.notes, witness.emitted) == (["n"], [("k", {"a": 1})])
    assert [asked[0] for asked in witness.asked] == ["execute", "complete", "complete", "ask", "note", "emit"]


@pytest.mark.parametrize(
    "asks", ["context.execute((Job(id='x', python='/other'),))", "context.call('tool', 'theirs', {})"]
)
def test_what_a_session_keeps_from_one_apart_fails_its_test_too(
    treadle_plugin: LoadPlugin, file: Path, asks: str
) -> None:
    plugin = treadle_plugin(file)
    plugin.witness.will_bring(Tool(name="theirs", summary=""), "said")
    task = Task(id="t", kind="fix", project="/project", python="python", text=asks)
    if plugin.where == "inside":
        assert plugin.call("treadle_recall", task=task)
        return
    with pytest.raises(PluginFault, match="a plugin in a process of its own can"):
        plugin.call("treadle_recall", task=task)


def test_without_an_answer_it_meets_what_it_would_in_a_session(recall: Callable[[str], str]) -> None:
    with pytest.raises(NeedsPerson, match="Which"):
        recall("context.ask(Question(id='q', text='Which?', options=('a',)))")


def test_a_fault_fails_the_test_with_its_trace_each_time(treadle_plugin: LoadPlugin, file: Path) -> None:
    plugin = treadle_plugin(file)
    for _ in range(5):
        with pytest.raises(PluginFault, match=r"KeyError: 'k'(?s:.*)in treadle_event"):
            plugin.call("treadle_event", event=Event(session="s", seq=1, time=0.0, kind="k"))
    assert plugin.call("treadle_reflect", attempts=()).wrong == "all"


def test_what_a_contribution_answers_is_held_to_its_kind(treadle_plugin: LoadPlugin, tmp_path: Path) -> None:
    file = tmp_path / "brings.py"
    file.write_text("from treadle import View, hookimpl\n@hookimpl\ndef treadle_call(name):\n    return View()\n")
    plugin = treadle_plugin(file)
    shown = {"title": "", "text": "", "heads": [], "rows": [], "bars": []}
    assert plugin.call("treadle_call", kind="panel", name="p", arguments={}) == shown
    with pytest.raises(PluginFault, match="is a View where a Said is due"):
        plugin.call("treadle_call", kind="command", name="c", arguments={})


def test_a_call_that_can_not_be_meant_so_is_refused(treadle_plugin: LoadPlugin, file: Path) -> None:
    plugin = treadle_plugin(file)
    for hook, arguments, says in (
        ("treadle_recal", {}, "did you mean 'treadle_recall'"),
        ("treadle_scan", {}, "has no treadle_scan"),
        ("treadle_recall", {"tusk": TASK}, "no argument 'tusk'"),
        ("treadle_recall", {}, "takes task of treadle_recall"),
    ):
        with pytest.raises(PluginError, match=says):
            plugin.call(hook, **arguments)


def test_a_module_that_is_not_there_is_told_with_the_mend(treadle_plugin: LoadPlugin) -> None:
    with pytest.raises(PluginError, match="pip install --editable"):
        treadle_plugin("a_plugin_that_nobody_has")


def test_a_witness_takes_no_answer_that_a_person_could_not_give() -> None:
    witness = Witness()
    witness.will_answer("c")
    with pytest.raises(ValueError, match="laid ready"):
        witness.ask(Question(id="q", text="Which?", options=("a", "b")))
    with pytest.raises(Exception, match="no language model"):
        witness.complete(ModelRequest(role="r", system="", messages=()))
    assert witness.execute((Job(id="j"),))[0].job == "j"


def test_a_project_has_a_session_with_its_events(
    treadle_project: TrialProject, treadle_events: Callable[[], tuple[Event, ...]]
) -> None:
    treadle_project.write("code/double.py", "def double(n):\n    return n * 2\n")
    done = treadle_project.run("check", "code/double.py")
    assert done.returncode == 0, done.stderr
    kinds = [event.kind for event in treadle_events()]
    assert kinds[0] == "session.created"
    assert treadle_project.home.is_dir()


def test_what_pytest_loads_everywhere_loads_nothing_else_of_treadle() -> None:
    program = "import sys, treadle.testing; print([m for m in sys.modules if m.startswith('treadle.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['treadle.testing']"
