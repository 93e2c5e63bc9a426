"""Changes of what is inside of functions, as swaps for the trials of a test run (`treadle.core.testrun.Trial`).

One run tries dozens of them, where each change would have a run of its own otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treadle.core.records import FileChange
from treadle.core.testrun import Swap, TestReport
from treadle.plugins.generation.search.source import FUNCTIONS, SourceFile, lines_of


@dataclass(frozen=True)
class _Body:
    """The lines (from 0, without the last one) of a function's statements, and of the file's own statement around it,
    with its decorators."""

    first: int
    after: int
    around_first: int
    around_after: int


class Originals:
    """The files of the project as they are. `traced` are runs of its tests: a function that an import was seen to call
    can't be swapped, since nobody calls it again."""

    def __init__(self, files: Iterable[SourceFile], traced: Iterable[TestReport | None]) -> None:
        reports = [report for report in traced if report is not None]
        self._files = {}
        for file in files if reports else ():
            run = {line for report in reports for line in report.imported.get(file.path, ())}
            bodies = [b for b in _bodies(file.tree) if run.isdisjoint(range(b.first + 1, b.after + 1))]
            self._files[file.path] = (file.encoding, lines_of(file.text), bodies)

    def swaps(self, changes: tuple[FileChange, ...]) -> tuple[Swap, ...]:
        """The changes as swaps; none where they can't be made so: they change what an import runs, or what is not in
        one function."""
        found = tuple(self._swap(change) for change in changes)
        return tuple(swap for swap in found if swap is not None) if None not in found else ()

    def _swap(self, change: FileChange) -> Swap | None:
        if change.path not in self._files or change.content is None:
            return None
        encoding, old, bodies = self._files[change.path]
        new = lines_of(change.content.decode(encoding))
        start, end = _unlike(old, new)
        body = next((b for b in bodies if b.first <= start and end <= b.after), None)
        if body is None:
            return None
        first, after = body.around_first, body.around_after
        return Swap(
            path=change.path,
            line=first + 1,
            old="".join(old[first:after]),
            new="".join(new[first : len(new) - (len(old) - after)]),
        )


def _bodies(tree: ast.Module) -> Iterator[_Body]:
    for statement in tree.body:
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            first = min([statement.lineno, *(d.lineno for d in statement.decorator_list)]) - 1
            for function in _own_functions(statement):
                yield _Body(function.body[0].lineno - 1, function.end_lineno or 0, first, statement.end_lineno or 0)


def _own_functions(statement: ast.stmt) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The statement, or where it is a class the functions of that."""
    if isinstance(statement, FUNCTIONS):
        yield statement
    elif isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            yield from _own_functions(inner)


def _unlike(old: list[str], new: list[str]) -> tuple[int, int]:
    """The lines of the old text (from 0, without the last one) that another text has otherwise; an empty range where it
    has more."""
    least = min(len(old), len(new))
    start = next((n for n in range(least) if old[n] != new[n]), least)
    same = next((n for n in range(least - start) if old[-1 - n] != new[-1 - n]), least - start)
    return start, len(old) - same
