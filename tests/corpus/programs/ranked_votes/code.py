"""Counting votes: by the first choice, by points, and by runoff."""

from __future__ import annotations

from collections import Counter

Ballot = list[str]


class InvalidBallot(ValueError):
    """A ballot that names somebody twice or somebody who doesn't stand."""


def check(ballots: list[Ballot], candidates: set[str]) -> list[Ballot]:
    """The ballots that aren't empty; InvalidBallot for one that doesn't count."""
    for number, ballot in enumerate(ballots, start=1):
        if len(set(ballot)) != len(ballot):
            raise InvalidBallot(f"ballot {number} names somebody twice")
        strangers = set(ballot) - candidates
        if strangers:
            raise InvalidBallot(f"ballot {number}: {', '.join(sorted(strangers))}")
    return [ballot for ballot in ballots if ballot]


def plurality(ballots: list[Ballot]) -> list[str]:
    """Those who are first on most ballots, sorted."""
    counts = Counter(ballot[0] for ballot in ballots)
    most = max(counts.values(), default=0)
    return sorted(name for name, count in counts.items() if count == most)


def borda(ballots: list[Ballot], candidates: set[str]) -> dict[str, int]:
    """Points by name, highest first: the last of n places gives 0 and the first n - 1; those left out get none."""
    points = dict.fromkeys(candidates, 0)
    for ballot in ballots:
        for place, name in enumerate(ballot):
            points[name] += len(candidates) - 1 - place
    return dict(sorted(points.items(), key=lambda item: (-item[1], item[0])))


def runoff(ballots: list[Ballot], candidates: set[str]) -> tuple[str, list[str]]:
    """The winner, and those who were taken out one after the other.

    In each round the one with the fewest first choices goes, of equals the last in the alphabet, until one has more
    than half of the ballots that still name anybody.
    """
    if not candidates:
        raise ValueError("nobody stands")
    standing = set(candidates)
    gone = []
    while True:
        counts = dict.fromkeys(standing, 0)
        for ballot in ballots:
            choice = next((name for name in ballot if name in standing), None)
            if choice is not None:
                counts[choice] += 1
        total = sum(counts.values())
        leader = min(counts, key=lambda name: (-counts[name], name))
        if len(standing) == 1 or counts[leader] * 2 > total:
            return leader, gone
        fewest = min(counts.values())
        loser = max(name for name in standing if counts[name] == fewest)
        standing.remove(loser)
        gone.append(loser)
