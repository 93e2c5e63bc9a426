"""The tests that a person has named: by a file, a folder, or pytest's own name of a test, of a class, or of a test with
all its parameters (`tests/test_a.py::TestX::test_y`). They have to pass; the others of the project may not break."""

from __future__ import annotations

import ast
import difflib
import re
import unicodedata
from pathlib import Path

import msgspec

from treadle.core.errors import SourceError, UsageError
from treadle.core.paths import on_disk
from treadle.core.records import Job, Limits, Task
from treadle.core.testrun import ask, request_of
from treadle.core.tree.sources import decode_source, parse
from treadle.plugins.test_runs.functions_of_tests import functions_of_tests
from treadle.plugins.test_runs.runners import runner_script
from treadle.plugins.test_runs.test_places import MANY_FILES, find_tests, is_test_place, is_utf8

_MOST_NEAR = 3
_PLAIN = frozenset({"object", "unittest.TestCase"})
"""Classes that hand no tests on."""


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
    """The same job, which is given the files of these places, with the tests alone that they name: what a person's own
    command, or the project's configuration, names besides is not run."""
    return ask(job, msgspec.structs.replace(request_of(job), within=places)) if places else job


def files_of(places: tuple[str, ...]) -> tuple[str, ...]:
    """The files and folders of these places, each once."""
    return tuple(dict.fromkeys(place.partition("::")[0] for place in places))


def others_job(job: Job, task: Task, name: str) -> Job | None:
    """A job that runs the tests which `job`, that of the tests which were named, does not; None where none were named,
    or no others are known."""
    if job.script != runner_script("pytest"):
        return None
    request = request_of(job)
    places, own = request.within, files_of(request.within)
    given = request.args[: len(request.args) - len(own)]
    if not places or request.args[len(given) :] != own:
        return None
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
    """Raise `UsageError`, with the nearest names, for a test that its file surely has not. Where that is not sure, the
    run says it."""
    if path.is_dir():
        raise UsageError(f"{file}::{test}: {file} is a folder; name the file of the test, as pytest does")
    try:
        text = decode_source(path.read_bytes())
        tree = parse(text)
    except (OSError, SyntaxError, SourceError):
        return
    if path.suffix != ".py" or not _lacks(tree, text, test.partition("[")[0].split("::")):
        return
    there = tuple(functions_of_tests(tree))
    near = difflib.get_close_matches(test.partition("[")[0], there, _MOST_NEAR, 0.5) or there[:_MOST_NEAR]
    has = f"the nearest {'are' if len(near) > 1 else 'is'} {', '.join(f'{file}::{each}' for each in near)}"
    raise UsageError(f"there is no test {test} in {file}; {has if near else 'it has no tests'}")


def _lacks(tree: ast.Module, text: str, named: list[str]) -> bool:
    """Whether a file surely has no test of that name: it stands nowhere in its text, nor does the file get tests by
    anything but their definitions."""
    words = set(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))
    scope: ast.Module | ast.ClassDef = tree
    for name in named:
        if name not in words:
            # What a plugin of pytest adds to a file, as a linter's result, is not called like a test.
            return name.lower().startswith("test") and ">>>" not in text and _is_written_out(tree, named)
        classes = [node for node in scope.body if isinstance(node, ast.ClassDef) and node.name == name]
        if (
            len(classes) != 1
            or classes[0].keywords
            or any(ast.unparse(base) not in _PLAIN for base in classes[0].bases)
        ):
            return False
        (scope,) = classes
    return False


def _is_written_out(tree: ast.Module, named: list[str]) -> bool:
    """Whether each test of the file is a definition in it: none is made by a decorator, a call, or something that is
    assigned to its name or its class's, while the file is imported."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not all(_is_pytests(decorator) for decorator in node.decorator_list):
                return False
            left += node.body if isinstance(node, ast.ClassDef) else ()
        elif _may_make_tests(node, named):
            return False
        else:
            left += ast.iter_child_nodes(node)
    return True


def _may_make_tests(node: ast.AST, named: list[str]) -> bool:
    match node:
        case ast.Call():
            return not _is_pytests(node.func)
        case ast.Name(id=name, ctx=ast.Store()):
            return name in named
        case ast.Subscript(ctx=ast.Store()) | ast.alias(name="*"):
            return True
    return False


def _is_pytests(node: ast.AST) -> bool:
    return ast.unparse(node).startswith("pytest.")
