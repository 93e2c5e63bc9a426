"""Why a command that exists on the machine does not start in the sandbox: it needs what lies outside of its view."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from treadle.sandbox import Policy, Result
from treadle.sandbox.interpreter import find_program, is_never_whole, read_paths
from treadle.sandbox.job import environment

_NOT_STARTED = (126, 127)
_LONGEST_FIRST_LINE = 256  # as the kernel reads it (BINPRM_BUF_SIZE)


def hint(command: Sequence[str], result: Result, policy: Policy, env: Mapping[str, str], cwd: str) -> str:
    """What to add to the command line, when what failed is outside of the view; else ""."""
    if result.verdict != "error":
        return ""
    search = environment({}, env)["PATH"]
    program = find_program(command[0], search, cwd)
    if program is None:
        return _elsewhere(command[0])
    shown = [*policy.readable(read_paths(program)), *policy.write]
    if result.exit_code in _NOT_STARTED:
        found = _of_script(program, search, shown) if _is_script(program) else _of_binary(program, result, shown)
        if found:
            return found
    return _of_arguments(command[1:], shown, cwd)


def _elsewhere(name: str) -> str:
    found = None if "/" in name else shutil.which(name)
    if found is None:
        return ""
    return f"on your PATH it is {found}, on the command's it is not; write the whole path"


def _of_script(program: str, search: str, shown: Sequence[str]) -> str:
    words = _first_line(program)
    if not words:
        return ""
    interpreter = words[0]
    if not os.access(interpreter, os.F_OK):
        return f"{program} names an interpreter that does not exist: {interpreter}"
    if not _is_shown(interpreter, shown):
        return f"its interpreter {interpreter} lies outside of what it may see; add {_flags(interpreter, shown)}"
    if Path(interpreter).name != "env" or len(words) < 2:
        return ""
    # `env` looks on the command's PATH, which is not the person's.
    name = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
    inside, outside = shutil.which(name, path=search), shutil.which(name)
    if not name or outside is None or (inside and _is_shown(inside, shown)):
        return ""
    flags = f"{_flags(outside, shown)} --env {shlex.quote(f'PATH={Path(outside).parent}:{search}')}"
    return f"its interpreter {outside} lies outside of what it may see; add {flags}"


def _of_binary(program: str, result: Result, shown: Sequence[str]) -> str:
    started = not result.message
    if started and b"error while loading shared libraries" not in result.stderr.data:
        return ""
    if not started and result.exit_code != 127:
        return ""
    folder = _folder_of(os.path.realpath(program))
    where = f"--read {shlex.quote(folder)}" if not _is_shown(folder, shown) else "their folder with --read"
    return f"{program} needs other files, which lie outside of what it may see; if they lie beside it, add {where}"


def _of_arguments(arguments: Iterable[str], shown: Sequence[str], cwd: str) -> str:
    for argument in arguments:
        path = os.path.normpath(Path(cwd, argument))
        if "/" in argument and os.access(path, os.F_OK) and not _is_shown(path, shown):
            return f"{path} lies outside of what it may see; if it should read that, add --read {shlex.quote(path)}"
    return ""


def _is_script(program: str) -> bool:
    return bool(_beginning(program).startswith(b"#!"))


def _first_line(program: str) -> list[str]:
    line = _beginning(program)[2:].partition(b"\n")[0]
    return os.fsdecode(line).split()


def _beginning(program: str) -> bytes:
    if not Path(program).is_file():  # a pipe would be waited for until somebody writes into it
        return b""
    try:
        with Path(program).open("rb") as file:
            return file.read(_LONGEST_FIRST_LINE)
    except OSError:  # no right to read it: the message says so already
        return b""


def _is_shown(path: str, shown: Iterable[str]) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in shown)


def _flags(program: str, shown: Sequence[str]) -> str:
    """What has to be read for a program to start, as flags."""
    needed = read_paths(program)
    wanted = {_folder_of(place) for place in (program, os.path.realpath(program))}
    wanted |= {place if Path(place).is_dir() else _folder_of(place) for place in needed}
    outside = [place for place in sorted(wanted) if not _is_shown(place, shown)]
    outermost = [p for p in outside if not any(p != o and Path(p).is_relative_to(o) for o in outside)]
    return " ".join(f"--read {shlex.quote(place)}" for place in outermost)


def _folder_of(program: str) -> str:
    """The folder that a program was installed into, the program itself when others share that folder."""
    folder = Path(program).parent
    whole = folder.parent if folder.name in ("bin", "sbin") else folder
    return program if is_never_whole(str(whole)) else str(whole)
