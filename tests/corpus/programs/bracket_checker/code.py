"""Whether the brackets of a text match."""

from typing import NamedTuple

PAIRS = {")": "(", "]": "[", "}": "{"}
CLOSING = {opening: closing for closing, opening in PAIRS.items()}


class Problem(NamedTuple):
    """What is wrong, with line and column from 1."""

    line: int
    column: int
    message: str


def first_problem(text: str, quotes: str = "\"'") -> Problem | None:
    """The first bracket that doesn't match, or the quote or bracket left open; None if all is well.

    Within quotes brackets don't count, and a backslash takes the meaning from what follows it.
    """
    stack = []
    quote = None
    line, column = 1, 0
    escaped = False
    for character in text:
        column += 1
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif quote is not None:
            if character == quote[0]:
                quote = None
        elif character in quotes:
            quote = (character, line, column)
        elif character in CLOSING:
            stack.append((character, line, column))
        elif character in PAIRS:
            if not stack:
                return Problem(line, column, f"{character} was never opened")
            opening, *_ = stack.pop()
            if opening != PAIRS[character]:
                return Problem(line, column, f"{CLOSING[opening]} was expected, not {character}")
        if character == "\n":
            line += 1
            column = 0
    if quote is not None:
        return Problem(quote[1], quote[2], "the quote is not closed")
    if stack:
        opening, line, column = stack[-1]
        return Problem(line, column, f"{opening} is not closed")
    return None


def deepest(text: str) -> int:
    """How deeply the brackets are nested at most."""
    depth = most = 0
    for character in text:
        if character in CLOSING:
            depth += 1
            most = max(most, depth)
        elif character in PAIRS:
            depth -= 1
    return most
