"""Whether people can be split into two teams in which no rivals meet."""

from collections import defaultdict, deque


def rivals_of(pairs):
    """Each person's rivals, from pairs of rivals."""
    rivals = defaultdict(set)
    for one, other in pairs:
        rivals[one].add(other)
        rivals[other].add(one)
    return rivals


def split(people, pairs):
    """Two sorted teams, or None if it can't be done.

    Of each group of people who are tied by rivalry, the first in `people` is in the first team. Pairs may name only
    people of the list; anyone else is a KeyError.
    """
    rivals = rivals_of(pairs)
    for person in rivals:
        if person not in people:
            raise KeyError(person)
    team = {}
    for person in people:
        if person in team:
            continue
        team[person] = 0
        queue = deque([person])
        while queue:
            current = queue.popleft()
            for rival in rivals.get(current, ()):
                if rival not in team:
                    team[rival] = 1 - team[current]
                    queue.append(rival)
                elif team[rival] == team[current]:
                    return None
    first = sorted(person for person, side in team.items() if side == 0)
    second = sorted(person for person, side in team.items() if side == 1)
    return first, second
