"""`treadle plugin dev`: the plugin of a folder as if it were installed, again whenever it changes."""

from __future__ import annotations

import os
import py_compile
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import treadle
from tests.authors.conftest import Shell
from tests.authors.terminal import Terminal
from treadle.testing import TrialProject

ROOT = Path(treadle.__file__).parents[1]
HEAD = "from treadle import Finding, Lesson, hookimpl\n"
RECALL = "@hookimpl\ndef treadle_recall(task): ...\n"
REFLECT = "@hookimpl\ndef treadle_reflect(attempts): ...\n"
NEEDS = 'treadle_needs = {"read": ["project"]}\n'
PYPROJECT = """
[project]
name = "acme"
version = "1.0"
dependencies = ["treadle>=0.1,<0.2"]
[project.entry-points.treadle]
acme = "acme"
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin's folder; its module is `acme.py` in `src`."""
    folder = tmp_path / "treadle-acme"
    (folder / "src").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "src" / "acme.py").write_text(HEAD + RECALL)
    return folder


def write(plugin: Path, source: str) -> None:
    (plugin / "src" / "acme.py").write_text(HEAD + source)


@pytest.fixture
def terminal(treadle_project: TrialProject) -> Callable[..., Terminal]:
    def start(*arguments: str, **env: str) -> Terminal:
        own = {
            "TREADLE_HOME": str(treadle_project.home),
            "TREADLE_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        }
        command = [sys.executable, "-m", "treadle", *arguments]
        return Terminal(command, treadle_project.folder, {**os.environ, **own, **env})

    return start


def all_gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=10)
    return not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


# ------------------------------------------------------------ once


def test_it_is_on_as_if_it_were_installed_and_nothing_is_kept(treadle_project: TrialProject, plugin: Path) -> None:
    done = treadle_project.run("plugin", "dev", str(plugin), "--once", "--", "plugins")
    assert done.returncode == 0, done.stderr
    assert "acme: fine; it answers treadle_recall.\n" in done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("acme ")]
    assert re.match(r"acme +enabled +recall", line)
    assert "  in a process of its own; it may read and write its own folder" in done.stdout
    assert "acme" not in treadle_project.run("plugins").stdout


@pytest.fixture
def older(installed: Path) -> Iterator[None]:
    """Another version of the plugin in Treadle's environment, by its own distribution and by one more."""
    (site,) = (installed.parent / "lib").glob("python*/site-packages")
    (site / "acme.py").write_text(HEAD + REFLECT)
    places = [site / f"{distribution}-0.9.dist-info" for distribution in ("acme", "other")]
    for place in places:
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {place.name.partition('-')[0]}\nVersion: 0.9\n")
        (place / "entry_points.txt").write_text("[treadle]\nacme = acme\n")
    yield
    (site / "acme.py").unlink()
    for place in places:
        shutil.rmtree(place)


@pytest.mark.usefixtures("older")
def test_it_takes_the_place_of_an_installed_one_and_that_is_said(plugin: Path, shell: Shell, tmp_path: Path) -> None:
    for options in ("", "--inside --yes"):
        said = shell(f"treadle plugin dev {plugin} --once {options} -- plugins", tmp_path)
        assert "note: it stands in for the one from acme 0.9\n" in said
        assert "note: it stands in for the one from other 0.9\n" in said
        assert re.search(r"^acme +enabled +recall ", said, re.MULTILINE), said


