"""The job that observes functions while a project's tests run, and reads what it left."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.records import Execution, FileChange, Job, Record
from treadle.core.testrun import ask, is_test_job, request_of
from treadle.core.tree.sources import LARGEST_SOURCE, decode_source
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.changed import changed_between, functions_of, users
from treadle.plugins.test_runs.runners import joined

REPORT = "behaviour.json"
MOST_INPUTS = 90
"""Inputs of each function that are made from the observed ones."""
MOST_BYTES = 1 << 20
"""Of a report that is read: what observes leaves less, and what a project puts in its place may be anything."""
_PARTS = ("declared", "definitions", "orders", "portraits", "variations", "probe")
_RUNNERS = f"{__package__}.runners"


class Call(Record, frozen=True, kw_only=True):
    """One call and what came of it. `call` is how one would write it, `as_text` its arguments in parentheses where they
    are plain values and the function is a module's own. `how` it ended: `returns`, `raises`, `endless` (it took too
    many steps) or `unknown` (it was given up, and on another machine might not be). `what` it returned, or the name of
    the exception; `after`, its arguments where it changed them; `prints`, what it printed. `of_tests`: a test calls it
    so. `long`: it took so many steps that a few more might be too many."""

    call: str
    how: str
    what: str
    as_text: str = ""
    after: str = ""
    prints: str = ""
    of_tests: bool = False
    long: bool = False


class Function(Record, frozen=True, kw_only=True):
    """One function: the module that it is of, and its calls."""

    module: str
    calls: tuple[Call, ...]


class Behaviour(Record, frozen=True, kw_only=True):
    """What was observed: each function by `FILE::NAME`. `reaching`: the tests of pytest during which what is changed
    was called; among them an empty name where something else called it. `has_order`: what comes of the calls may hang
    on the order of a set."""

    functions: dict[str, Function] = {}
    reaching: tuple[str, ...] = ()
    has_order: bool = True


def observing(
    job: Job, names: Sequence[str], tree: Tree, versions: Sequence[tuple[FileChange, ...]], tests: Iterable[str]
) -> tuple[Job, ...]:
    """A job for each version of a project, under these names, each of which runs what `job` runs, a Python script, with
    the version's changes and observes functions on the way: those that are changed in any of the versions, and those
    through which calls from the files of `tests`, and examples in docstrings, reach them. None at all where no function
    is changed. `tree` is the project without changes."""
    tests = frozenset(tests)
    laid = [{p: text for p, text in _texts(changes).items() if p not in tests} for changes in versions]
    changed = _changed(tree, laid, tests)
    if not changed:
        return ()
    unchanged = {path: _text_of(tree, path) for path in changed}
    return tuple(
        _observed(
            msgspec.structs.replace(job, id=name, files=(*job.files, *changes)), unchanged | texts, changed, tests
        )
        for name, changes, texts in zip(names, versions, laid, strict=True)
    )


def with_tests_alone(job: Job, tests: Collection[str]) -> Job:
    """The same job with no other tests than these, where it is known that they are tests of its."""
    if not tests or not is_test_job(job):
        return job
    return ask(job, msgspec.structs.replace(request_of(job), select=tuple(tests)))


def again(job: Job, name: str, first: Behaviour) -> Job:
    """The same job once more, after what was observed `first`; where the order of sets matters in an interpreter that
    has another one, which takes several times as long as a warm one does."""
    seed = (("PYTHONHASHSEED", "1"),) if first.has_order else ()
    return msgspec.structs.replace(job, id=name, env=(*job.env, *seed))


def _changed(tree: Tree, laid: Sequence[Mapping[str, str]], tests: Collection[str]) -> dict[str, set[str]]:
    """The names of the functions that differ in one of the versions, by file."""
    changed: dict[str, set[str]] = {}
    names: set[str] = set()
    for path, text in ((path, text) for texts in laid for path, text in texts.items()):
        functions, defined = changed_between(_text_of(tree, path), text)
        changed.setdefault(path, set()).update(functions)
        names |= defined
    if names:
        everywhere = ((path, _text_of(tree, path)) for path in tree.python_files() if path not in tests)
        for path, text in itertools.chain(everywhere, *(texts.items() for texts in laid)):
            changed.setdefault(path, set()).update(users(text, names))
    return {path: functions for path, functions in changed.items() if functions}


def _observed(
    job: Job, texts: Mapping[str, str], changed: Mapping[str, Collection[str]], tests: Collection[str]
) -> Job:
    by_line = {path: functions_of(texts[path]).items() for path in sorted(changed)}
    wanted = {
        "changed": {p: {first: n for first, n in own if n in changed[p]} for p, own in by_line.items()},
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
    raw = execution.collected(REPORT) or b"{}"
    try:
        return msgspec.json.decode(raw, type=Behaviour) if len(raw) <= MOST_BYTES else Behaviour()
    except (ValueError, RecursionError):
        return Behaviour()


@functools.cache
def _probe() -> str:
    return joined(_RUNNERS, _PARTS)
