"""undeclared: asks about imports that a change brings in and that the project does not declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pathspec import GitIgnoreSpec
from treadle import Candidate, Context, FileChange, Finding, Setting, Workspace, hookimpl

from treadle_undeclared.imports import Import, imports_of
from treadle_undeclared.project import declared, modules_in
from treadle_undeclared.spelling import KNOWN, spelt

treadle_api_version = 1
# The project's files say what it declares, and what the changed ones imported before.
treadle_needs = {"read": ["project"]}

_ADVICE = "declare it if it is meant; a model may have made the name up, and an index may hold something else under it"


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """What is not looked at, and names that differ."""
    return (
        Setting(name="ignore", default=(), summary="Changed files that are not looked at, as in a .gitignore."),
        Setting(name="known", default={}, summary="What is installed by another name than it is imported by."),
    )


@hookimpl
def treadle_scan(candidate: Candidate, workspace: Workspace, context: Context) -> tuple[Finding, ...]:
    """A finding for each module that a file imports now and did not import before."""
    ignored, known = _settings(context)
    changes = [change for change in candidate.files if _is_python(change) and not ignored.match_file(change.path)]
    new = [(change, each) for change in changes for each in _new_imports(change, Path(workspace.project))]
    if not new:  # the usual case: then nothing of the project has to be read
        return ()
    there = modules_in(Path(workspace.project)) | {_module(change.path) for change in candidate.files}
    there |= {part for change in candidate.files for part in Path(change.path).parts[:-1]}
    installed = declared(Path(workspace.project))
    return tuple(
        _finding(change.path, each)
        for change, each in new
        if each.module not in there and not installed & spelt(each.module, known)
    )


def _settings(context: Context) -> tuple[GitIgnoreSpec, Mapping[str, str]]:
    settings = context.settings()
    ignore, known = settings["ignore"], settings["known"]
    assert isinstance(ignore, list | tuple)
    assert isinstance(known, dict)
    return GitIgnoreSpec.from_lines(map(str, ignore)), KNOWN | known


def _is_python(change: FileChange) -> bool:
    return change.content is not None and change.path.endswith((".py", ".pyi"))


def _module(path: str) -> str:
    return Path(path).stem


def _new_imports(change: FileChange, project: Path) -> Iterator[Import]:
    file = project / change.path
    try:
        before = file.read_bytes()
    except OSError:
        before = b""
    if before == change.content:  # it was given as it is, to be checked: all of it counts
        before = b""
    known = {each.module for each in imports_of(before)}
    for each in imports_of(change.content or b""):
        if each.module not in known:
            known.add(each.module)
            yield each


def _finding(path: str, found: Import) -> Finding:
    return Finding(
        rule="undeclared-import",
        path=path,
        line=found.line,
        severity="note" if found.optional else "ask",
        message=f"the code newly imports {found.module}, which the project does not declare",
        advice=_ADVICE,
    )