@pytest.mark.parametrize("options", [(), ("--inside", "--yes")], ids=["apart", "inside"])
def test_what_python_kept_of_its_code_is_not_taken_for_it(
    treadle_project: TrialProject, plugin: Path, options: tuple[str, ...]
) -> None:
    file = plugin / "src" / "acme.py"
    write(plugin, RECALL.replace("recall", "remember").replace("task", "outcome"))
    now = file.stat()
    py_compile.compile(str(file), doraise=True)
    kept = file.read_text()
    write(plugin, RECALL)
    file.write_text(file.read_text().ljust(len(kept), "\n"))
    os.utime(file, ns=(now.st_atime_ns, now.st_mtime_ns))
    done = treadle_project.run("plugin", "dev", str(plugin), "--once", *options, "--", "plugins")
    assert re.search(r"^acme +enabled +recall \(for this run\)$", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_the_exit_code_is_that_of_what_was_run(treadle_project: TrialProject, plugin: Path) -> None:
    assert treadle_project.run("plugin", "dev", str(plugin), "--once", "--", "show", "nothing").returncode == 2
    write(plugin, "def broken(:\n")
    done = treadle_project.run("plugin", "dev", str(plugin), "--once", "--", "plugins")
    assert (done.returncode, done.stdout) == (1, "")
    assert "SyntaxError" in done.stderr


def test_without_a_command_it_runs_the_tests(treadle_project: TrialProject, plugin: Path) -> None:
    none = treadle_project.run("plugin", "dev", str(plugin), "--once")
    assert (none.returncode, "it has no tests" in none.stderr) == (0, True)
    (plugin / "tests").mkdir()
    (plugin / "tests" / "test_acme.py").write_text(
        "import acme\n"
        "def test_it(treadle_plugin):\n    assert treadle_plugin('acme').hooks == ('treadle_recall',)\n"
        "def test_that(): assert not acme.treadle_recall\n"
    )
    done = treadle_project.run("plugin", "dev", str(plugin), "--once")
    assert (done.returncode, "1 failed, 2 passed" in done.stdout) == (1, True), done.stdout + done.stderr
    assert not list(plugin.rglob("__pycache__"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((".", "--once"), "is no plugin"),
        (("PLUGIN", "--trace"), "write one behind `--`"),
        (("gone",), "does not exist"),
    ],
)
def test_what_can_not_be_run_is_told(
    treadle_project: TrialProject, plugin: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = treadle_project.run("plugin", "dev", *(str(plugin) if each == "PLUGIN" else each for each in arguments))
    assert done.returncode == 2
    assert says in done.stderr


# ------------------------------------------------------------ watching


def test_each_change_is_run_again_until_ctrl_c(
    terminal: Callable[..., Terminal], plugin: Path, treadle_project: TrialProject
) -> None:
    write(plugin, NEEDS + RECALL)
    with terminal("plugin", "dev", str(plugin), "--", "plugins") as shown:
        assert "acme wants to:\n  read this project's files\n" in shown.wait_for("Grant it? [y/N]")
        shown.type("y\n")
        said = shown.wait_for("; waiting for a change")
        assert re.search(r"acme +enabled +recall \(for this run\)\n", said)
        assert "where that sees this project's files; read this project's files" in " ".join(said.split())

        write(plugin, NEEDS + RECALL + REFLECT)
        said = shown.wait_for("; waiting for a change")
        assert "changed: src/acme.py -" in said
        assert re.search(r"acme +enabled +recall, reflect \(for this run\)\n", said)
        assert "Grant it?" not in said

        write(plugin, NEEDS + RECALL + REFLECT + "def broken(:\n")
        said = shown.wait_for("not run; waiting for a change")
        assert "SyntaxError" in said
        assert "enabled" not in said

        (plugin / "pyproject.toml").rename(plugin / "kept")
        assert "is no plugin" in shown.wait_for("not run; waiting")

        write(plugin, NEEDS.replace("}", ', "network": True}') + RECALL)
        (plugin / "kept").rename(plugin / "pyproject.toml")
        assert "use the network" in shown.wait_for("Grant it? [y/N]")
        shown.type("n\n")
        assert "enabled" not in shown.wait_for("not run; waiting for a change")

        family = shown.family()
        shown.type("\x03")
        assert shown.ended() == 130
        assert all_gone(family)
        rules = [line for line in shown.said.splitlines() if re.match(r"(\r?\x1b\[2K)?-- \d\d:", line)]
        assert {len(line.rpartition("\x1b[2K")[2]) for line in rules} == {79}
    assert "acme" not in treadle_project.run("plugins").stdout


def test_a_run_at_work_is_ended_by_a_change_and_by_ctrl_c(
    terminal: Callable[..., Terminal], plugin: Path, treadle_project: TrialProject
) -> None:
    treadle_project.write("double.py", "def double(n):\n    return n * 2\n")
    scan = "import time\n@hookimpl\ndef treadle_scan(candidate, context):\n    context.log('info', 'at work')\n    "
    write(plugin, scan + "while not context.cancelled(): time.sleep(0.01)\n")
    with terminal("plugin", "dev", str(plugin), "--trace", "--", "check", "double.py") as shown:
        shown.wait_for("context.log(level='info', message='at work'")
        write(plugin, scan + "time.sleep(600)\n")  # it hears nothing
        assert "changed: src/acme.py" in shown.wait_for("; ending this run")
        shown.wait_for("context.log(level='info', message='at work'")
        family = shown.family()
        assert len(family) > 1
        shown.type("\x03")
        assert shown.ended() == 130
        assert all_gone(family)
        # No line of the trace is wider than the terminal, and it obeys nothing but what erases the live line.
        lines = [re.sub(r"^.*\x1b\[2K", "", line) for line in shown.said.splitlines() if " acme scan" in line]
        assert lines
        assert all(len(line) < 80 and "\x1b" not in line for line in lines)
    listed = treadle_project.run("sessions").stdout
    assert len(listed.splitlines()) == 2
    assert "solved" not in listed
