"""What the project's own tsc says of the changed project that it did not say before.

The whole project is checked, since a change can break the types of files that it does not touch. A file that no
tsconfig.json includes is not looked at by tsc, and this is said.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import msgspec

from treadle.core.context import Context
from treadle.core.paths import decode, encode
from treadle.core.records import Execution, FileChange, Job, Signal, Workspace
from treadle.plugins.languages.javascript.complaints import Complaint, judge, unchanged
from treadle.plugins.languages.javascript.detection import tsconfigs
from treadle.plugins.languages.javascript.node import THOROUGH, Node, command_job, last_line
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_typescript

_OUTPUT = "tsc.txt"
_KEEP_OUTPUT = f"""\
"$@" > "$TREADLE_JOB/all.txt"
code=$?
grep -v /node_modules/ "$TREADLE_JOB/all.txt" > "$TREADLE_JOB/{_OUTPUT}"
exit $code
"""
"""Of a job's streams the log keeps the ends alone, and the list of files is long."""

_LINE = re.compile(r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),\d+\): error (?P<rule>TS\d+): (?P<message>.*)$")
_SYNTAX = re.compile(r"TS1\d{3}")
"""https://github.com/microsoft/TypeScript/blob/main/src/compiler/diagnosticMessages.json"""
_WHOLE = re.compile(r"^error (?P<rule>TS\d+): (?P<message>.*)$")


def check(
    candidate: tuple[FileChange, ...],
    changed: tuple[FileChange, ...],
    files: ProjectFiles,
    workspace: Workspace,
    node: Node,
    context: Context,
) -> tuple[Signal, ...]:
    """One signal of kind `types` for each configuration; none when no TypeScript is changed or there is no tsc."""
    typed = tuple(change for change in changed if is_typescript(change.path))
    folders = dict.fromkeys(files.folder_of_package(change.path) for change in typed)
    signals: tuple[Signal, ...] = ()
    for folder in folders:
        inside = tuple(change for change in typed if files.folder_of_package(change.path) == folder)
        tsc = files.program(folder, "tsc")
        if not tsc:
            names = ", ".join(change.path for change in inside[:5]) + (" and more" if len(inside) > 5 else "")
            context.note(
                f"neither syntax nor types of {names} were checked: the project has no node_modules/.bin/tsc; install "
                "typescript in it"
            )
            continue
        configs = tsconfigs(files, folder)
        argvs = [_with_config(tsc, config) for config in configs] or [_with_files(tsc, inside)]
        signals += _run(argvs, bool(configs), candidate, inside, workspace, node, context)
    return signals


def _run(
    argvs: list[tuple[str, ...]],
    configured: bool,
    candidate: tuple[FileChange, ...],
    inside: tuple[FileChange, ...],
    workspace: Workspace,
    node: Node,
    context: Context,
) -> tuple[Signal, ...]:
    as_they_stand = unchanged(inside, workspace)
    # With nothing changed on the disk there is no before, and half the work.
    is_changed = len(unchanged(candidate, workspace)) < len(candidate)
    jobs = [_job(argv, node, candidate, f"tsc:{n}") for n, argv in enumerate(argvs)]
    jobs += [_job(argv, node, (), f"tsc-before:{n}") for n, argv in enumerate(argvs)] if is_changed else []
    done = context.execute(tuple(jobs))
    after, before = done[: len(argvs)], done[len(argvs) :]
    for execution in after:
        if execution.verdict not in ("ok", "error") or not _understood(execution):
            said = execution.message or last_line(_said(execution)) or last_line(execution.stderr.text)
            context.note(f"types were not checked: tsc ended with {execution.verdict}: {said}")
            return ()
    if configured:
        looked_at = {name for execution in after for name in listed(_said(execution), workspace.root)}
        left_out = [change.path for change in inside if change.path not in looked_at]
        if left_out:
            context.note(f"tsc did not look at {', '.join(left_out[:5])}: no tsconfig.json includes it")
        if len(left_out) == len(inside) and not is_changed:
            return ()
    else:
        names = ", ".join(change.path for change in inside[:5])
        context.note(f"of {names} tsc checked the syntax alone: no tsconfig.json says how to check the types")
    new = [complaint for execution in after for complaint in complaints(_said(execution))]
    if not is_changed:
        # What tsc says of the rest of the project is not what was asked.
        new = [complaint for complaint in new if complaint.path in as_they_stand]
    old = [complaint for execution in before for complaint in complaints(_said(execution))]
    if not configured:
        new = [complaint for complaint in new if _SYNTAX.fullmatch(complaint.rule)]
        return (judge("compile", "tsc", old, new, as_they_stand),)
    return (judge("types", "tsc", old, new, as_they_stand),)


def complaints(text: str) -> Iterator[Complaint]:
    """The errors in tsc's plain output (`--pretty false`)."""
    for line in text.splitlines():
        if found := _LINE.match(line):
            yield Complaint(
                encode(os.path.normpath(found["path"])), found["rule"], found["message"], int(found["line"])
            )
        elif found := _WHOLE.match(line):
            yield Complaint("tsconfig.json", found["rule"], found["message"], 0)


def listed(text: str, root: str) -> Iterator[str]:
    """The project's files among those that tsc names with `--listFiles`."""
    below = root.rstrip("/") + "/"
    return (encode(line.removeprefix(below)) for line in text.splitlines() if line.startswith(below))


def _understood(execution: Execution) -> bool:
    return execution.verdict == "ok" or any(complaints(_said(execution)))


def _said(execution: Execution) -> str:
    return (execution.collected(_OUTPUT) or b"").decode("utf-8", "replace")


def _with_config(tsc: str, config: str) -> tuple[str, ...]:
    return (f"./{decode(tsc)}", "--noEmit", "--pretty", "false", "--listFiles", "-p", f"./{decode(config)}")


def _with_files(tsc: str, inside: tuple[FileChange, ...]) -> tuple[str, ...]:
    names = (f"./{decode(change.path)}" for change in inside)
    return (f"./{decode(tsc)}", "--noEmit", "--pretty", "false", "--skipLibCheck", *names)


def _job(argv: tuple[str, ...], node: Node, files: tuple[FileChange, ...], name: str) -> Job:
    shell = ("sh", "-c", _KEEP_OUTPUT, "sh", *argv)
    return msgspec.structs.replace(
        command_job(name, shell, node.path, files=files, limits=THOROUGH), collect=(_OUTPUT,)
    )
