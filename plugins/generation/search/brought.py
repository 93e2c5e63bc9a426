"""Operators as contributions: the catalogue for whoever asks for it, and those of other plugins for the search."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator

import msgspec

from treadle.core import contributions
from treadle.core.context import Context
from treadle.core.contributions import Change, Contribution
from treadle.core.counting import counted
from treadle.plugins.generation.search.candidates import Brought, sites, speaks_against, statements
from treadle.plugins.generation.search.operators import OPERATORS, Operator, Surroundings
from treadle.plugins.generation.search.source import Edit, SourceFile, Splice, Suspicious, load

MOST = 1000
"""Edits of one operator of another plugin in one file that are tried; and what ours propose for another plugin."""
MOST_SOURCE = 256_000
"""Characters of a source for which ours propose anything to another plugin."""

_OURS = {operator.name: operator for operator in OPERATORS}


def described() -> tuple[Contribution, ...]:
    """The catalogue as descriptors."""
    return tuple(contributions.Operator(name=o.name, summary=o.summary, cost=o.cost) for o in OPERATORS)


def proposed(name: str, arguments: dict[str, object]) -> tuple[tuple[Change, ...], ...] | None:
    """What the catalogue's operator of that name proposes for the statements that begin on those lines: the first
    `MOST`, and nothing for a source, or lines, that are far too many."""
    operator, source = _OURS.get(name), str(arguments["source"])
    lines = frozenset(msgspec.convert(arguments["lines"], tuple[int, ...]))
    if len(source) > MOST_SOURCE or len(lines) > MOST:
        return ()
    file = load(str(arguments["path"]), source.encode(errors="replace"))
    if operator is None or file is None:
        return None
    around = Surroundings(file)
    chosen = (statement for statement in statements(file.tree) if statement.lineno in lines)
    nodes = (site for statement in chosen for site in sites(around, statement) if isinstance(site.node, operator.kinds))
    edits = (edit for site in nodes for edit in operator.propose(site.node, site))
    return tuple(
        tuple(Change(start=s.start, end=s.end, text=s.text) for s in edit.splices)
        for edit in itertools.islice(edits, MOST)
    )


def by_other_plugins(files: Suspicious, context: Context) -> tuple[Brought, ...]:
    """What operators of other plugins propose for the suspicious statements of these files."""
    others = [o for o in context.contributions("operator") if isinstance(o, contributions.Operator)]
    found: list[Brought] = []
    for other in others:
        if other.name in _OURS:
            continue
        operator = Operator(other.name, other.cost, other.summary, "", "", (), lambda node, site: iter(()))
        asked, dropped = 0, Counter[str]()
        for place, (file, scores) in enumerate(files):
            lines = tuple(sorted({statement.lineno for statement, score in scores.items() if score}))
            answer = context.call("operator", other.name, {"path": file.path, "source": file.text, "lines": lines})
            edits = msgspec.convert(answer, tuple[tuple[Change, ...], ...]) if answer else ()
            asked += len(edits)
            dropped["are more than are tried"] += len(edits[MOST:])
            found += (Brought(place, *each) for each in _usable(file, scores, edits[:MOST], operator, dropped))
        if told := ", ".join(f"{number} {why}" for why, number in dropped.items() if number):
            context.note(
                f"of the {counted(asked, 'proposal')} of the operator {other.name!r} some are not tried: {told}"
            )
    return tuple(found)


def _usable(
    file: SourceFile,
    scores: dict[ast.stmt, float],
    edits: tuple[tuple[Change, ...], ...],
    operator: Operator,
    dropped: Counter[str],
) -> Iterator[tuple[ast.stmt, Operator, Edit]]:
    """The edits that can be made, each with the innermost suspicious statement in which its first change begins; the
    others are counted by what is wrong with them."""
    spans = sorted((file.span(s)[1] - file.span(s)[0], s.lineno, s) for s, score in scores.items() if score)
    for changes in edits:
        splices = tuple(Splice(c.start, c.end, c.text) for c in sorted(changes, key=lambda c: (c.start, c.end)))
        if not splices:
            dropped["change nothing"] += 1
            continue
        if not _fits(splices, len(file.text)):
            dropped["overlap or reach out of the file"] += 1
            continue
        start = splices[0].start
        around = next((s for _, _, s in spans if file.span(s)[0] <= start <= file.span(s)[1]), None)
        if around is None:
            dropped["begin in no suspicious line"] += 1
        elif why := speaks_against(file, around, operator, edit := Edit(splices)):
            dropped[why] += 1
        else:
            yield around, operator, edit


def _fits(splices: tuple[Splice, ...], length: int) -> bool:
    places = [0, *(place for splice in splices for place in (splice.start, splice.end)), length]
    return places == sorted(places)
