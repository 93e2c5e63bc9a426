"""The order of the candidates, made as it is needed: proposing every edit of a project takes longer than trying the
first ones.

It is a function of the files, the suspicion of their lines and the lessons. The edits of each operator are ordered by
cost - 2 * suspicion, ties broken by site: so none is asked for its edits before its turn. Among the operators, the next
edit of one costs the more, the more of its edits have come before: that none of them was the repair says that the fault
is hardly of its kind. So no operator that has much to propose keeps the others waiting. Ties are broken by place in the
catalogue.
"""

from __future__ import annotations

import ast
import heapq
import itertools
import math
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
REPEATED_COST = 0.1
"""What an operator's next edit costs more each time that twice as many of its edits have come before."""

_Site = tuple[float, int, int, ast.stmt, Site]
"""What an operator's edits come before at least, which site it is of all, the place of its file among the others, its
statement, and the site itself."""
_Waiting = tuple[int, int, ast.stmt, Edit]
"""Which site it is made at, the place of the file among the others, the statement, and the edit."""
_Ordered = tuple[int, int, str, int, _Waiting]
"""What is ordered by its site, by where in the text it begins, by what it puts there, and as it came."""


class _Turns:
    """The edits of one operator in their own order; they are proposed site by site, as late as that can be."""

    def __init__(self, operator: Operator, discount: float, repeated_cost: float) -> None:
        self.operator = operator
        self.sites: list[_Site] = []
        """Where it is still to propose something, the first last."""
        self._discount = discount
        self._repeated_cost = repeated_cost
        # What waits, by its priority, and the priorities: most of it is never taken, and so is put in no further order.
        self._waiting: dict[float, list[_Waiting]] = {}
        self._priorities: list[float] = []
        self._next: list[_Ordered] = []
        self._next_priority = 0.0
        self._given = 0
        self._number = itertools.count()

    def priority(self, suspicion: float, extra: float = 0.0) -> float:
        """Where such an edit would stand, were it the first."""
        return round(self.operator.cost - self._discount + extra - SUSPICION_WEIGHT * suspicion, 6)

    def add(self, place: int, statement: ast.stmt, suspicion: float, edit: Edit, turn: int = 0) -> None:
        """Put one edit among those that wait."""
        each = (turn, place, statement, edit)
        priority = self.priority(suspicion, edit.extra)
        if self._next and priority == self._next_priority:
            heapq.heappush(self._next, self._in_order(each))
            return
        waiting = self._waiting.get(priority)
        if waiting is None:
            waiting = self._waiting[priority] = []
            heapq.heappush(self._priorities, priority)
        waiting.append(each)

    def is_known(self) -> bool:
        """Whether no site that is left can have an edit that comes before all that wait; puts those of them in order
        that come first."""
        if not self._next:
            if not self._priorities or (self.sites and self.sites[-1][0] < self._priorities[0]):
                return False
            self._next_priority = heapq.heappop(self._priorities)
            self._next = [self._in_order(each) for each in self._waiting.pop(self._next_priority)]
            heapq.heapify(self._next)
        return not self.sites or self.sites[-1][:2] > (self._next_priority, self._next[0][0])

    def at_best(self) -> float | None:
        """What the next edit can stand at, with what was given before it; None when there is none."""
        least = [self._next_priority] if self._next else [*self._priorities[:1], *(site[0] for site in self.sites[-1:])]
        return round(min(least) + self._repeated_cost * math.log2(1 + self._given), 6) if least else None

    def take(self) -> _Waiting:
        """The next edit; ask `is_known` before."""
        self._given += 1
        return heapq.heappop(self._next)[-1]

    def _in_order(self, each: _Waiting) -> _Ordered:
        turn, _, _, edit = each
        start, text = min(s.start for s in edit.splices), "\0".join(s.text for s in edit.splices)
        return turn, start, text, next(self._number), each


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
        repeated_cost: float = REPEATED_COST,
    ) -> None:
        self._files = files
        self._hints = hints
        discounts = _discounts(lessons)
        operators = dict.fromkeys((*OPERATORS, *(each.operator for each in brought)))
        self._turns = [_Turns(each, discounts.get(each.name, 0.0), repeated_cost) for each in operators]
        self._find_sites()
        self.found = 0
        numbers = {operator: number for number, operator in enumerate(operators)}
        for each in brought:
            self._add(numbers[each.operator], each.place, each.statement, each.edit)

    def __iter__(self) -> Iterator[Proposal]:
        best = [
            (at_best, number) for number, turns in enumerate(self._turns) if (at_best := turns.at_best()) is not None
        ]
        heapq.heapify(best)
        while best:
            priority, number = best[0]
            turns = self._turns[number]
            if turns.is_known():
                _, place, statement, edit = turns.take()
                file, scores = self._files[place]
                yield Proposal(file, edit, turns.operator, statement, priority, scores.get(statement, 0.0))
            else:
                self._propose(number)
            at_best = turns.at_best()
            if at_best is None:
                heapq.heappop(best)
            else:
                heapq.heapreplace(best, (at_best, number))

    def count(self, most: int) -> int:
        """How many there are; at least `most` when there are more."""
        left = [(turns.sites[-1][0], number) for number, turns in enumerate(self._turns) if turns.sites]
        heapq.heapify(left)
        while left and self.found < most:
            _, number = heapq.heappop(left)
            self._propose(number)
            if sites := self._turns[number].sites:
                heapq.heappush(left, (sites[-1][0], number))
        return self.found

    def _find_sites(self) -> None:
        turn = itertools.count()
        for place, (file, scores) in enumerate(self._files):
            around = Surroundings(file, self._hints)
            for statement in statements(file.tree):
                if not scores.get(statement):
                    continue
                least = [turns.priority(scores[statement]) for turns in self._turns]
                for site in sites(around, statement):
                    for number, operator in enumerate(OPERATORS):
                        if isinstance(site.node, operator.kinds):
                            self._turns[number].sites.append((least[number], next(turn), place, statement, site))
        for turns in self._turns:
            turns.sites.sort(key=lambda site: site[:2], reverse=True)

    def _propose(self, number: int) -> None:
        """Have an operator propose its edits at the next site."""
        _, turn, place, statement, site = self._turns[number].sites.pop()
        for edit in OPERATORS[number].propose(site.node, site):
            self._add(number, place, statement, edit, turn)

    def _add(self, number: int, place: int, statement: ast.stmt, edit: Edit, turn: int = 0) -> None:
        self._turns[number].add(place, statement, self._files[place][1].get(statement, 0.0), edit, turn)
        self.found += 1


def _discounts(lessons: tuple[Lesson, ...]) -> dict[str, float]:
    discounts: dict[str, float] = {}
    for lesson in lessons:
        for name in lesson.remedy.split(AND):
            rate = min(1.0, lesson.successes / lesson.uses) if lesson.uses else 0.0
            discounts[name] = max(discounts.get(name, 0.0), LESSON_DISCOUNT * (1.0 + rate))
    return discounts
