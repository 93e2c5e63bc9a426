"""What a person's test command comes to: pytest with arguments, or any other command."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable
from typing import NamedTuple

_WRAPPERS = frozenset({"uv", "poetry", "pdm", "pipenv", "hatch", "rye"})
_BETWEEN_COMMANDS = frozenset({"&&", "||", ";", "|", "&"})
_SHELL_OPERATORS = _BETWEEN_COMMANDS | {">", ">>", "<", "2>", "2>&1"}
_FAILS_WITH_ANY_PART = ("bash", "-o", "pipefail", "-c")
_HEARD_OUT = "heard_out() { head -c 100000000 >/dev/null; return $1; }; "
"""What reads from a pipe and ends early, as `head` does, would end what writes to it, and nobody would know whether its
tests pass: the rest is read for it."""
_GRAMMAR = frozenset(
    shlex.split("{ } ( ) ! [[ case do done elif else esac fi for function if select then time until while")
)
"""Words by which a command is a part of another: a line with them stays as it is."""
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"python(\d+(\.\d+)?)?")
_PYTEST = frozenset({"pytest", "py.test", "pytest-3"})


class Invocation(NamedTuple):
    """A test command taken apart. `pytest`: `args` are pytest's arguments; otherwise `args` is the whole command.
    `cwd_on_path`: the working folder is importable, as with `python -m pytest`. `env` are variables set before it."""

    pytest: bool
    args: tuple[str, ...]
    cwd_on_path: bool = False
    env: tuple[tuple[str, str], ...] = ()


def parse(argv: tuple[str, ...], python: str) -> Invocation:
    """The command that a person wrote as they meant it.

    A shell's operators among the words make it a line for a shell: for bash where it has a pipe, which would pass
    whatever fails before its end, and fail what its reader does not hear out. Of `uv run`, `poetry run` and the like
    only the command is kept, since the sandbox has the project's interpreter and no network. `python` is put in the
    place of a `python` without a folder.
    """
    if any(word in _SHELL_OPERATORS for word in argv):
        if "|" in argv:
            line = _line(argv) if _GRAMMAR.intersection(argv) else _with_pipes(argv)
            return Invocation(pytest=False, args=(*_FAILS_WITH_ANY_PART, line))
        return Invocation(pytest=False, args=("sh", "-c", _line(argv)))
    words = list(argv)
    env = []
    while words and _ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        env.append((name, value))
    if len(words) > 2 and words[0] in _WRAPPERS and words[1] == "run" and not words[2].startswith("-"):
        del words[:2]
    if words and _PYTHON.fullmatch(words[0]):
        words[0] = python
    found = _pytest_arguments(words)
    if found is None:
        return Invocation(pytest=False, args=tuple(words), env=tuple(env))
    args, cwd_on_path = found
    return Invocation(pytest=True, args=tuple(args), cwd_on_path=cwd_on_path, env=tuple(env))


def _line(words: Iterable[str]) -> str:
    return " ".join(word if word in _SHELL_OPERATORS else shlex.quote(word) for word in words)


def _with_pipes(argv: tuple[str, ...]) -> str:
    """The line in which each command that reads from a pipe reads all of it."""
    ends = [place for place, word in enumerate(argv) if word in _BETWEEN_COMMANDS]
    line, before = _HEARD_OUT, ""
    for begin, end in itertools.pairwise((-1, *ends, len(argv))):
        command = _line(argv[begin + 1 : end])
        after = argv[end] if end < len(argv) else ""
        if before == "|":
            command = f"{{ {command}; heard_out $?; }}"
        line += f"{command} {after} "
        before = after
    return line.rstrip()


def _pytest_arguments(words: list[str]) -> tuple[list[str], bool] | None:
    """What follows the name of pytest, and whether it was started as a module; None when it is not pytest."""
    if not words:
        return None
    program = words[0].rpartition("/")[2]
    if program in _PYTEST:
        return words[1:], False
    if _PYTHON.fullmatch(program) and words[1:3] in (["-m", "pytest"], ["-m", "py.test"]):
        return words[3:], True
    if program == "coverage" and words[1:2] == ["run"] and "pytest" in words:
        at = words.index("pytest")
        if words[at - 1] == "-m":
            return words[at + 1 :], True
    return None
