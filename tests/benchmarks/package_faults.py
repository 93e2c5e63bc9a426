"""One-line faults seeded into a real package: mistakes as the corpus has them, drawn by hashing, so that the same sdist
has the same faults everywhere.

A fault changes, leaves out or puts in one line of a source file. It counts when a test fails that passed, and the suite
still comes to its end with most of its tests passing. The kinds take turns, and of each the file with the fewest faults
is taken first.
"""

from __future__ import annotations

import difflib
import itertools
import warnings
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from tests.benchmarks.package_projects import Outcome, PackageProject, limit_of
from tests.corpus.code_text import Code, Edit
from tests.corpus.mistakes import MAKERS

SEED = "packages"
KINDS = tuple(MAKERS)
LEAST_PASSING = 0.5
"""The part of the tests that go on passing; with less the run has crashed as a whole."""
MOST_OF_A_MAKER = 8
"""Places of one transformation that are drawn from a package."""

Lines = tuple[int, int]
"""The first of some lines, from 0, and the first after them; twice the same where lines are missing."""


class PackageFault(msgspec.Struct, frozen=True):
    """One file's text with one line otherwise; `place` is where, in the faulty text. `limit_s`: how long the suite may
    take with it."""

    kind: str
    mistake: str
    path: str
    original: str
    text: str
    place: Lines
    failing: tuple[str, ...] = ()
    limit_s: float = 0.0


class Unchanged(msgspec.Struct, frozen=True):
    """A package without a fault: what its suite says, its sources, and the lines of them that the suite executes."""

    outcome: Outcome
    sources: dict[str, str]
    executed: dict[str, set[int]]


def faults_of(project: PackageProject, kept: Path) -> Iterator[PackageFault]:
    """The faults that count, as they are asked for, each tried on the package's own suite, whose outcomes are `kept`.
    Raises `ValueError` for a package that does not pass its tests as it is."""
    first = kept / "unchanged.json"
    if not first.exists():
        kept.mkdir(exist_ok=True)
        unchanged = Unchanged(project.suite(600.0), project.sources(), project.executed(600.0))
        first.write_bytes(msgspec.json.encode(unchanged))
    unchanged = msgspec.json.decode(first.read_bytes(), type=Unchanged)
    baseline = unchanged.outcome
    if not baseline.whole or baseline.failed:
        raise ValueError(f"{project.pinned.name} does not pass its own tests: {baseline.failed[:5]}")
    for path, text in unchanged.sources.items():
        write(project.folder / path, text)  # a run that was killed may have left a fault there
    drawn = {kind: list(_proposed(project.pinned.name, kind, unchanged)) for kind in KINDS}
    per_file: Counter[str] = Counter()
    seen: set[tuple[str, Lines]] = set()
    for kind in itertools.cycle(KINDS):
        if not any(drawn.values()):
            return
        while drawn[kind]:
            fault = min(drawn[kind], key=lambda f: per_file[f.path])  # the first drawn of those
            drawn[kind].remove(fault)
            if (fault.path, fault.place) in seen:
                continue
            seen.add((fault.path, fault.place))
            per_file[fault.path] += 1
            outcome = _outcome_of(project, fault, baseline, kept)
            if outcome.whole and outcome.failed and outcome.passed >= LEAST_PASSING * baseline.passed:
                yield msgspec.structs.replace(fault, failing=outcome.failed, limit_s=limit_of(baseline))
                break


def _outcome_of(project: PackageProject, fault: PackageFault, baseline: Outcome, kept: Path) -> Outcome:
    file = kept / f"{sha256(fault.text.encode()).hexdigest()}.json"
    if not file.exists():
        outcome = outcome_with(project, fault.path, fault.text, fault.original, limit_of(baseline))
        file.write_bytes(msgspec.json.encode(outcome))
    return msgspec.json.decode(file.read_bytes(), type=Outcome)


def outcome_with(project: PackageProject, path: str, text: str, original: str, limit_s: float) -> Outcome:
    """What the suite says with this text in the file's place, which gets its `original` back."""
    file = project.folder / path
    write(file, text)
    try:
        return project.suite(limit_s)
    finally:
        write(file, original)


def write(file: Path, text: str) -> None:
    """Exactly this text, line endings as they are."""
    file.write_bytes(text.encode())


def changed_lines(old: str, new: str) -> list[tuple[Lines, Lines]]:
    """Where two texts differ: lines of the old one with those that the new one has instead."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(True), new.splitlines(True), autojunk=False)
    return [((a, b), (c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _proposed(name: str, kind: str, unchanged: Unchanged) -> Iterator[PackageFault]:
    """One-line mistakes of a kind, in the order drawn, the transformations taking turns."""
    columns = []
    sources, executed = unchanged.sources, unchanged.executed
    codes = {path: Code(text) for path, text in sources.items() if executed.get(path)}
    for maker in sorted(MAKERS[kind], key=lambda m: _drawn(name, kind, m.__name__)):
        edits = sorted(
            {(path, edit) for path, code in codes.items() for edit in maker(code)},
            key=lambda each: _drawn(name, maker.__name__, each[0], *each[1]),
        )
        faults = (
            PackageFault(kind, maker.__name__, path, sources[path], edit.applied_to(sources[path]), place)
            for path, edit in edits
            if (place := _one_line(sources[path], edit, executed[path])) is not None
        )
        columns.append(list(itertools.islice(filter(_compiles, faults), MOST_OF_A_MAKER)))
    for row in itertools.zip_longest(*columns):
        yield from (fault for fault in row if fault is not None)


def _one_line(text: str, edit: Edit, executed: set[int]) -> Lines | None:
    """The line that the edit changes, or the place where it leaves one out, in the text that it makes; None where it
    changes several, or what no test executes."""
    start, end = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end) + 1 or len(text)
    old = text[start:end].splitlines(True)
    new = (text[start : edit.start] + edit.text + text[edit.end : end]).splitlines(True)
    first = text.count("\n", 0, start)
    if not executed & set(range(first + 1, first + len(old) + 1)):
        return None
    while old and new and old[0] == new[0]:
        del old[0], new[0]
        first += 1
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return (first, first + len(new)) if len(old) < 2 and len(new) < 2 and old + new else None


def _compiles(fault: PackageFault) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(fault.text, fault.path, "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


def _drawn(*what: object) -> bytes:
    return sha256("|".join(map(str, (SEED, *what))).encode()).digest()
