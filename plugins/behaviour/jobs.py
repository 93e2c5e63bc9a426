"""The job that observes functions while a project's tests run, and reads what it left."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.records import Execution, FileChange, Job, Record
from treadle.core.tree.sources import LARGEST_SOURCE, decode_source
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.changed import changed_functions, functions_of
from treadle.plugins.test_runs.runners import joined

REPORT = "behaviour.json"
MOST_INPUTS = 90
"""Inputs of each function that are made from the observed ones."""
_PARTS = ("portraits", "variations", "probe")
_RUNNERS = f"{__package__}.runners"


class Call(Record, frozen=True, kw_only=True):
    """One call and what came of it. `call` is how one would write it, `as_text` its arguments in parentheses where they
    are plain values and the function is a module's own. `how` it ended: `returns`, `raises`, `endless` (it took too
    many steps) or `unknown` (it was given up, and on another machine might not be). `what` it returned, or the name of
    the exception; `after`, its arguments where it changed them; `prints`, what it printed. `of_tests`: a test calls it
    so."""

    call: str
    how: str
    what: str
    as_text: str = ""
    after: str = ""
    prints: str = ""
    of_tests: bool = False


class Function(Record, frozen=True, kw_only=True):
    """One function: the module that it is of, and its calls."""

    module: str
    calls: tuple[Call, ...]


class Behaviour(Record, frozen=True, kw_only=True):
    """What was observed: each function by `FILE::NAME`."""

    functions: dict[str, Function] = {}


def observing(
    job: Job, names: Sequence[str], tree: Tree, versions: Sequence[tuple[FileChange, ...]], tests: Iterable[str]
) -> tuple[Job, ...]:
    """A job for each version of a project, under these names, each of which runs what `job` runs, a Python script, with
    the version's changes and observes functions on the way: those that are changed in any of the versions, and those
    through which calls from the files of `tests`, and examples in docstrings, reach them. `tree` is the project without
    changes."""
    tests = frozenset(tests)
    sources = {path: text for path in tree.python_files() if path not in tests and (text := _text_of(tree, path))}
    laid = [sources | _texts(changes) for changes in versions]
    changed = {name for texts in laid for name in changed_functions(sources, texts)}
    return tuple(
        _observed(msgspec.structs.replace(job, id=name, files=(*job.files, *changes)), texts, changed, tests)
        for name, changes, texts in zip(names, versions, laid, strict=True)
    )


def _observed(job: Job, sources: Mapping[str, str], changed: Collection[str], tests: Collection[str]) -> Job:
    functions = {path: functions_of(text) for path, text in sources.items()}
    wanted = {
        "changed": {
            path: {first: name for first, name in own.items() if f"{path}::{name}" in changed}
            for path, own in functions.items()
            if any(f"{path}::{name}" in changed for name in own.values())
        },
        "entries": functions,
        "tests": sorted(tests),
        "most": MOST_INPUTS,
    }
    script = f"{_probe()}\n\nmain({job.script!r}, {wanted!r})\n"
    return msgspec.structs.replace(job, script=script, collect=(*job.collect, REPORT))


def _texts(changes: Iterable[FileChange]) -> dict[str, str]:
    """The texts of the Python files among the changes; empty where one is deleted or can't be read as text."""
    return {change.path: _decoded(change.content or b"") for change in changes if change.path.endswith(".py")}


def _text_of(tree: Tree, path: str) -> str:
    try:
        content = tree.read(path)
    except (OSError, UnsafePath):
        return ""
    return _decoded(content) if len(content) <= LARGEST_SOURCE else ""


def _decoded(content: bytes) -> str:
    try:
        return decode_source(content)
    except (SyntaxError, SourceError):
        return ""


def behaviour_of(execution: Execution) -> Behaviour:
    """What the job observed; nothing, where it left nothing that can be read."""
    try:
        return msgspec.convert(json.loads(execution.collected(REPORT) or b"{}"), Behaviour)
    except (ValueError, RecursionError):
        return Behaviour()


@functools.cache
def _probe() -> str:
    return joined(_RUNNERS, _PARTS)
