"""Patterns for names: * is any text, ? any character, [abc] one of some and [!abc] none of them."""


class BadPattern(ValueError):
    """A bracket that isn't closed."""


def parse(pattern: str) -> list[str]:
    """The pattern cut into its pieces: '*', '?', a bracket with its inside, or a character."""
    pieces = []
    index = 0
    while index < len(pattern):
        if pattern[index] == "[":
            end = pattern.find("]", index + 1)
            if end < 0:
                raise BadPattern(f"the bracket at {index} is not closed")
            pieces.append(pattern[index:end])
            index = end
        elif not (pattern[index] == "*" and pieces and pieces[-1] == "*"):
            pieces.append(pattern[index])
        index += 1
    return pieces


def _fits(piece: str, character: str) -> bool:
    if piece == "?":
        return True
    if piece.startswith("[!"):
        return character not in piece[2:]
    if piece.startswith("["):
        return character in piece[1:]
    return piece == character


def matches(name: str, pattern: str, ignore_case: bool = False) -> bool:
    """Whether the pattern fits the whole name."""
    if ignore_case:
        name, pattern = name.lower(), pattern.lower()
    pieces = parse(pattern)
    at = piece = 0
    star = resume = -1
    while at < len(name):
        if piece < len(pieces) and pieces[piece] == "*":
            star, resume = piece, at
            piece += 1
        elif piece < len(pieces) and _fits(pieces[piece], name[at]):
            at += 1
            piece += 1
        elif star >= 0:
            resume += 1
            at, piece = resume, star + 1
        else:
            return False
    return all(rest == "*" for rest in pieces[piece:])


def select(names: list[str], patterns: list[str]) -> list[str]:
    """The names that the last pattern to fit them takes in; a pattern after a - takes out."""
    chosen = []
    for name in names:
        taken = False
        for pattern in patterns:
            if matches(name, pattern.removeprefix("-")):
                taken = not pattern.startswith("-")
        if taken:
            chosen.append(name)
    return chosen
