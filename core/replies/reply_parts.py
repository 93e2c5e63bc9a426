"""What a model's reply is made of: prose, fenced blocks, SEARCH/REPLACE edits, patches."""

from __future__ import annotations

from dataclasses import dataclass

from treadle.core.replies.marked_edits import Edit, Patch


@dataclass(frozen=True)
class Block:
    """A fenced block. `line` is its opening's line in the reply (from 1), `above` the last line of prose before it,
    `content` its lines, each without a line break. `fence` is the opening run of backticks or tildes. `mixed`: it holds
    other lines after SEARCH/REPLACE edits."""

    line: int
    info: str
    fence: str
    above: str
    content: tuple[str, ...]
    closed: bool
    mixed: bool = False
    apart: bool = True
    """Whether a blank line begins the prose before it, as below the end of another fence it does."""
    holds_fences: bool = False
    """Whether it is Markdown, and fences in it that are as long as its own were told apart from its end."""

    @property
    def where(self) -> str:
        """Where in the reply it stands, in words."""
        return f"the block on line {self.line} of the reply"

    @property
    def text(self) -> str:
        """The content as a file's text: every line ended by a line feed."""
        return "".join(f"{line}\n" for line in self.content)


@dataclass(frozen=True)
class Prose:
    """Lines that are in no fence."""

    line: int
    lines: tuple[str, ...]


Part = Block | Edit | Patch | Prose
