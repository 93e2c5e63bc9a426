"""Where a project keeps its tests, by the look of its files; nothing of it is executed."""

from __future__ import annotations

import configparser
import fnmatch
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from treadle.core import ini_text, toml_text
from treadle.core.counting import counted
from treadle.core.errors import UnsafePath
from treadle.core.tree.markers import is_marked
from treadle.core.tree.reading import read_regular
from treadle.core.walking import walk

TEST_FILES = ("test_*.py", "*_test.py")
"""pytest's own defaults for `python_files`."""
MANY_FILES = 50
"""Test files from which on a suite gets the limits of the tier `heavy`."""
TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_LARGEST_SETTINGS = 1 << 20  # bytes
_SHARED_BY_TESTS = ("conftest.py", "tests.py")

_SKIPPED = frozenset(
    {
        "node_modules",
        "site-packages",
        "build",
        "dist",
        "__pycache__",
        "venv",
        "env",
        "bower_components",
        "_darcs",
        "CVS",
    }
)
_CONTAINS_TESTS = re.compile(rb"^[ \t]*(?:async )?def test_|^class \w+\(.*TestCase\)", re.MULTILINE)
_FILES_READ = 2000
_FOLDERS_UNMARKED = 2000
_BYTES_READ = 1 << 18


class FoundTests(NamedTuple):
    """How the tests were found: `why` as a phrase for people, `args` for pytest (empty: it finds them itself), `files`
    how many files of tests there are (counted up to a thousand)."""

    why: str
    args: tuple[str, ...] = ()
    files: int = 0


def find_tests(project: Path) -> FoundTests | None:
    """What `pytest` should run in that project, None when there is nothing that looks like a test."""
    named = sum(1 for _, path in zip(range(1000), _named_like_tests(project), strict=False))
    config = pytest_config(project)
    if config is not None:
        return FoundTests(f"pytest is configured in {config}", files=named)
    if named:
        return FoundTests(f"{counted(named, 'test file')} named test_*.py or *_test.py", files=named)
    holding = tuple(path.relative_to(project).as_posix() for path in _holding_tests(project))
    if holding:
        return FoundTests("tests inside of " + ", ".join(holding[:3]), args=holding, files=len(holding))
    return None


def pytest_config(project: Path) -> str | None:
    """The name of the file that configures pytest, in pytest's own order of precedence
    (https://docs.pytest.org/en/stable/reference/customize.html)."""
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"):
        if (project / name).is_file():
            return name
    try:
        tool = toml_text.loads(_settings(project, "pyproject.toml")).get("tool", {})
        if isinstance(tool, dict) and "pytest" in tool:
            return "pyproject.toml"
    except (ValueError, RecursionError):
        pass
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        try:
            parser = ini_text.parsed(_settings(project, name))
        except (configparser.Error, UnicodeDecodeError):
            continue
        if parser.has_section(section):
            return name
    return None


def _settings(project: Path, name: str) -> str:
    """The text of a file of settings, empty where there is none that can be read, or a far larger one. Raises
    `UnicodeDecodeError`."""
    try:
        content = read_regular(project.resolve(), name, _LARGEST_SETTINGS + 1)
    except (OSError, UnsafePath):
        return ""
    return content.decode("utf-8") if len(content) <= _LARGEST_SETTINGS else ""


def is_test_place(path: Path) -> bool:
    """Whether a file or folder holds tests and nothing else: a test file, a folder called `tests`, or one in which each
    Python file is a test file."""
    if path.is_file():
        return is_test_name(path.name)
    if path.name in TEST_FOLDERS:
        return True
    files = [file.name for file in _python_files(path) if file.name not in ("__init__.py", "conftest.py")]
    return bool(files) and all(map(is_test_name, files))


def is_test_name(name: str) -> bool:
    """Whether pytest takes a file of this name for one with tests."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in TEST_FILES)


def is_of_tests(path: str) -> bool:
    """Whether a file of the project, by its portable path, belongs to its tests: one that holds some by its name, what
    they share, and all that lies in a folder of theirs."""
    *folders, name = path.split("/")
    return is_test_name(name) or name in _SHARED_BY_TESTS or not TEST_FOLDERS.isdisjoint(folders)


def holds_tests(content: bytes) -> bool:
    """Whether a file's text has test functions or TestCase classes in it, by the look of its lines."""
    return _CONTAINS_TESTS.search(content) is not None


def is_utf8(name: str) -> bool:
    """Whether a program can be told of a file of this name (as the operating system has it) by JSON."""
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in name)


def _named_like_tests(project: Path) -> Iterator[Path]:
    return (path for path in _python_files(project) if is_test_name(path.name))


def _holding_tests(root: Path) -> Iterator[Path]:
    for _, path in zip(range(_FILES_READ), _python_files(root), strict=False):
        try:
            with path.open("rb") as file:
                text = file.read(_BYTES_READ)
        except OSError:
            continue
        if holds_tests(text) and is_utf8(path.relative_to(root).as_posix()):
            yield path


def _python_files(root: Path) -> Iterator[Path]:
    """Regular Python files below, without those that belong to environments, caches and builds, in a fixed order. Of a
    folder that nothing marks as a project, only those in its first folders."""
    left = None if is_marked(root) else _FOLDERS_UNMARKED
    for folder, folders, files in itertools.islice(walk(root), left):
        inside = root / folder
        folders[:] = (
            name
            for name in folders
            if name not in _SKIPPED
            and not name.startswith(".")
            and not name.endswith(".egg")
            and not (inside / name / "pyvenv.cfg").exists()
        )
        yield from (inside / name for name in files if name.endswith(".py") and (inside / name).is_file())
