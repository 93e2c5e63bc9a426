"""The order of the candidates, made as it is needed: proposing every edit of a project takes longer than trying the
first ones.

It is a function of the files, the suspicion of their lines and the lessons: cost - 2 * suspicion, ties broken by place
in the text and place in the catalogue.
"""

from __future__ import annotations

import ast
import heapq
import itertools
from collections.abc import Iterator

from treadle.core.authorship import AND
from treadle.core.records import Lesson
from treadle.plugins.generation.search.candidates import Brought, Proposal, sites, statements
from treadle.plugins.generation.search.hints import NONE, Hints
from treadle.plugins.generation.search.operators import OPERATORS, Operator, Site, Surroundings
from treadle.plugins.generation.search.source import Edit, Suspicious

SUSPICION_WEIGHT = 2.0
LESSON_DISCOUNT = 0.3
"""Taken from the cost of an operator that a recalled lesson names, and as much again for a perfect success rate."""

_Waiting = tuple[int, ast.stmt, int, Operator, Edit, int]
"""The place of the file among the others, the statement, the operator's place in the catalogue, the operator, the edit,
and when it was the operator's turn at this site."""


class Proposals:
    """Every edit that the catalogue has for the suspicious statements, and those brought by other plugins, in the order
    in which they are to be tried. It can be gone through once. `found` counts those that have been proposed so far,
    whether or not they have been gone through."""

    def __init__(
        self,
        files: Suspicious,
        lessons: tuple[Lesson, ...] = (),
        brought: tuple[Brought, ...] = (),
        hints: Hints = NONE,
    ) -> None:
        self._files = files
        self._hints = hints
        self._discounts = _discounts(lessons)
        # Each operator at each site, with what its edits cost at least; the cheapest last, where it is taken from.
        self._left = sorted(self._everywhere(), key=lambda each: each[:2], reverse=True)
        # What waits, by its priority, and the priorities: most of it is never taken, and so is put in no further order.
        self._waiting: dict[float, list[_Waiting]] = {}
        self._priorities: list[float] = []
        self.found = 0
        for number, each in enumerate(brought, start=len(OPERATORS)):
            self._add(each.place, each.statement, number, each.operator, each.edit)

    def __iter__(self) -> Iterator[Proposal]:
        while self._left or self._priorities:
            # What costs less than all that is left can cost comes before all of it.
            while self._left and not (self._priorities and self._priorities[0] < self._left[-1][0]):
                self._propose()
            if self._priorities:
                priority = heapq.heappop(self._priorities)
                for each in sorted(self._waiting.pop(priority), key=_by_place):
                    place, statement, _, operator, edit, _ = each
                    file, scores = self._files[place]
                    yield Proposal(file, edit, operator, statement, priority, scores.get(statement, 0.0))

    def count(self, most: int) -> int:
        """How many there are; at least `most` when there are more."""
        while self._left and self.found < most:
            self._propose()
        return self.found

    def _everywhere(self) -> Iterator[tuple[float, int, int, ast.stmt, Site, int]]:
        turns = itertools.count()
        for place, (file, scores) in enumerate(self._files):
            around = Surroundings(file, self._hints)
            for statement in statements(file.tree):
                if not scores.get(statement):
                    continue
                for site in sites(around, statement):
                    for number, operator in enumerate(OPERATORS):
                        if isinstance(site.node, operator.kinds):
                            least = self._priority(operator, scores[statement])
                            yield least, next(turns), place, statement, site, number

    def _propose(self) -> None:
        """Have an operator propose its edits at a site."""
        _, turn, place, statement, site, number = self._left.pop()
        for edit in OPERATORS[number].propose(site.node, site):
            self._add(place, statement, number, OPERATORS[number], edit, turn)

    def _add(self, place: int, statement: ast.stmt, number: int, operator: Operator, edit: Edit, turn: int = 0) -> None:
        priority = self._priority(operator, self._files[place][1].get(statement, 0.0), edit.extra)
        waiting = self._waiting.get(priority)
        if waiting is None:
            waiting = self._waiting[priority] = []
            heapq.heappush(self._priorities, priority)
        waiting.append((place, statement, number, operator, edit, turn))
        self.found += 1

    def _priority(self, operator: Operator, suspicion: float, extra: float = 0.0) -> float:
        cost = operator.cost - self._discounts.get(operator.name, 0.0)
        return round(cost + extra - SUSPICION_WEIGHT * suspicion, 6)


def _by_place(each: _Waiting) -> tuple[int, int, int, str, int]:
    place, _, number, _, edit, turn = each
    return place, min(s.start for s in edit.splices), number, "\0".join(s.text for s in edit.splices), turn


def _discounts(lessons: tuple[Lesson, ...]) -> dict[str, float]:
    discounts: dict[str, float] = {}
    for lesson in lessons:
        for name in lesson.remedy.split(AND):
            rate = min(1.0, lesson.successes / lesson.uses) if lesson.uses else 0.0
            discounts[name] = max(discounts.get(name, 0.0), LESSON_DISCOUNT * (1.0 + rate))
    return discounts
