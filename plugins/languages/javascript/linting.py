"""What the project's own eslint finds in the changed files that it did not find in them before.

Its configuration is code of the project, so eslint runs in the sandbox. Only errors speak against a change: what a
project calls a warning is counted as nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from treadle.core.context import Context
from treadle.core.paths import decode, encode
from treadle.core.records import Execution, FileChange, Signal, Workspace
from treadle.core.tree.sources import before_change
from treadle.plugins.languages.javascript.complaints import Complaint, judge, unchanged
from treadle.plugins.languages.javascript.detection import has_eslint_config
from treadle.plugins.languages.javascript.node import THOROUGH, Node, command_job, last_line
from treadle.plugins.languages.javascript.project_files import ProjectFiles

_ERROR = 2
_FOUND_SOMETHING = (0, 1)
"""Exit codes of an eslint that has looked at all files (https://eslint.org/docs/latest/use/command-line-interface)."""
_REPORT = "eslint.json"


def check(
    candidate: tuple[FileChange, ...],
    changed: tuple[FileChange, ...],
    files: ProjectFiles,
    workspace: Workspace,
    node: Node,
    context: Context,
) -> tuple[Signal, ...]:
    """One signal of kind `lint`, none where the project has no eslint or does not configure it."""
    signals: tuple[Signal, ...] = ()
    for folder in dict.fromkeys(files.folder_of_package(change.path) for change in changed):
        inside = tuple(change for change in changed if files.folder_of_package(change.path) == folder)
        eslint = files.program(folder, "eslint")
        if not eslint or not has_eslint_config(files, folder):
            continue
        after = _run(eslint, folder, inside, candidate, node, context)
        problem = _problem(after)
        if problem:
            context.note(f"eslint did not judge the change: {problem}")
            continue
        looked_past = tuple(ignored(after.collected(_REPORT), workspace.root))
        if looked_past:
            context.note(f"eslint does not look at {', '.join(looked_past[:5])}: its configuration leaves them out")
        if len(looked_past) == len(inside):
            continue
        as_they_stand = unchanged(inside, workspace)
        older = tuple(c for c in inside if before_change(workspace, c) is not None)
        before = _run(eslint, folder, older, (), node, context) if older else None
        signals += (
            judge(
                "lint",
                "eslint",
                complaints(before.collected(_REPORT), workspace.root) if before else (),
                complaints(after.collected(_REPORT), workspace.root),
                as_they_stand,
            ),
        )
    return signals


def complaints(report: bytes | None, root: str) -> Iterator[Complaint]:
    """The errors in eslint's JSON (`--format json`), nothing for a report that can't be read."""
    for path, message in _messages(report, root):
        if message.severity == _ERROR:
            yield Complaint(path, message.ruleId or "syntax", message.message, message.line or 0)


def ignored(report: bytes | None, root: str) -> Iterator[str]:
    """The files that were named to eslint and that it left out."""
    for path, message in _messages(report, root):
        if message.ruleId is None and message.severity != _ERROR and message.message.startswith("File ignored"):
            yield path


class _Message(msgspec.Struct):
    message: str
    severity: int = 0
    ruleId: str | None = None  # noqa: N815 - as eslint spells it
    line: int | None = None


class _File(msgspec.Struct):
    filePath: str  # noqa: N815 - as eslint spells it
    messages: tuple[_Message, ...] = ()


def _messages(report: bytes | None, root: str) -> Iterator[tuple[str, _Message]]:
    try:
        found = msgspec.json.decode(report or b"[]", type=tuple[_File, ...])
    except (ValueError, RecursionError):
        return
    for file in found:
        path = encode(os.path.relpath(file.filePath, root))
        yield from ((path, message) for message in file.messages)


def _run(
    eslint: str,
    folder: str,
    inside: tuple[FileChange, ...],
    candidate: tuple[FileChange, ...],
    node: Node,
    context: Context,
) -> Execution:
    # eslint looks for its configuration from where it is started, so it is started in the package.
    program = os.path.relpath(decode(eslint), decode(folder) or ".")
    names = [os.path.relpath(decode(change.path), decode(folder) or ".") for change in inside]
    line = f'cd "$1" && shift && exec "$@" --output-file "$TREADLE_JOB/{_REPORT}"'
    argv = ("sh", "-c", line, "sh", decode(folder) or ".", program, "--format", "json", "--no-color", *names)
    job = command_job("eslint" if candidate else "eslint-before", argv, node.path, files=candidate, limits=THOROUGH)
    (done,) = context.execute((msgspec.structs.replace(job, collect=(_REPORT,)),))
    return done


def _problem(execution: Execution) -> str:
    if execution.exit_code in _FOUND_SOMETHING and execution.collected(_REPORT) is not None:
        return ""
    said = next((line for line in execution.stderr.text.splitlines() if line.strip()), "")
    return execution.message or said or last_line(execution.stdout.text) or f"it ended with {execution.verdict}"
