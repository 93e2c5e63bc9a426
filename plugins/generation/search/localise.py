"""Where the fault may be: a suspicion for each line of each source file, from what tests executed.

Ochiai's coefficient, as Abreu, Zoeteweij and van Gemund measured it for faults in programs ("On the Accuracy of
Spectrum-based Fault Localization", TAICPART 2007): ef / sqrt(F * (ef + ep)), with ef and ep the failing and passing
tests that executed the line, F all failing tests. Tracebacks are evidence on top of it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from treadle.core.testrun import TestResult
from treadle.plugins.generation.search.source import FUNCTIONS, FunctionNode, SourceFile, Suspicious
from treadle.plugins.test_runs.test_places import is_of_tests

Lines = dict[str, dict[int, float]]
Wanted = Callable[[str], bool]

INNERMOST_FRAME = 0.25
"""Added to the line of the project where an exception came from; outer lines of the traceback get less."""
OUTER_FRAME = 0.1
NOTHING_EXECUTED = 0.5
"""The suspicion of every line when no failing test executed any (an import or collection error)."""
USED_DEFINITION = 0.7
"""A module-level or class-level statement against the most suspicious statement that uses a name it binds."""
NAMED = 0.9
"""A definition that a failing test names and did not come to execute, against the most suspicious line of all: what
leads there may be amiss, such as what decorates it. Many have a name such as `get` and nothing to do with the test."""
_NOT_SOURCE = frozenset({"site-packages", "dist-packages", "node_modules", "setup.py"})
_BUILT = re.compile(r"(^|/)build/(lib|bdist)[^/]*/")
"""Copies that setuptools makes. A package of the project may be called `build`, `dist` or `env` as well."""


@dataclass(frozen=True)
class Suspect:
    """One function (or a file's top level, `function` empty) and how suspicious its worst line is."""

    path: str
    function: str
    line: int
    score: float


def is_source(path: str, test_files: frozenset[str] = frozenset()) -> bool:
    """Whether a repair may change the file: Python source of the project that is no test and not installed."""
    parts = path.split("/")
    if not path.endswith(".py") or path.startswith("/") or ".." in parts or path in test_files:
        return False
    return not (is_of_tests(path) or any(p in _NOT_SOURCE or p.startswith(".") for p in parts) or _BUILT.search(path))


def file_of_test(test: str) -> str:
    """The file that holds a test, "" for a doctest: its file is the source that it documents."""
    file, _, name = test.partition("::")
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    owner = name.partition("::")[0]
    is_doctest = "." in owner and any(owner.startswith(f"{m}.") or owner == m for m in _dotted_ends(module))
    return "" if is_doctest or owner == module else file


def in_scope(path: str, scope: tuple[str, ...]) -> bool:
    """Whether the person's own choice of files or folders includes the path; an empty choice includes all."""
    return not scope or any(path == s or path.startswith(s.rstrip("/") + "/") or s in ("", ".") for s in scope)


def ochiai(failing: Iterable[TestResult], passing: Iterable[TestResult], wanted: Wanted) -> Lines:
    """Ochiai's coefficient of each executed line of the wanted files."""
    failing = tuple(failing)
    executed: dict[tuple[str, int], list[int]] = {}
    for place, tests in ((0, failing), (1, tuple(passing))):
        for test in tests:
            for path, lines in test.lines.items():
                if wanted(path):
                    for line in lines:
                        executed.setdefault((path, line), [0, 0])[place] += 1
    scores: Lines = {}
    for (path, line), (ef, ep) in sorted(executed.items()):
        if ef:
            scores.setdefault(path, {})[line] = ef / math.sqrt(len(failing) * (ef + ep))
    return scores


def boost_frames(scores: Lines, failing: Iterable[TestResult], wanted: Wanted) -> None:
    """Raise the lines of tracebacks: the innermost the most. Lines that no test executed are put in."""
    raised: dict[tuple[str, int], float] = {}
    for test in failing:
        frames = [(path, line) for path, line in test.frames if wanted(path)]
        for place, frame in enumerate(reversed(frames)):
            raised[frame] = max(raised.get(frame, 0.0), OUTER_FRAME if place else INNERMOST_FRAME)
    for (path, line), boost in sorted(raised.items()):
        lines = scores.setdefault(path, {})
        lines[line] = lines.get(line, NOTHING_EXECUTED) + boost


def suspect_named(file: SourceFile, named: Collection[str], lines: dict[int, float], score: float) -> None:
    """Raise the heads of undecorated functions with one of these names of which no line is suspected."""
    for node in ast.walk(file.tree):
        if isinstance(node, FUNCTIONS) and node.name in named and not node.decorator_list:
            inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if not any(line in lines for line in inside):
                lines[node.lineno] = score


def suspect_tables(file: SourceFile, named: Collection[str], lines: dict[int, float], score: float) -> None:
    """Raise what modules and classes give such a name outright: a constant, a table. Its line ran when the file was
    imported, which no test is seen to do."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and file.function_of(node) is None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(n, ast.Name) and n.id in named for target in targets for n in ast.walk(target)):
                lines.setdefault(node.lineno, score)


def statement_scores(file: SourceFile, lines: dict[int, float]) -> dict[ast.stmt, float]:
    """A suspicion for each statement: the greatest of the lines it spans (of its head, for one with a body), so that
    an expression on several lines is as suspicious as its first. Definitions take part by those who use them."""
    scores: dict[ast.stmt, float] = {}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.stmt):
            first, last = _head(node)
            score = max((lines.get(line, 0.0) for line in range(first, last + 1)), default=0.0)
            if score:
                scores[node] = score
    _suspect_signatures(file, scores)
    _suspect_definitions(file, scores)
    return scores


def rank_functions(files: Suspicious) -> tuple[Suspect, ...]:
    """The functions by their worst statement, the most suspicious first."""
    best: dict[tuple[str, str], Suspect] = {}
    for file, scores in files:
        for statement, score in scores.items():
            function = statement if isinstance(statement, FUNCTIONS) else file.function_of(statement)
            key = (file.path, _name(file, function))
            if key not in best or score > best[key].score:
                best[key] = Suspect(file.path, key[1], statement.lineno, score)
    return tuple(sorted(best.values(), key=lambda s: (-s.score, s.path, s.line)))


def rank_lines(files: Suspicious) -> tuple[tuple[str, int, float, str], ...]:
    """The statements of functions by their suspicion, the most suspicious first: path, line, suspicion, the line's
    text."""
    found = []
    for file, scores in files:
        for statement, score in scores.items():
            if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                start = file.line_start(statement.lineno)
                line = file.text[start : file.line_start(statement.lineno + 1)]
                found.append((file.path, statement.lineno, score, line.strip()))
    return tuple(sorted(found, key=lambda each: (-each[2], each[0], each[1])))


def _dotted_ends(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[i:]) for i in range(len(parts))]


def _name(file: SourceFile, function: FunctionNode | None) -> str:
    if function is None:
        return ""
    owner = file.class_of(function)
    return f"{owner.name}.{function.name}" if owner else function.name


def _head(node: ast.stmt) -> tuple[int, int]:
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    last = node.end_lineno or node.lineno
    if isinstance(body, list) and body:
        first_inside = getattr(body[0], "lineno", None) or body[0].pattern.lineno
        last = max(node.lineno, first_inside - 1) if first_inside > node.lineno else node.lineno
    return node.lineno, last


def _suspect_signatures(file: SourceFile, scores: dict[ast.stmt, float]) -> None:
    """Defaults and decorators run at import, outside of any test: a function's head is as suspicious as its body."""
    for node in ast.walk(file.tree):
        if isinstance(node, FUNCTIONS):
            inside = [scores.get(s, 0.0) for s in ast.walk(node) if isinstance(s, ast.stmt) and s is not node]
            score = max(inside, default=0.0) * 0.9
            if score:
                scores[node] = max(scores.get(node, 0.0), score)


def _suspect_definitions(file: SourceFile, scores: dict[ast.stmt, float]) -> None:
    used: dict[str, float] = {}
    for statement, score in list(scores.items()):
        for node in _own_expressions(statement):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
            if name is not None:
                used[name] = max(used.get(name, 0.0), score)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and file.function_of(node) is None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            score = USED_DEFINITION * max((used.get(n, 0.0) for n in names), default=0.0)
            if score:
                scores[node] = max(scores.get(node, 0.0), score)


def _own_expressions(statement: ast.stmt) -> Iterable[ast.AST]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from ast.walk(child)
