"""The example plugin, installed as a person would: a package of its own with an entry point, beside Treadle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parents[1] / "example_plugin"

SCRIPT = """
import json, sys
from pathlib import Path
from treadle.core.config.layers import load
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import PluginStates
from treadle.core.records import Attempt, Candidate, Outcome, Task, Verdict

folder = Path(sys.argv[1])
project = folder / "project"
project.mkdir(exist_ok=True)
states = PluginStates(project, user_file=folder / "u.toml", project_file=folder / "p.toml")
before = PluginManager(states, load(project, user_file=folder / "none", env={}, overrides={}), print, builtins=())
before.load()
off = [(p.name, p.version, p.source, p.state) for p in before.plugins()]
imported_while_off = "treadle_example_memory" in sys.modules
states.enable("example-memory")

overrides = {"plugins.example-memory.file": str(folder / "lessons.txt"), "plugins.example-memory.recall": 2}
settings = load(project, user_file=folder / "none", env={}, overrides=overrides)
manager = PluginManager(states, settings, print, builtins=())
manager.load()

class Context:
    emitted = []
    def settings(self):
        return manager.settings_of("example-memory")
    def emit(self, kind, data):
        self.emitted.append([kind, data])

task = Task(id="t", kind="fix", project=str(project), python="python", text="test_a failed")
for remedy in ("one", "two", "three"):
    attempt = Attempt(number=1, candidate=Candidate(files=(), why="", remedy=remedy), verdict=Verdict(state="passed"))
    outcome = Outcome(task=task, state="SOLVED", attempts=(attempt,), reason="fine")
    manager.call("treadle_remember", outcome=outcome, context=Context())
(lessons,) = manager.call("treadle_recall", task=task, context=Context())
(info,) = manager.plugins()
print(json.dumps({
    "off": off, "imported_while_off": imported_while_off,
    "state": info.state, "hooks": info.hooks, "faults": info.faults,
    "lessons": [[l.signature, l.remedy] for l in lessons], "emitted": Context.emitted,
}))
"""


def check(output: str) -> None:
    seen = json.loads(output.splitlines()[-1])
    assert seen["off"] == [["example-memory", "1.2.0", "treadle-example-memory 1.2.0", "disabled"]]
    assert not seen["imported_while_off"]
    assert (seen["state"], seen["faults"]) == ("enabled", 0)
    assert seen["hooks"] == ["treadle_recall", "treadle_remember", "treadle_settings"]
    assert seen["lessons"] == [["test_a failed", "three"], ["test_a failed", "two"]]
    assert ["remembered", {"remedy": "one"}] in seen["emitted"]


def beside_treadle(folder: Path) -> dict[str, str]:
    """The environment in which `folder` is on the import path, too."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def run(arguments: list[object], **kwargs) -> subprocess.CompletedProcess[str]:
    words = [str(argument) for argument in arguments]
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=100, **kwargs)


def test_the_example_works_as_a_distribution_on_the_import_path(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(EXAMPLE / "src", site)
    info = site / "treadle_example_memory-1.2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: treadle-example-memory\nVersion: 1.2.0\n")
    (info / "entry_points.txt").write_text("[treadle]\nexample-memory = treadle_example_memory\n")
    done = run([sys.executable, "-c", SCRIPT, tmp_path], cwd=ROOT, env=beside_treadle(site))
    assert done.returncode == 0, done.stderr
    check(done.stdout)


def test_the_example_can_be_installed_by_pip_and_works_from_there(tmp_path):
    pytest.importorskip("setuptools", reason="building the example without a network needs setuptools here")
    project = shutil.copytree(EXAMPLE, tmp_path / "example")
    target = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = run([*pip, "--target", target, project])
    assert done.returncode == 0, done.stderr
    done = run([sys.executable, "-c", SCRIPT, tmp_path], cwd=ROOT, env=beside_treadle(target))
    assert done.returncode == 0, done.stderr
    check(done.stdout)
