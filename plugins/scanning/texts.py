"""Checks on a file's text and name, whatever language it is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from configparser import Error as ConfigParserError
from pathlib import PurePosixPath

from treadle.core import ini_text, toml_text
from treadle.core.paths import decode, reaches_into
from treadle.core.tree.sources import LARGEST_SOURCE
from treadle.plugins.scanning import dangers
from treadle.plugins.scanning.module import Hit

_SHELL_FILES = (".sh", ".bash", ".zsh", ".bat", ".ps1", "Makefile", "Dockerfile", "makefile")
_STAND_IN = re.compile(r"[{}<>$*]|pass|secret|pwd|token|xxx|\.\.\.", re.IGNORECASE)
_LONGEST_LINE = 2000


def check_text(path: str, text: str) -> Iterator[Hit]:
    """Secrets, reversed text and destructive commands, a finding a line."""
    commands = path.endswith(_SHELL_FILES)
    for number, whole in enumerate(text.split("\n"), 1):
        for start in range(0, max(len(whole), 1), _LONGEST_LINE):
            line = whole[start : start + _LONGEST_LINE + 200]
            if match := dangers.SECRETS.search(line) or dangers.SECRETS_IN_CODE.search(line) or _password_in_url(line):
                yield Hit("secret", number, match[0])
            if dangers.BIDI.search(line):
                yield Hit("bidi", number, line.strip())
            if commands and dangers.DESTRUCTIVE.search(line) and not line.lstrip().startswith("#"):
                yield Hit("shell-destructive", number, line.strip())


def _password_in_url(line: str) -> re.Match[str] | None:
    """An address with a password that is no stand-in for one, of a machine that is not this one."""
    for found in dangers.URL_WITH_PASSWORD.finditer(line):
        user, password, host = found.groups()
        is_stand_in = dangers.PLACEHOLDER.match(password) or user.lower() == password.lower()
        is_stand_in = is_stand_in or _STAND_IN.search(password) is not None
        if not is_stand_in and not dangers.OWN_MACHINE.match(host):
            return found
    return None


def check_name(path: str, old: str | None, new: str | None) -> Iterator[Hit]:
    """What the file's name alone says about a change from `old` to `new` (None: there is no such file)."""
    if reaches_into(decode(path), ".treadle", "treadl~1"):
        yield Hit("treadle-files", 0, path)
    if new is None:
        if dangers.TEST_FILE.search(path):
            yield Hit("test-deleted", 0, path)
        return
    if dangers.STARTS_WITH_PYTHON.search(path):
        yield Hit("persistence", 0, path)
    about_tests = _ABOUT_TESTS.get(PurePosixPath(path).name, _all if dangers.TEST_CONFIG.search(path) else _nothing)
    if about_tests(old) != about_tests(new):
        yield Hit("test-config", 0, path)
    if dangers.RUNS_ELSEWHERE.search(path):
        yield Hit("runs-elsewhere", 0, path)


def _nothing(text: str | None) -> object:
    return None


def _all(text: str | None) -> object:
    return text


def _test_tables(text: str | None) -> object:
    """The parts of a pyproject.toml that decide how tests run; the text itself when it can't be read, or is too large
    to be."""
    if text and len(text) > LARGEST_SOURCE:
        return text
    try:
        tables = toml_text.loads(text or "")
    except (ValueError, RecursionError):
        return text
    tool = tables.get("tool", {})
    return {name: tool.get(name) for name in ("pytest", "coverage", "tox", "hatch")} if isinstance(tool, dict) else text


def _test_sections(text: str | None) -> object:
    """The same of a setup.cfg: its sections for pytest, for coverage, and for what `setup.py test` runs."""
    if text and len(text) > LARGEST_SOURCE:
        return text
    try:
        sections = ini_text.parsed(text or "")
    except ConfigParserError:
        return text
    return {name: dict(sections[name]) for name in sections if _OF_TESTS.search(name)}


_OF_TESTS = re.compile(r"pytest|coverage|nose|unittest|tox|alias|DEFAULT")
_ABOUT_TESTS: Mapping[str, Callable[[str | None], object]] = {
    "pyproject.toml": _test_tables,
    "setup.cfg": _test_sections,
}
"""By the names of files that are about more than tests, what of them is."""
