"""The tests that a person has named: by a file, a folder, or pytest's own name of a test, of a class, or of a test with
all its parameters (`tests/test_a.py::TestX::test_y`). They have to pass; the others of the project may not break."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from treadle.core.errors import SourceError, UsageError
from treadle.core.paths import on_disk
from treadle.core.records import Job, Limits, Task
from treadle.core.testrun import ask, is_test_job, request_of
from treadle.core.tree.sources import decode_source, parse
from treadle.plugins.test_runs.test_places import MANY_FILES, find_tests, is_test_place, is_utf8

_MOST_NEAR = 3
_MADE_WHILE_IT_RUNS = re.compile(r"import\s*\*|\b(?:setattr|globals|vars|exec|type)\s*\(|__dict__")
"""Where this stands in a file, tests may have names that nobody reads in it."""


def narrowed(task: Task) -> tuple[str, ...]:
    """The places with tests among those the person named: they narrow the run. Other places leave it whole, since any
    test may show their fault. Raises `UsageError` for a place that does not exist."""
    places = []
    for named in task.files:
        file, separator, test = named.partition("::")
        path = on_disk(task.project, file)
        if not path.exists():
            raise UsageError(f"there is no {path}: name a file or folder of the project")
        if path != Path(task.project) and (separator or is_test_place(path)):
            place = path.relative_to(task.project).as_posix()
            if not is_utf8(place):
                raise UsageError(f"{file}: its name is not UTF-8, so pytest can't be told of it; name its folder")
            if separator:
                _check_named(path, file, test)
            places.append(("./" + place if place.startswith("-") else place) + separator + test)
    return tuple(places)


def with_no_others(job: Job, places: tuple[str, ...]) -> Job:
    """The same job, which is given the files of these places, with the tests alone that they name."""
    if not any("::" in place for place in places):
        return job
    return ask(job, msgspec.structs.replace(request_of(job), within=places))


def files_of(places: tuple[str, ...]) -> tuple[str, ...]:
    """The files and folders of these places, each once."""
    return tuple(dict.fromkeys(place.partition("::")[0] for place in places))


def others_job(job: Job, task: Task, name: str) -> Job | None:
    """A job that runs the tests which `job`, that of the tests which were named, does not; None where none were named,
    or no others are known."""
    places = narrowed(task) if is_test_job(job) else ()
    if not places:
        return None
    request = request_of(job)
    given, own = request.args[: len(request.args) - len(files_of(places))], files_of(places)
    if request.args[len(given) :] != own:
        return None  # a plain command
    limits = job.limits
    if not given:
        found = find_tests(Path(task.project))
        if found is None:
            return None
        given = found.args
        limits = Limits(tier="heavy") if found.files >= MANY_FILES else limits
    request = msgspec.structs.replace(request, args=given, within=(), without=places)
    return ask(msgspec.structs.replace(job, limits=limits), request, name)


def _check_named(path: Path, file: str, test: str) -> None:
    """Raise `UsageError`, with the nearest names, for a test that its file surely has not."""
    if path.is_dir():
        raise UsageError(f"{file}::{test}: {file} is a folder; name the file of the test, as pytest does")
    try:
        text = decode_source(path.read_bytes())
        tree = parse(text)
    except (OSError, SyntaxError, SourceError):
        return
    words = set(re.findall(r"\w+", text))
    lacking = [part for part in test.partition("[")[0].split("::") if re.fullmatch(r"\w+", part) and part not in words]
    if not lacking or _MADE_WHILE_IT_RUNS.search(text) or _inherits(tree, test):
        return
    there = tuple(_tests(tree))
    near = difflib.get_close_matches(test.partition("[")[0], there, _MOST_NEAR, 0.5) or there[:_MOST_NEAR]
    has = f"the nearest {'are' if len(near) > 1 else 'is'} {', '.join(f'{file}::{each}' for each in near)}"
    raise UsageError(f"there is no test {test} in {file}; {has if near else 'it has no tests'}")


def _inherits(tree: ast.Module, test: str) -> bool:
    """Whether a class that is named has tests from classes which are defined somewhere else, perhaps."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    named = classes.get(test.partition("::")[0])
    return named is not None and any(ast.unparse(base).rpartition(".")[2] != "TestCase" for base in named.bases)


def _tests(tree: ast.Module) -> Iterator[str]:
    """The names of the test functions in a file, as pytest writes them after the file's."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (f"{node.name}::{each}" for each in _tests(ast.Module(node.body, [])))
