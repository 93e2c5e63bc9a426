"""Marks of a class: weighted averages, grades and who needs help."""

from collections import defaultdict
from itertools import pairwise
from statistics import fmean

GRADES = ((90, "A"), (80, "B"), (70, "C"), (60, "D"))


class GradeBook:
    """Points in percent by pupil and kind of test; kinds have weights."""

    def __init__(self, weights=None, drop_lowest=()):
        self.weights = dict(weights or {})
        self.drop_lowest = frozenset(drop_lowest)
        self._points = defaultdict(lambda: defaultdict(list))

    def record(self, pupil, kind, points):
        """Write points down; ValueError unless they are from 0 to 100."""
        if not 0 <= points <= 100:
            raise ValueError(f"{points} is not between 0 and 100")
        self._points[pupil][kind].append(points)

    def average(self, pupil, kind=None):
        """The average of a kind, or of all kinds by their weights (1 unless set); None without points.

        The lowest points are left out of kinds for which that is so, if there are any others.
        """
        if pupil not in self._points:
            return None
        if kind is not None:
            points = sorted(self._points[pupil].get(kind, []))
            if kind in self.drop_lowest and len(points) > 1:
                points = points[1:]
            return fmean(points) if points else None
        total = weights = 0
        for each in self._points[pupil]:
            weight = self.weights.get(each, 1)
            total += weight * self.average(pupil, each)
            weights += weight
        return total / weights if weights else None

    def grade(self, pupil):
        """The letter of the average, F below all others; None without points."""
        average = self.average(pupil)
        if average is None:
            return None
        for least, letter in GRADES:
            if average >= least:
                return letter
        return "F"

    def ranking(self):
        """(pupil, average) pairs, the best first, then by name."""
        averages = [(pupil, self.average(pupil)) for pupil in self._points]
        return sorted(averages, key=lambda pair: (-pair[1], pair[0]))

    def distribution(self):
        """How many pupils have each grade, from A to F, with zeros."""
        counts = dict.fromkeys([letter for _, letter in GRADES] + ["F"], 0)
        for pupil in self._points:
            counts[self.grade(pupil)] += 1
        return counts

    def at_risk(self, below=60, falling=2):
        """Those whose average is too low, or whose points in a kind fell so many times on end; sorted."""
        found = set()
        for pupil, kinds in self._points.items():
            if self.average(pupil) < below:
                found.add(pupil)
            for points in kinds.values():
                falls = 0
                for before, after in pairwise(points):
                    falls = falls + 1 if after < before else 0
                    if falls >= falling:
                        found.add(pupil)
        return sorted(found)
