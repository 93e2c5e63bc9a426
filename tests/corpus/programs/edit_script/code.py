"""What has to be done to a word to make another of it."""


def _costs(old, new):
    """A table of how many steps lie between each beginning of the one and of the other."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) + 1):
        table[i][0] = i
    for j in range(len(new) + 1):
        table[0][j] = j
    for i in range(1, len(old) + 1):
        for j in range(1, len(new) + 1):
            if old[i - 1] == new[j - 1]:
                table[i][j] = table[i - 1][j - 1]
            else:
                table[i][j] = 1 + min(table[i - 1][j - 1], table[i - 1][j], table[i][j - 1])
    return table


def distance(old, new):
    """The number of letters to change, add or take away."""
    return _costs(old, new)[len(old)][len(new)]


def script(old, new):
    """The steps as (what, letter) pairs: keep, change (to the letter), add or remove."""
    table = _costs(old, new)
    i, j = len(old), len(new)
    steps = []
    while i > 0 or j > 0:
        if i > 0 and j > 0 and old[i - 1] == new[j - 1]:
            steps.append(("keep", old[i - 1]))
            i, j = i - 1, j - 1
        elif i > 0 and j > 0 and table[i][j] == table[i - 1][j - 1] + 1:
            steps.append(("change", new[j - 1]))
            i, j = i - 1, j - 1
        elif i > 0 and table[i][j] == table[i - 1][j] + 1:
            steps.append(("remove", old[i - 1]))
            i -= 1
        else:
            steps.append(("add", new[j - 1]))
            j -= 1
    return steps[::-1]


def closest(word, known, limit=2):
    """The known words nearest to a word, at most `limit` steps away, in the order of the alphabet."""
    far = {other: distance(word, other) for other in known}
    nearest = min(far.values(), default=limit + 1)
    if nearest > limit:
        return []
    return sorted(other for other, steps in far.items() if steps == nearest)
