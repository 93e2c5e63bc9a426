"""Ranks in a competition: sorted by counting, with shared places."""


def counting_sort(values, highest):
    """The values sorted; each is a whole number from 0 to `highest`, or it's a ValueError."""
    counts = [0] * (highest + 1)
    for value in values:
        if not 0 <= value <= highest:
            raise ValueError(f"{value} is not between 0 and {highest}")
        counts[value] += 1
    out = []
    for value, count in enumerate(counts):
        out.extend([value] * count)
    return out


def ranks(scores):
    """Each name's place: equal scores share it, and as many places after it stay free."""
    places = {}
    ordered = sorted(scores, key=lambda name: (-scores[name], name))
    for index, name in enumerate(ordered):
        if index > 0 and scores[name] == scores[ordered[index - 1]]:
            places[name] = places[ordered[index - 1]]
        else:
            places[name] = index + 1
    return places


def dense_ranks(scores):
    """Each name's place, where no place stays free."""
    levels = sorted(set(scores.values()), reverse=True)
    return {name: levels.index(score) + 1 for name, score in scores.items()}


def podium(scores):
    """The names on the places 1, 2 and 3, as lines such as '1. ann, bob'."""
    lines = []
    places = ranks(scores)
    for place in (1, 2, 3):
        names = [name for name, own in places.items() if own == place]
        if names:
            lines.append(f"{place}. {', '.join(names)}")
    return lines
