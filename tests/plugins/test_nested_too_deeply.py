"""What others wrote may be nested so deeply that no parser reads it: that is told as what it is, and ends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.config import toml_files
from treadle.core.errors import ConfigError, PatchError
from treadle.core.patches import journal
from treadle.core.plugin_host import index
from treadle.core.plugin_host.manifest import Manifests
from treadle.core.records import CollectedFile, Execution, FileChange, Job, Task, Workspace
from treadle.core.site_paths import named_folders
from treadle.core.testrun import REPORT, check_seal, report_of, seal
from treadle.core.tree.source_roots import source_roots
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.tools.tool import ToolError
from treadle.plugins.languages.javascript.linting import complaints
from treadle.plugins.languages.javascript.runners.test_run import results_of
from treadle.plugins.languages.javascript.scanning import hits_of_manifest
from treadle.plugins.models import fitting
from treadle.plugins.models.anthropic import stream
from treadle.plugins.models.openai_compatible import answer
from treadle.plugins.planning.check import treadle_plan
from treadle.plugins.test_runs.test_places import pytest_config
from treadle.plugins.validation import ruff
from treadle.plugins.validation.test_writer import check_tests

DEPTH = 100_000
LISTS = "[" * DEPTH + "]" * DEPTH
JSON = f'{{"x": {LISTS}}}'
TOML = f"x = {LISTS}\n"
PYTHON = b"x = " + b"-" * DEPTH + b"1\n"


def ran(report: str) -> Execution:
    return Execution(job="j", verdict="ok", exit_code=0, files=(CollectedFile(name=REPORT, content=report.encode()),))


def test_a_settings_file_names_itself(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="here: is nested too deeply"):
        toml_files.parse(TOML.encode(), tmp_path / "here")


def test_a_projects_pyproject_says_nothing_of_its_folders_and_tests(tmp_path: Path) -> None:
    root = str(tmp_path)
    (tmp_path / "pyproject.toml").write_text(TOML)
    (tmp_path / "tox.ini").write_text("[pytest]\n")
    assert source_roots(Tree(Workspace(id="w", kind="copy", project=root, root=root, upper=""))) == (".",)
    assert pytest_config(tmp_path) == "tox.ini"


def test_a_test_report_is_none() -> None:
    assert report_of(ran(JSON)) is None
    assert check_seal(ran(JSON), "n").message == "the test report is not the test runner's own"
    job = Job(id="j", stdin=JSON.encode(), collect=(REPORT,))
    assert seal(job) == (job, "")


@pytest.mark.parametrize("runner", ["node", "jest", "vitest", "mocha"])
def test_a_report_of_a_javascript_runner_is_an_error(tmp_path: Path, runner: str) -> None:
    written = tmp_path / "report"
    written.write_text(JSON)
    (_, (problem,)), complete = results_of(runner, str(written), 0, "", "", 0.1, str(tmp_path))
    assert f"the report of {runner} can't be read" in problem["message"]
    assert not complete


def test_complaints_of_linters_are_none() -> None:
    assert list(complaints(f'[{{"filePath": "/p/a.js", "x": {LISTS}}}]'.encode(), "/p")) == []
    assert list(ruff._read([JSON.encode()])) == []


def test_a_package_json_is_told_as_unscanned() -> None:
    (hit,) = hits_of_manifest(JSON.encode(), b"{}")
    assert hit.rule == "js-unscanned"
    assert list(hits_of_manifest(b"{}", JSON.encode())) == []


def test_what_a_model_answers_is_broken_or_no_json() -> None:
    assert list(fitting.object_of(JSON).values()) == [JSON]
    with pytest.raises(stream.Broken, match="can't be read"):
        stream.Answer(lambda text, thinking: None).take("x", JSON)
    with pytest.raises(answer.Broken, match="can't be read"):
        answer.Answer(lambda text, thinking: None).take(JSON.encode())


def test_python_of_a_model_is_refused_or_left_aside(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"test_a\.py is no Python"):
        check_tests((FileChange(path="test_a.py", content=b"x = " + PYTHON[-50_000:]),))
    root = str(tmp_path)
    task = Task(id="t", kind="check", project=root, python="python", given=(FileChange(path="a.py", content=PYTHON),))
    plan = treadle_plan(task=task, workspace=Workspace(id="w", kind="copy", project=root, root=root, upper=""))
    assert plan is not None
    assert plan.checks == ()


def test_files_of_our_own_are_made_anew_or_told(tmp_path: Path) -> None:
    deep = b"\x81\xa1x" + b"\x91" * DEPTH + b"\xc0"
    (tmp_path / "manifests").write_bytes(deep)
    (tmp_path / "index").write_bytes(b"\x93\xa0\x90" + deep)
    assert Manifests(tmp_path / "manifests").get("x") is None
    assert index.points(tmp_path / "index") == index.points(None)
    (tmp_path / "journal.json").write_text(JSON)
    with pytest.raises(PatchError, match="can't be read"):
        journal.load(tmp_path)


def test_a_finder_of_an_editable_install_names_no_folder(tmp_path: Path) -> None:
    (tmp_path / "__editable__acme_finder.py").write_bytes(PYTHON)
    assert named_folders((tmp_path,)) == ()
