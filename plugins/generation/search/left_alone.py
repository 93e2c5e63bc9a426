"""Which files a repair leaves alone, and why: what a person reads where nothing is left to change."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from treadle.core.concerns import PATH_DENY
from treadle.core.errors import UnsafePath
from treadle.core.records import GenerateRequest
from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search.imports import imported_files
from treadle.plugins.generation.search.judging import Judges
from treadle.plugins.generation.search.localise import in_scope, is_source
from treadle.plugins.generation.search.project import LARGEST_FILE, read_source
from treadle.plugins.test_runs.test_places import is_of_tests

_MOST_NAMED = 3


class LeftAlone:
    """The files that this request's repair leaves alone."""

    def __init__(self, request: GenerateRequest, judges: Judges, tree: Tree) -> None:
        self.judges = judges
        """What judges here, in files that may be changed as well."""
        self._tree = tree
        # Who names a file with tests, of whatever name, names no place to be changed.
        self.scope = tuple(place for place in _scope(request.task.files) if not judges.holds_tests(place))
        """The places that the person has named, none: everywhere."""
        found = (finding for attempt in request.attempts for finding in attempt.findings)
        self._protected = {finding.path for finding in found if finding.rule == PATH_DENY}

    def has(self, path: str) -> bool:
        """Whether it may not be changed; one that may can still be no Python."""
        if path in self._protected or not in_scope(path, self.scope):
            return True
        return self.judges.has(path) and not (path in self.scope and self.judges.only_helps(path))

    def told(self, failing: Iterable[TestResult]) -> str:
        """Why nothing that these tests reach is to be changed, and what to do."""
        reached: dict[str, None] = {}
        for test in failing:
            reached.update(dict.fromkeys((*(path for path, _ in test.frames), *test.lines)))
            file = test.id.partition("::")[0]
            reached.update(dict.fromkeys((*imported_files(self._tree, file, self._tree.python_files()), file)))
        reasons = sorted(why for path in reached if self._tree.exists(path) and (why := self._why(path)))
        telling = [why for rank, why in reasons if rank == reasons[0][0]][:_MOST_NAMED]
        return f"the search found nothing to change: {'; '.join(telling) or 'the failing tests reach no Python file'}"

    def told_besides(self, failing: Iterable[TestResult]) -> Iterator[str]:
        """What a person should know of where it was not looked, though nothing was found elsewhere, a sentence each."""
        if self.scope:
            named = ", ".join(self.scope)
            yield f"only {named} was looked into, as you said: without it, all that the failing tests execute is"
        executed = dict.fromkeys(path for test in failing for path in test.lines)
        judging = [path for path in executed if is_source(path) and path not in self.scope and self.judges.has(path)]
        helping = [path for path in judging if self.judges.only_helps(path)]
        checking = [path for path in judging if self.judges.checks_by(path)]
        if checking:
            yield f"never changed, since the test command checks by it: {', '.join(checking[:_MOST_NAMED])}"
        if helping:
            yield f"left alone, since only tests use it; name it to have it changed: {', '.join(helping[:_MOST_NAMED])}"

    def _why(self, path: str) -> tuple[int, str] | None:
        """How telling the reason is (0 the most), and the reason with what to do."""
        if path in self._protected:
            return 1, f"{path} is one of those that paths.deny protects"
        if not is_source(path) and not is_of_tests(path):
            return 2, f"{path} is installed, built or hidden, so no source of the project"
        if path not in self.scope and self.judges.only_helps(path):
            return 1, f"{path} is used by tests alone, as a help of theirs: name it, if it is what they test"
        if self.judges.has(path):
            return 3, f"{path} holds tests, which are never changed: what they test belongs into a file of its own"
        if not in_scope(path, self.scope):
            return 2, f"{path} is not among what you named: name it as well, or nothing"
        return (0, self._why_unread(path)) if read_source(self._tree, path) is None else None

    def _why_unread(self, path: str) -> str:
        try:
            content = self._tree.read(path, LARGEST_FILE + 1)
        except (OSError, UnsafePath) as error:
            return f"{path} can't be read ({error})"
        if len(content) > LARGEST_FILE:
            return f"{path} is larger than {LARGEST_FILE:,} bytes"
        try:
            ast.parse(content)
        except SyntaxError as error:
            return f"{path}, line {error.lineno or 1}, is no valid Python ({error.msg}): mend that first"
        except (ValueError, RecursionError, MemoryError) as error:
            return f"{path} can't be read as Python ({error})"
        return f"{path} can't be written back as it is: save it anew in the encoding that it names"


def _scope(named: tuple[str, ...]) -> tuple[str, ...]:
    """The source places that the person named. Names of tests choose tests and no scope."""
    places = (place.removeprefix("./").rstrip("/") for place in named if "::" not in place)
    return tuple(place for place in places if is_source(place if place.endswith(".py") else f"{place}/_.py"))
