"""`treadle plugin trace`: each call with what was given and answered, in both places, and nothing that is secret."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from treadle.testing import TrialProject

SECRET = "hunter2-and-more"
# It may know no secret of its own process, so it brings one along.
SOURCE = f"""
from treadle import Finding, Job, ModelRequest, NoPlugin, hookimpl

@hookimpl
def treadle_recall(task):
    return "no lessons"

@hookimpl(tryfirst=True)
def treadle_scan(candidate, context):
    context.emit("looked", {{"text": "{SECRET}", "escape": "\\x1b[31m"}})
    context.log("info", "hello", api_key="1234abcd", count=3)
    try:
        context.complete(ModelRequest(role="coder", system="s" * 5000, messages=()))
    except NoPlugin:
        pass
    for _ in range(5):
        context.cancelled()
    (done,) = context.execute((Job(id="x", argv=("sh", "-c", "echo done")),))
    return (Finding(rule="acme", path="double.py", line=1, severity="note", message=done.stdout.text),)

@hookimpl
def treadle_event(event):
    if event.kind == "plugin.asks.looked":
        raise KeyError("no\\x1b[2Jthing")
"""
# Without what takes long and has nothing to do with it.
CHECK = ("check", "double.py", *("--off", "scan-bandit", "--off", "validate-ruff", "--off", "validate-compile"))
CODE = "def double(n):\n    return n * 2\n"


def asking(folder: Path) -> TrialProject:
    """A project with code to check, beside the plugin."""
    project = TrialProject(folder / "project", folder / "home")
    project.write("double.py", CODE)
    (folder / "asks.py").write_text(SOURCE)
    return project


@pytest.fixture(scope="module", params=["apart", "inside"])
def said(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Where the plugin ran, and the trace of it in one command."""
    project = asking(tmp_path_factory.mktemp(request.param))
    options = ["--once", "--yes", "--trace", *(["--inside"] if request.param == "inside" else [])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACME_KEY", SECRET)
        done = project.run("plugin", "dev", "../asks.py", *options, "--", *CHECK)
    assert done.returncode == 0, done.stderr
    assert "done" in done.stdout
    return request.param, done.stderr


def lines_with(text: str, said: tuple[str, str]) -> list[str]:
    return [line for line in said[1].splitlines() if text in line]


def test_it_says_where_the_plugin_runs_and_who_is_asked_in_which_order(said: tuple[str, str]) -> None:
    where, trace = said
    assert f"asks runs {'in a process of its own' if where == 'apart' else 'inside of Treadle'}" in trace
    marks = "process, tryfirst" if where == "apart" else "tryfirst"
    assert f"scan asks: asks ({marks}), scan-rules" in trace
    # Once, before the first call.
    assert trace.count("scan asks:") == 1
    assert trace.index("scan asks:") < trace.index("asks scan(")


def test_a_call_has_its_arguments_answer_and_time(said: tuple[str, str]) -> None:
    (begin,) = lines_with("asks scan(", said)
    (end,) = lines_with("asks scan ->", said)
    assert re.fullmatch(r" {11}asks scan\(candidate=Candidate\(files=<1 FileChange>, .*\)\)", begin)
    assert re.fullmatch(r" *[\d.]+ m?s   ?asks scan -> \(Finding\(rule='acme', .*message='done\\n'\),\)", end)


def test_what_it_asks_of_its_context_is_indented_below_the_call(said: tuple[str, str]) -> None:
    trace = said[1]
    assert re.search(r"\n +[\d.]+ m?s {4,5}context\.log\(level='info', message='hello', .*'count': 3\}\)\n", trace)
    assert re.search(r"context\.complete.* raises NoModel: ", trace)
    assert re.search(
        r"\n             context\.execute\(jobs=\(Job\(id='x', argv=\('sh', '-c', 'echo done'\)\),\)\)\n", trace
    )
    assert re.search(r"s {4,5}context\.execute -> \(Execution\(job='x', verdict='ok', ", trace)
    begin, end = trace.index("asks scan("), trace.index("asks scan ->")
    assert begin < trace.index("context.log(") < trace.index("context.execute(") < end


def test_a_call_within_a_question_is_below_that(said: tuple[str, str]) -> None:
    trace = said[1]
    question = trace.index("             context.emit(kind='looked'")
    event = next(match.start() for match in re.finditer(r"s {6,7}asks event\(", trace) if match.start() > question)
    assert question < event < trace.index("context.emit ended")


def test_what_is_the_same_again_and_again_is_counted(said: tuple[str, str]) -> None:
    trace = said[1]
    assert trace.count("context.cancelled() -> False") == 1
    assert "    the same 4 more times\n" in trace


def test_a_fault_comes_with_its_traceback_from_the_plugins_own_frame_on(said: tuple[str, str]) -> None:
    trace = said[1]
    (line,) = lines_with("!! KeyError", said)
    assert line.endswith("!! KeyError: 'no\\x1b[2Jthing'")
    assert "!! treadle_recall answered with the wrong type" in lines_with("asks recall", said)[-1]
    frames = re.findall(r'File "([^"]+)", line \d+, in (\w+)', trace)
    assert [(Path(file).name, function) for file, function in frames] == [("asks.py", "treadle_event")]


def test_no_secret_and_no_escape_is_shown(said: tuple[str, str]) -> None:
    trace = said[1]
    assert SECRET not in trace
    assert "1234abcd" not in trace
    assert trace.count("[redacted]") >= 2
    assert "\x1b" not in trace


def test_the_last_line_is_the_sum(said: tuple[str, str]) -> None:
    assert re.fullmatch(r" *[\d.]+ m?s   ?asks  \d\d calls, 9 questions, 2 faults", said[1].splitlines()[-1])


def test_a_program_reads_the_same_as_json(tmp_path: Path) -> None:
    project = asking(tmp_path)
    under_development = ("plugin", "dev", "../asks.py", "--once")
    done = project.run(
        *("plugin", "trace", "asks", "--json", "--output", "trace.jsonl", "--"),
        *("treadle", "-C", ".", *under_development, "--", *CHECK, "--json"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["state"] == "SOLVED"
    lines: list[dict[str, Any]] = [json.loads(line) for line in (project.folder / "trace.jsonl").open()]
    (order,) = [line for line in lines if line["kind"] == "order" and line["hook"] == "treadle_scan"]
    assert order["asks"][0] == {"plugin": "asks", "isolation": "process", "marks": ["tryfirst"]}
    (scan,) = [line for line in lines if line["kind"] == "call" and line["name"] == "treadle_scan"]
    questions = [line for line in lines if line["kind"] == "question" and line["parent"] == scan["number"]]
    assert [line["name"] for line in questions] == ["emit", "log", "complete", *["cancelled"] * 5, "execute"]
    assert (scan["isolation"], scan["depth"], questions[0]["depth"]) == ("process", 0, 1)
    assert scan["arguments"]["candidate"]["files"][0]["content"] == CODE
    assert scan["answer"][0]["message"] == "done\n"
    assert scan["seconds"] > sum(line["seconds"] for line in questions) > 0
    assert questions[1]["arguments"]["fields"] == {"api_key": "[redacted]", "count": 3}
    assert questions[2]["arguments"]["request"]["system"].endswith("… <5.0 kB>")
    assert questions[2]["raised"].startswith("NoModel")
    (fault,) = [line for line in lines if line.get("fault") and line["name"] == "treadle_event"]
    assert "in treadle_event" in fault["trace"]


def test_as_json_each_line_of_standard_error_is_json(tmp_path: Path) -> None:
    project = asking(tmp_path)
    under_development = ("plugin", "dev", "../asks.py", "--once")
    for command, code, said in (
        ((*under_development, "--", *CHECK), 0, "scan "),
        (("check", "nowhere.py"), 2, "nowhere"),
    ):
        done = project.run("plugin", "trace", "--json", "--", *command)
        assert done.returncode == code, done.stderr
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        assert any(said in line["text"] for line in lines if line["kind"] == "said")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["acme"], 2, "for example `treadle plugin trace acme -- fix`"),
        (["scan-rlues", "--", "plugins"], 2, "did you mean 'scan-rules'?"),
        (["javascript", "--", "treadle", "plugins"], 0, "javascript will not be called: it is disabled"),
        (["--output", "gone/trace", "--", "plugins"], 2, "can't be written to gone/trace"),
        (["search", "--", "fix", "nowhere"], 2, "there is no 'nowhere'"),
    ],
)
def test_what_can_not_be_traced_is_told(
    treadle_project: TrialProject, arguments: list[str], code: int, says: str
) -> None:
    done = treadle_project.run("plugin", "trace", *arguments)
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_trace_stays_as_it_is_unless_it_is_to_go(treadle_project: TrialProject) -> None:
    source, trace = treadle_project.folder / "own.py", treadle_project.folder / "trace"
    source.write_text("x = 1\n")
    command = ("--", "check", "own.py")
    refused = treadle_project.run("plugin", "trace", "scan-rules", "--output", "own.py", *command)
    assert (refused.returncode, "is no trace" in refused.stderr) == (2, True)
    assert source.read_text() == "x = 1\n"
    for more in ((), ("--json",), ()):
        done = treadle_project.run("plugin", "trace", "scan-rules", "--output", "trace", *more, *command)
        assert done.returncode == 0, done.stderr
        assert "treadle_scan" in trace.read_text() or "scan-rules scan" in trace.read_text()
        assert trace.read_text().startswith('{"kind":' if more else "A trace")
        assert trace.read_text().count("A trace") == (not more)
    before = trace.read_text()
    for name in ("trace", "new"):  # nothing is traced for a plugin that there is not
        assert treadle_project.run("plugin", "trace", "scan-rlues", "--output", name, *command).returncode == 2
    assert trace.read_text() == before
    assert not (treadle_project.folder / "new").exists()
    (treadle_project.folder / "other.txt").write_text("mine\n")
    forced = treadle_project.run("plugin", "trace", "scan-rules", "--output", "other.txt", "--force", *command)
    assert forced.returncode == 0
    assert (treadle_project.folder / "other.txt").read_text().startswith("A trace")
