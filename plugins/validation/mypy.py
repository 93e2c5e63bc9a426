"""validate-mypy: what the project's own mypy says of the changed project that it did not say before.

Only where the project is configured for mypy and its environment has it: then mypy runs in the sandbox, on the project
as it was and with the change, both by the configuration of before. Where that names what to check (`files`, `packages`,
`modules`), all of it is checked, since a change can break the types of files that it does not touch; else the changed
files are, without those that it excludes. Code that was given as it stands in the project has no before: all that is
said of it counts.
"""

from __future__ import annotations

import configparser
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from treadle.core import ini_text, toml_text
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import InterpreterError, NoPlugin, UnsafePath
from treadle.core.hooks import hookimpl
from treadle.core.interpreter import describe
from treadle.core.paths import decode, encode
from treadle.core.records import Candidate, Execution, FileChange, GenerateRequest, Job, Limits, Signal, Workspace
from treadle.core.tree.reading import read_regular

_SAID = "mypy.txt"
_RUN = f"""\
import json, os, re, sys
sys.modules["psutil"] = None
from mypy import api
asked = json.load(sys.stdin)
files = [name for name in asked["files"] if not any(re.search(each, name) for each in asked["exclude"])]
out, _, code = api.run([*sys.argv[1:], "--", *files]) if files or asked["configured"] else ("", "", 0)
with open(os.path.join(os.environ["TREADLE_JOB"], {_SAID!r}), "w", errors="replace") as said:
    said.write(out)
sys.exit(code)
"""
"""The streams of a job are kept in part, so its words go into a file; patterns that a project wrote are tried where
time is bounded. mypy 2 asks psutil, where there is one, for the cores of the machine, and that reads /proc/cpuinfo,
which a job does not see; without it mypy counts them itself."""

_OPTIONS = (
    *("--cache-dir=/dev/null", "--no-pretty", "--no-color-output", "--hide-error-context", "--show-error-codes"),
    *("--no-error-summary", "--soft-error-limit=-1"),
)
_IS_ERROR = ": error: "
_LINE_IN_WORDS = re.compile(r"\bline \d+")
_CONFIGS = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
"""In mypy's own order of precedence (https://mypy.readthedocs.io/en/stable/config_file.html)."""
_LARGEST = 1 << 20  # bytes of a file of settings
_DETAILS = 20


class _Use(msgspec.Struct, frozen=True):
    """How a project uses mypy: whether it says itself what is checked, and patterns of what is not."""

    names_targets: bool
    exclude: tuple[str, ...]


class _Complaint(msgspec.Struct, frozen=True):
    """One of mypy's errors; lines are no part of what tells an old one from a new one."""

    path: str
    line: int
    message: str

    @property
    def known_by(self) -> tuple[str, str]:
        return self.path, _LINE_IN_WORDS.sub("line", self.message)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """How long mypy may take."""
    return (
        Setting(
            name="longest_s",
            default=60.0,
            least=0.0,
            summary="Seconds that mypy may take for each of its two runs, beyond which types are not compared; "
            "0: it is not run.",
        ),
    )


@hookimpl
def treadle_validate(
    candidate: Candidate, workspace: Workspace, request: GenerateRequest, context: Context
) -> tuple[Signal, ...]:
    """One signal of kind `types`, none where the project does not use mypy or no Python file is changed."""
    changed = [change for change in candidate.files if change.path.endswith((".py", ".pyi"))]
    longest = msgspec.convert(context.settings().get("longest_s", 60.0), float)
    use = used_in(Path(workspace.root)) if changed and longest else None
    if use is None or not _has_mypy(request.task.python, workspace.project):
        return ()
    files = tuple(change for change in candidate.files if change.path not in _CONFIGS)
    there = {change.path: _as_it_was(workspace, change) for change in changed}
    jobs = [_job("mypy", use, [c.path for c in changed if c.content is not None], files, longest)]
    as_it_stands = all(there[change.path] == change.content for change in changed)
    if not as_it_stands:
        jobs.append(_job("mypy-before", use, [path for path, was in there.items() if was is not None], (), longest))
    try:
        now, *before = context.execute(tuple(jobs))
    except NoPlugin:
        return ()
    for run in (now, *before):
        if run.verdict not in ("ok", "error") or run.exit_code not in (0, 1) or run.collected(_SAID) is None:
            when = " before the change" if run.job == "mypy-before" else ""
            context.note(f"types were not compared: mypy did not come to its end{when} ({_ending(run)})")
            return ()
    said = [each for each in complaints_of(now) if not as_it_stands or each.path in there]
    known = [each for run in before for each in complaints_of(run)]
    return (judged(said, known),)


