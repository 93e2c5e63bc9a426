"""Each test that takes `treadle_plugin` runs twice: inside of this process, and in a process apart, as in Treadle."""

from __future__ import annotations

from pathlib import Path

import pytest
from treadle import Candidate, FileChange, Finding, Workspace
from treadle.testing import LoadPlugin, Trial, TrialProject

from treadle_undeclared.imports import imports_of
from treadle_undeclared.project import declared, modules_in

PYPROJECT = """\
[project]
name = "shop"
dependencies = ["requests>=2", "PyYAML"]
[project.optional-dependencies]
fast = ["orjson ; python_version > '3'"]
[dependency-groups]
dev = ["pytest", {include-group = "docs"}]
[tool.poetry.group.lint.dependencies]
ruff = "*"
"""


def scan(plugin: Trial, project: TrialProject, **files: str) -> tuple[Finding, ...]:
    changes = tuple(FileChange(path=f"{name}.py", content=text.encode()) for name, text in files.items())
    folder = str(project.folder)
    workspace = Workspace(id="w", kind="overlay", project=folder, root=folder, upper="")
    found: tuple[Finding, ...] = plugin.call(
        "treadle_scan", candidate=Candidate(files=changes, why="a test"), workspace=workspace
    )
    return found


def test_new_imports_that_nobody_declared_are_asked_about(
    treadle_plugin: LoadPlugin, treadle_project: TrialProject
) -> None:
    treadle_project.write("pyproject.toml", PYPROJECT)
    treadle_project.write("src/shop/__init__.py", "")
    treadle_project.write("tests/factories.py", "")
    treadle_project.write("old.py", "import numpy\n")
    plugin = treadle_plugin("treadle_undeclared")
    text = "import os, json\nimport requests, yaml, orjson, pytest, ruff\nimport shop, factories, brought\n"
    assert scan(plugin, treadle_project, a=text, brought="") == ()
    text += "import numpy.linalg\nfrom reqeusts import get\ntry:\n    import ujson\nexcept ImportError:\n    pass\n"
    first, second, third = scan(plugin, treadle_project, a=text, brought="")
    assert [(each.rule, each.line, each.severity) for each in (first, second, third)] == [
        ("undeclared-import", 4, "ask"),
        ("undeclared-import", 5, "ask"),
        ("undeclared-import", 7, "note"),
    ]
    assert "newly imports reqeusts, which the project does not declare" in second.message
    assert scan(plugin, treadle_project, old="import numpy\nx = 1\n") == (), "it imported that before"
    assert len(scan(plugin, treadle_project, old="import numpy\n")) == 1, "given as it is, all of it counts"


def test_what_the_person_says_counts(treadle_plugin: LoadPlugin, treadle_project: TrialProject) -> None:
    treadle_project.write("requirements-dev.txt", "# tools\nacme_tools[all]==1.0 --hash=sha256:00\n-r other.txt\n")
    settings = {"ignore": ["*_demo.py"], "known": {"acme": "acme-tools"}}
    plugin = treadle_plugin("treadle_undeclared", settings=settings)
    assert scan(plugin, treadle_project, a="import acme\n", a_demo="import nowhere\n") == ()


@pytest.mark.parametrize("content", [b"import (", b"\xff\xfe", b"import x\0", b"(" * 1000, b"x=1\n" * 300_000])
def test_what_is_no_python_imports_nothing(content: bytes) -> None:
    assert imports_of(content) == []


def test_imports_are_found_wherever_they_stand() -> None:
    source = b"def f():\n    import a.b\nif x:\n    from c import d\nfrom . import e\nfrom .f import g\n"
    assert [(each.module, each.line) for each in imports_of(source)] == [("a", 2), ("c", 4)]


def test_a_broken_pyproject_and_an_environment_in_the_project_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    assert declared(tmp_path) == set()
    (tmp_path / "pyproject.toml").write_text("project = 3\n")
    assert declared(tmp_path) == set()
    (tmp_path / "env" / "lib").mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "env" / "lib" / "numpy.py").touch()
    (tmp_path / "app.py").touch()
    assert modules_in(tmp_path) == {"env", "app"}
