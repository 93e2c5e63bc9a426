"""scan-bandit: what bandit finds in the changed Python files that it did not find in them before.

Bandit is used as a library, in this process: it only walks syntax trees. It is imported when the first file is scanned.
It denies nothing by itself; what it is sure of and finds grave asks, all else is noted. `# nosec` comments are not
obeyed: the code that is scanned must not be able to silence its scanner.
"""

from __future__ import annotations

import io
import logging
import threading
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from treadle.core.errors import SourceError
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, FileChange, Finding, SessionInfo, Workspace
from treadle.core.tree.sources import before_change, decode_source, is_python, parse
from treadle.plugins.scanning.bandit_words import words_on
from treadle.plugins.scanning.dangers import TEST_FILE

# That a module is imported says nothing yet (B4xx); asserts (B101) are how tests and invariants are written.
_NEVER = ("B101", "B4")
# Right in tests: fixed passwords, temporary folders, weak random numbers, running one's own program.
_NOT_IN_TESTS = ("B105", "B106", "B107", "B108", "B311", "B603", "B607")
_MOST = 100


class Issue(NamedTuple):
    """One of bandit's findings; `snippet` tells equal ones from new ones."""

    test: str
    line: int
    grave: bool
    text: str
    snippet: str


@hookimpl
def treadle_start(session: SessionInfo) -> None:
    """A session begins in which a model writes: bandit is imported while it does, which takes a fifth of a second."""
    if session.task.kind == "run":
        threading.Thread(target=_tests, name="treadle-bandit", daemon=True).start()


@hookimpl
def treadle_scan(candidate: Candidate, workspace: Workspace) -> tuple[Finding, ...]:
    """Bandit's new findings."""
    return tuple(f for change in candidate.files for f in findings_of(change, before_change(workspace, change)))


def findings_of(change: FileChange, before: bytes | None) -> tuple[Finding, ...]:
    """Bandit's findings on one changed file against its content before."""
    if change.content is None or not is_python(change.path, change.content):
        return ()
    try:
        issues = issues_of(change.path, change.content)
    except SourceError as error:
        return (
            Finding(
                rule="bandit",
                path=change.path,
                line=0,
                severity="note",
                message=f"bandit could not scan the file: {error}",
                advice="read it yourself",
            ),
        )
    known: Counter[tuple[str, str]] = Counter()
    if issues and before is not None:
        try:
            known.update((issue.test, issue.snippet) for issue in issues_of(change.path, before))
        except SourceError:
            known.clear()
    return tuple(_new(change.path, issues, known))[:_MOST]


def _new(path: str, issues: list[Issue], known: Counter[tuple[str, str]]) -> Iterator[Finding]:
    for issue in issues:
        if known[issue.test, issue.snippet]:
            known[issue.test, issue.snippet] -= 1
            continue
        why, advice = words_on(issue.test)
        see = f"see {_page(issue.test)}"
        yield Finding(
            rule=f"bandit-{issue.test}",
            path=path,
            line=issue.line,
            severity="ask" if issue.grave else "note",
            message=f"{issue.text}; {why}" if why else issue.text,
            advice=f"{advice}; {see}" if advice else see,
        )


def issues_of(path: str, content: bytes) -> list[Issue]:
    """What bandit finds in a source, the gravest first. Raises `SourceError` when it can't look at it; a file that does
    not parse has no issues."""
    text = decode_source(content)
    try:
        parse(text)
    except SyntaxError:
        return []
    lines = text.split("\n")
    in_tests = TEST_FILE.search(path) is not None
    found = [
        Issue(
            str(raw.test_id),
            int(raw.lineno or 0),
            raw.severity == "HIGH" and raw.confidence == "HIGH",
            str(raw.text).rstrip("."),
            _snippet(lines, raw),
        )
        for raw in _visit(path, text)
        if not raw.test_id.startswith(_NEVER) and not (in_tests and raw.test_id in _NOT_IN_TESTS)
    ]
    return sorted(dict.fromkeys(found), key=lambda issue: (not issue.grave, issue.line, issue.test))


def _page(test: str) -> str:
    """Where bandit's documentation tells of a test."""
    from bandit.core import docs_utils  # type: ignore[import-untyped]

    return str(docs_utils.get_url(test))


def _visit(path: str, text: str) -> list[Any]:
    """Bandit's raw results."""
    from bandit.core import meta_ast, metrics, node_visitor

    visitor = node_visitor.BanditNodeVisitor(
        path, io.BytesIO(text.encode()), meta_ast.BanditMetaAst(), _tests(), False, {}, metrics.Metrics()
    )
    visitor.metrics.begin(path)
    try:
        visitor.process(text)
    except (RecursionError, MemoryError):
        raise SourceError("it is nested too deeply") from None
    except (ValueError, UnicodeError) as error:
        raise SourceError(str(error)) from None
    return list(visitor.tester.results)


@cache
def _tests() -> Any:
    """Bandit's own set of tests, with its defaults; no project's configuration is read."""
    from bandit.core import config, test_set

    for name in ("bandit", "stevedore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return test_set.BanditTestSet(config.BanditConfig())


def _snippet(lines: list[str], raw: Any) -> str:
    numbers = [number for number in raw.linerange if 0 < number <= len(lines)][:20] or [raw.lineno or 1]
    return "".join("".join(lines[number - 1].split()) for number in numbers if number <= len(lines))