def used_in(root: Path) -> _Use | None:
    """How the project there uses mypy, None where nothing configures it."""
    for name in _CONFIGS:
        text = _text(root, name)
        if text is None:
            continue
        table = _toml_table(text) if name.endswith(".toml") else _ini_table(text)
        if table is None:
            continue
        exclude = table.get("exclude", ())
        patterns = (exclude,) if isinstance(exclude, str) else exclude if isinstance(exclude, (list, tuple)) else ()
        return _Use(
            names_targets=any(table.get(key) for key in ("files", "packages", "modules")),
            exclude=tuple(each for each in patterns if isinstance(each, str) and each),
        )
    return None


def judged(now: list[_Complaint], before: list[_Complaint]) -> Signal:
    """What is said now and was not before speaks against the change."""
    left = Counter(each.known_by for each in before)
    new: list[_Complaint] = []
    for each in now:
        if left[each.known_by]:
            left[each.known_by] -= 1
        else:
            new.append(each)
    gone = left.total()
    if not new:
        return Signal(kind="types", ok=True, summary="mypy finds nothing new", better=gone)
    told = [f"{each.path}:{each.line}: {each.message}" for each in new]
    more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
    return Signal(
        kind="types",
        ok=False,
        summary=f"mypy: {told[0]}{more}",
        details=tuple(told[:_DETAILS]),
        worse=len(new),
        better=gone,
    )


def complaints_of(run: Execution) -> Iterator[_Complaint]:
    """The errors that a run of mypy told."""
    for line in (run.collected(_SAID) or b"").decode("utf-8", "replace").splitlines():
        place, is_error, message = line.partition(_IS_ERROR)
        parts = place.split(":")
        numbers = list(itertools.takewhile(_is_number, reversed(parts[1:])))  # the line, maybe the column, and the end
        if is_error and numbers:
            yield _Complaint(encode(":".join(parts[: -len(numbers)])), int(numbers[-1]), message)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _job(id: str, use: _Use, paths: list[str], files: tuple[FileChange, ...], longest: float) -> Job:
    asked = {
        "files": [] if use.names_targets else [name for path in paths if _is_utf8(name := decode(path))],
        "exclude": use.exclude,
        "configured": use.names_targets,
    }
    return Job(
        id=id,
        script=_RUN,
        args=_OPTIONS,
        stdin=json.dumps(asked).encode(),
        files=files,
        collect=(_SAID,),
        limits=Limits(wall_s=longest),
    )


def _as_it_was(workspace: Workspace, change: FileChange) -> bytes | None:
    try:
        return read_regular(Path(workspace.root).resolve(), change.path)
    except (OSError, UnsafePath):
        return None


def _has_mypy(python: str, project: str) -> bool:
    try:
        return describe(python, project=project).has("mypy")
    except InterpreterError:
        return False


def _ending(run: Execution) -> str:
    said = run.stderr.text.strip().splitlines()
    return run.message or (said[-1] if said and run.verdict == "error" else run.verdict)


def _is_utf8(name: str) -> bool:
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in name)


def _text(root: Path, name: str) -> str | None:
    try:
        content = read_regular(root.resolve(), name, _LARGEST + 1)
        return content.decode("utf-8") if len(content) <= _LARGEST else None
    except (OSError, UnsafePath, UnicodeDecodeError):
        return None


def _toml_table(text: str) -> dict[str, Any] | None:
    try:
        tool = toml_text.loads(text).get("tool")
    except (ValueError, RecursionError):
        return None
    table = tool.get("mypy") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _ini_table(text: str) -> dict[str, Any] | None:
    try:
        parser = ini_text.parsed(text)
    except configparser.Error:
        return None
    return dict(parser["mypy"]) if parser.has_section("mypy") else None
