"""Paragraphs in columns of fixed width."""

from collections.abc import Iterator


def break_lines(text: str, width: int) -> Iterator[list[str]]:
    """The words line by line; a word that is longer than the width is cut."""
    if width < 1:
        raise ValueError("no width")
    line: list[str] = []
    used = 0
    for word in text.split():
        while len(word) > width:
            if line:
                yield line
            yield [word[:width]]
            word, line, used = word[width:], [], 0
        needed = len(word) + (1 if line else 0)
        if used + needed > width:
            yield line
            line, used, needed = [], 0, len(word)
        line.append(word)
        used += needed
    if line:
        yield line


def justify(words: list[str], width: int) -> str:
    """The words on a line of the full width, more space further left; a single word stands at the left."""
    if len(words) == 1:
        return words[0]
    spaces = width - sum(map(len, words))
    gap, extra = divmod(spaces, len(words) - 1)
    out = words[0]
    for index, word in enumerate(words[1:]):
        out += " " * (gap + (1 if index < extra else 0)) + word
    return out


def layout(text: str, width: int, align: str = "left") -> list[str]:
    """The lines of a paragraph: left, right, center or full, where the last line stays as it is."""
    lines = list(break_lines(text, width))
    out = []
    for number, words in enumerate(lines, start=1):
        plain = " ".join(words)
        if align == "full" and number < len(lines):
            plain = justify(words, width)
        elif align == "right":
            plain = plain.rjust(width)
        elif align == "center":
            plain = " " * ((width - len(plain)) // 2) + plain
        out.append(plain)
    return out


def side_by_side(left: list[str], right: list[str], gap: int = 3) -> list[str]:
    """Two columns next to each other, without spaces at the ends of lines."""
    width = max(map(len, left), default=0)
    rows = max(len(left), len(right))
    out = []
    for row in range(rows):
        one = left[row] if row < len(left) else ""
        other = right[row] if row < len(right) else ""
        out.append((one.ljust(width + gap) + other).rstrip())
    return out
