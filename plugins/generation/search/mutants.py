"""A repair, changed once more where it changed something: what tests should notice."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from treadle.plugins.generation.search import candidates
from treadle.plugins.generation.search.ordering import Proposals
from treadle.plugins.generation.search.search import Search, Variant
from treadle.plugins.generation.search.source import SourceFile, Splice, load

RANK = 0
"""The rank of a mutant: it has no place in the search's order."""


def mutants(repair: Variant, search: Search, most: int) -> list[Variant]:
    """The first `most` mutants of the repair by what the catalogue would try first, each a change of a statement that
    the repair touches; none takes the repair back. What comes of one says nothing of the others of its operator."""
    loaded = (load(change.path, change.content or b"") for change in repair.changes)
    files = [(f, dict.fromkeys(touched(f, _new_spans(repair, f.path)), 1.0)) for f in loaded if f is not None]
    originals = {part.file.path: part.file.text for part in repair.parts}
    found = (
        _of_the_project(change, repair, search)
        for proposal, text in candidates.distinct(Proposals(tuple(files), repeated_cost=0.0))
        if text != originals[proposal.file.path] and (change := search.variant(RANK, (proposal,))) is not None
    )
    return list(itertools.islice(found, most))


def _of_the_project(mutant: Variant, repair: Variant, search: Search) -> Variant:
    """The mutant of one file as a change of the project's files, as the repair is."""
    own = {change.path: change.content for change in mutant.changes}
    changes = (msgspec.structs.replace(c, content=own.get(c.path, c.content)) for c in repair.changes)
    return replace(search.variant_of(RANK, mutant.parts, tuple(changes)), mutates=repair)


def _new_spans(repair: Variant, path: str) -> list[tuple[int, int]]:
    """Where in the repaired file the characters are that were put in."""
    splices = (s for part in repair.parts if part.file.path == path for s in part.edit.splices)
    spans = []
    moved = 0
    for splice in sorted(splices, key=_start):
        start = splice.start + moved
        spans.append((start, start + len(splice.text)))
        moved += len(splice.text) - (splice.end - splice.start)
    return spans


def _start(splice: Splice) -> int:
    return splice.start


def touched(file: SourceFile, spans: list[tuple[int, int]]) -> Iterator[ast.stmt]:
    """The innermost statements that these spans lie in, and those that lie in a span."""
    for statement in candidates.statements(file.tree):
        start, end = file.span(statement)
        inner = [file.span(s) for s in ast.walk(statement) if isinstance(s, ast.stmt) and s is not statement]
        for first, last in spans:
            overlaps = start <= max(first, last - 1) and first < end
            if overlaps and not any(a <= first and last <= b for a, b in inner):
                yield statement
                break
