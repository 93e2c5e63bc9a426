"""Changes of what is inside of functions, as swaps for the trials of a test run (`treadle.core.testrun.Trial`).

One run tries dozens of them, where each change would have a run of its own otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from treadle.core.records import FileChange
from treadle.core.testrun import Swap, TestReport
from treadle.plugins.generation.search.source import FUNCTIONS, SourceFile


@dataclass(frozen=True)
class _Body:
    """Where in the text the lines of a function's statements are, and those of the file's own statement around it, with
    its decorators; `line` (from 1) is the first of these."""

    start: int
    end: int
    around_start: int
    around_end: int
    line: int


class Originals:
    """The files of the project as they are. `traced` are runs of its tests: a function that an import was seen to call
    can't be swapped, since nobody calls it again; and none can where a run was cut off, which tells of no import."""

    def __init__(self, files: Iterable[SourceFile], traced: Collection[TestReport | None]) -> None:
        reports = [report for report in traced if report is not None and report.complete]
        self._files: dict[str, tuple[SourceFile, list[_Body]]] = {}
        for file in files if reports and len(reports) == len(traced) else ():
            run = {line for report in reports for line in report.imported.get(file.path, ())}
            self._files[file.path] = (file, list(_bodies(file, run)))

    def swaps(self, changes: tuple[FileChange, ...]) -> tuple[Swap, ...]:
        """The changes as swaps; none where they can't be made so: they change what an import runs, or what is not in
        one function."""
        found = tuple(self._swap(change) for change in changes)
        return tuple(swap for swap in found if swap is not None) if None not in found else ()

    def _swap(self, change: FileChange) -> Swap | None:
        if change.path not in self._files or change.content is None:
            return None
        file, bodies = self._files[change.path]
        new = change.content.decode(file.encoding)
        start, end = _unlike(file.text, new)
        body = next((body for body in bodies if body.start <= start and end <= body.end), None)
        if body is None:
            return None
        tail = len(file.text) - body.around_end
        return Swap(
            path=change.path,
            line=body.line,
            old=file.text[body.around_start : body.around_end],
            new=new[body.around_start : len(new) - tail],
        )


def _bodies(file: SourceFile, run_by_imports: set[int]) -> Iterator[_Body]:
    for statement in file.tree.body:
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            first = min([statement.lineno, *(d.lineno for d in statement.decorator_list)])
            around = file.line_start(first), file.line_start((statement.end_lineno or first) + 1)
            for function in _own_functions(statement):
                lines = range(function.body[0].lineno, (function.end_lineno or 0) + 1)
                if run_by_imports.isdisjoint(lines):
                    yield _Body(file.line_start(lines.start), file.line_start(lines.stop), *around, first)


def _own_functions(statement: ast.stmt) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The statement, or where it is a class the functions of that."""
    if isinstance(statement, FUNCTIONS):
        yield statement
    elif isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            yield from _own_functions(inner)


def _unlike(old: str, new: str) -> tuple[int, int]:
    """Where the characters of the old text begin and end that another text has otherwise; an empty range where that has
    more."""
    least = min(len(old), len(new))
    start = _longest(least, lambda size: old.startswith(new[:size]))
    same = _longest(least - start, lambda size: old.endswith(new[len(new) - size :]))
    return start, len(old) - same


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which it holds, as it does for every smaller one."""
    size = 0
    while size < most:
        middle = (size + most + 1) // 2
        size, most = (middle, most) if holds(middle) else (size, middle - 1)
    return size
