"""The files of a new plugin, as they are written but for the names in capitals between `@`.

They are texts in a module, and no files of their own, since a file that ends in `.py` or is called `pyproject.toml` and
is neither confuses every tool that looks at Treadle itself.
"""

from __future__ import annotations

from collections.abc import Mapping

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "@DISTRIBUTION@"
description = "A plugin for Treadle"
version = "0.1.0"
readme = "README.md"
requires-python = ">=3.11"
# The versions of Treadle that it was written for: a later one may have other hooks.
dependencies = ["treadle@BOUND@"]

[project.entry-points.treadle]
@NAME@ = "@MODULE@"

[dependency-groups]
dev = ["mypy", "pytest>=8", "ruff"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
@MODULE@ = ["py.typed"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]

[tool.mypy]
strict = true
files = ["src", "tests"]
mypy_path = ["src"]

[tool.ruff]
line-length = 120
target-version = "py311"

[tool.ruff.lint]
select = ["E", "F", "I", "B", "UP", "RUF"]
"""

_PLUGIN = '''\
"""A plugin for Treadle: notes how long the files are that a candidate changes."""

from __future__ import annotations

from treadle import Candidate, Context, Finding, hookimpl

treadle_api_version = 1


@hookimpl
def treadle_scan(candidate: Candidate, context: Context) -> tuple[Finding, ...]:
    """One note for each changed file. Treadle's docs/reference/hooks.md has all hooks.

    A hook takes those of its arguments that it needs. `context` is its only way to act: here it logs an event.
    """
    context.emit("looked", {"files": len(candidate.files)})
    return tuple(
        Finding(
            rule="@NAME@",
            path=change.path,
            line=0,
            severity="note",
            message=f"the changed file has {len(change.content.splitlines())} lines",
        )
        for change in candidate.files
        if change.content is not None
    )
'''

_TEST = '''\
"""Each test that takes `treadle_plugin` runs twice: inside of this process, and in a process apart, as in Treadle."""

from __future__ import annotations

from treadle import Candidate, FileChange
from treadle.testing import LoadPlugin


def test_each_changed_file_gets_a_note(treadle_plugin: LoadPlugin) -> None:
    plugin = treadle_plugin("@MODULE@")
    candidate = Candidate(files=(FileChange(path="a.py", content=b"x = 1\\ny = 2\\n"),), why="a test")
    (finding,) = plugin.call("treadle_scan", candidate=candidate)
    assert (finding.path, finding.severity) == ("a.py", "note")
    assert finding.message == "the changed file has 2 lines"
    assert plugin.witness.emitted == [("looked", {"files": 1})]
'''

_WORKFLOW = """\
name: test
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.11", "3.12", "3.13"]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: ${{ matrix.python }}
      - run: python -m pip install --upgrade "pip>=25.1"
      # Treadle comes as what the plugin depends on; where it is not on your package index, install it before.
      - run: python -m pip install --editable . --group dev
      - run: treadle plugin check
      - run: python -m pytest
      - run: mypy
      - run: ruff check .
"""

_README = """\
# @DISTRIBUTION@

A plugin for Treadle: it notes how long the files are that a candidate changes.

```console
python -m pip install --editable .   # into the environment in which Treadle is
treadle plugin enable @NAME@         # in a project of yours
```

To work on it: `treadle plugin dev . -- fix PROJECT` runs Treadle with it, again whenever you change it, without
installing it; with `--trace` you see each of its calls. `treadle plugin check` says what is wrong with it,
`python -m pytest` runs its tests, `mypy` and `ruff check .` look at its code.
"""

_FILES = {
    "pyproject.toml": _PYPROJECT,
    "README.md": _README,
    "src/@MODULE@/__init__.py": _PLUGIN,
    "src/@MODULE@/py.typed": "",
    "tests/test_@MODULE@.py": _TEST,
    ".github/workflows/test.yml": _WORKFLOW,
    ".gitignore": "__pycache__/\n*.egg-info/\nbuild/\ndist/\n.venv/\n.mypy_cache/\n.pytest_cache/\n.ruff_cache/\n",
}


def files(names: Mapping[str, str]) -> dict[str, str]:
    """The text of each file by its path; `names` has what stands for NAME, MODULE, DISTRIBUTION and BOUND."""

    def filled(text: str) -> str:
        for name, value in names.items():
            text = text.replace(f"@{name}@", value)
        return text

    return {filled(path): filled(text) for path, text in _FILES.items()}
