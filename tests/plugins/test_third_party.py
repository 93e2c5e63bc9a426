"""Two plugins by other authors, as a person meets them: built, installed, at work, updated and removed.

They need two versions of one package, neither of which is Treadle's to bring: real wheels of the package index.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.commands.conftest import ROOT, Treadle
from tests.made_packages import pip_settings

PACKAGES = Path(__file__).parent / "third_party"
PLUGINS = ("lesson-book", "undeclared")
NAMES = ("treadle-lesson-book", "treadle-undeclared")
NEEDED = ("pathspec>=0.12,<1", "pathspec>=1,<2")
REPLY = "`fetch.py`:\n\n```python\nimport json\n\nimport reqeusts\n```\n"


def run_all(commands: list[list[str]], **options: Any) -> Iterator[tuple[int, str]]:
    """Run these beside each other; the exit code of each and what it said."""
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        for command in commands
    ]
    for process in running:
        said, _ = process.communicate()
        yield process.returncode, said


BUILD = """
import os, sys
from setuptools import build_meta
target, *folders = sys.argv[1:]  # setuptools writes its own there
for folder in folders:
    os.chdir(folder)
    build_meta.build_wheel(target)
"""


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder in the place of an index: both packages, a later version of the one, and what they depend on."""
    if find_spec("setuptools") is None:
        pytest.skip("building the packages without a network needs setuptools here")
    (folder := tmp_path / "wheels").mkdir()
    sources = [shutil.copytree(PACKAGES / name, tmp_path / name) for name in NAMES]
    sources.append(shutil.copytree(PACKAGES / NAMES[0], tmp_path / "later"))
    file = sources[-1] / "pyproject.toml"
    file.write_text(file.read_text().replace('version = "1.0.0"', 'version = "1.0.1"'))
    build = [sys.executable, "-c", BUILD, str(folder), *map(str, sources)]
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    fetches = [[*fetch, "--dest", str(folder), needed] for needed in NEEDED]
    (code, said), *fetched = run_all([build, *fetches])
    assert code == 0, said
    for code, said in fetched:
        if code:
            pytest.skip(f"the package index can't be reached: {said.strip().splitlines()[-1]}")
    return folder


@pytest.fixture
def treadle(wheels: Path, tmp_path: Path) -> Treadle:
    """The command, for somebody with a project and with these wheels."""
    (project := tmp_path / "project").mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "basket"\nversion = "1"\n')
    (project / "basket.py").write_text("def change(paid, price):\n    return paid + price\n")
    (project / "test_basket.py").write_text("import basket\ndef test_change(): assert basket.change(10, 4) == 6\n")
    made = Treadle(project, tmp_path / "home")
    made.env = {name: value for name, value in made.env.items() if not name.startswith("PIP_")}
    made.env |= {"PIP_CONFIG_FILE": str(pip_settings(wheels)), "TREADLE_INSTALLER": "pip"}
    return made


def ok(treadle: Treadle, *arguments: str, **options: Any) -> str:
    """What the command said, which did what it was asked and left no process."""
    ran = treadle(*arguments, **options)
    assert ran.code == 0, ran
    ours = str(treadle.home)
    assert [
        each.info for each in psutil.process_iter(["cmdline"]) if ours in " ".join(each.info["cmdline"] or ())
    ] == []
    return ran.out


def locked(treadle: Treadle, name: str, package: str) -> str:
    """The version of a package that a plugin's environment is pinned to."""
    (lock,) = (treadle.home / "plugin-environments").glob(f"{name}-*/treadle-lock.txt")
    found = re.search(rf"^{package}==(\S+) --hash=sha256:", lock.read_text(), re.MULTILINE)
    assert found, lock.read_text()
    return found[1]


def session(treadle: Treadle, *arguments: str, stdin: str = "") -> dict[str, dict[str, Any]]:
    """The data of a session's events by their kind, the last of each."""
    return {line["kind"]: line["data"] for line in treadle(*arguments, "--json", stdin=stdin).lines if "data" in line}


def own_tests(treadle: Treadle) -> None:
    """Run the tests of each package against what was installed, with Treadle and pytest beside it."""
    seen = [str(ROOT), *(folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages"))]
    text = (
        f"import sys; sys.path += {seen}; import pytest; "
        "sys.exit(pytest.main(['-q', '-p', 'treadle.testing', '-p', 'no:cacheprovider', '-o', 'pythonpath=']))"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    for name in NAMES:
        (python,) = (treadle.home / "plugin-environments").glob(f"{name}-*/bin/python")
        ((code, said),) = run_all([[str(python), "-B", "-c", text]], cwd=PACKAGES / name, env=kept)
        assert code == 0, said
        assert re.search(r"\d+ passed", said), said


@pytest.mark.slow
def test_a_memory_and_a_scanner_of_other_authors_from_their_installation_to_their_removal(
    treadle: Treadle, wheels: Path
) -> None:
    (scanner,) = wheels.glob("treadle_undeclared-*.whl")
    (later,) = wheels.glob("treadle_lesson_book-1.0.1-*.whl")
    hidden = later.rename(wheels.parent / later.name)
    ok(treadle, "plugin", "install", "treadle-lesson-book")
    ok(treadle, "plugin", "install", str(scanner))
    assert locked(treadle, "treadle-lesson-book", "pathspec").startswith("0.")
    assert locked(treadle, "treadle-undeclared", "pathspec").startswith("1.")
    own_tests(treadle)

    assert "wants to" not in ok(treadle, "plugin", "enable", "lesson-book")
    assert "read this project's files" in ok(treadle, "plugin", "enable", "undeclared", "--yes")
    found = {each["name"]: each for each in json.loads(ok(treadle, "plugins", "--json"))}
    shown = [(found[name]["state"], found[name]["isolation"], found[name]["may"]) for name in PLUGINS]
    assert shown == [("enabled", "process", []), ("enabled", "process", ["read this project's files"])]

    assert session(treadle, "fix")["plugin.lesson-book.written"]["lessons"] >= 1
    second = session(treadle, "check", "-", stdin=REPLY)
    assert any(lesson.startswith("book-") for lesson in second["recall.found"]["lessons"])
    (finding,) = second["scan.found"]["findings"]
    assert (finding["rule"], finding["path"], finding["line"]) == ("undeclared-import", "fetch.py", 3)

    hidden.rename(later)
    assert ok(treadle, "plugin", "update", "lesson-book") == "treadle-lesson-book 1.0.0 -> 1.0.1\n"
    ok(treadle, "plugin", "disable", "undeclared")
    third = session(treadle, "check", "-", stdin=REPLY)
    assert any(lesson.startswith("book-") for lesson in third["recall.found"]["lessons"])
    assert third["scan.found"]["findings"] == []
    for name in PLUGINS:
        ok(treadle, "plugin", "remove", name)
    assert [path.name for path in (treadle.home / "plugin-environments").iterdir() if path.is_dir()] == ["logs"]
