"""The lines that open and close the fences of Markdown, and what stands in the lines between.

They follow CommonMark 0.31 (section 4.5) where models do: three or more backticks or tildes, closed by at least as many
of the same, the opening's indentation stripped from the content. They may stand in lists and block quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# No blank can be taken in two ways: of a line with many `>` all of them would be tried, for hours.
_OPENING = re.compile(
    r"^(?P<quote>(?:[ ]{0,3}>(?:[ ]{0,4}>)*[ ]?)?)(?P<indent>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ ]+)?)"
    r"(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$"
)
_QUOTE = re.compile(r" {0,3}> ?")


@dataclass(frozen=True)
class Fence:
    """A line that opens a fence: `mark` is its run of backticks or tildes, `quotes` the signs of quotes before it."""

    mark: str
    info: str
    quotes: int
    indent: int

    def is_closed_by(self, line: str) -> bool:
        """Whether the line closes it."""
        text = self.content_of(line).expandtabs(4)
        bare = text.strip(" ")
        indent = len(text) - len(text.lstrip(" "))
        return indent <= 3 and len(bare) >= len(self.mark) and not bare.strip(self.mark[0])

    def content_of(self, line: str) -> str:
        """The line without what stands before the content."""
        line = line[_quotes_end(line, self.quotes) :]
        stripped = 0
        while stripped < self.indent and line[:1] in (" ", "\t"):
            width = 1 if line[0] == " " else 4 - stripped % 4
            stripped += width
            line = line[1:]
        return line


def opened_by(line: str) -> Fence | None:
    """The fence that a line opens."""
    match = _OPENING.match(line)
    if match is None:
        return None
    indent = len(match["indent"].expandtabs(4))
    return Fence(match["mark"], match["info"].strip(), match["quote"].count(">"), indent)


def _quotes_end(line: str, most: int) -> int:
    """Where the signs of quotes end with which the line begins."""
    at = 0
    for _ in range(most):
        sign = _QUOTE.match(line, at)
        if sign is None:
            break
        at = sign.end()
    return at
