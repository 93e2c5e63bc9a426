"""A fenced block of a reply while its lines come in."""

from __future__ import annotations

from dataclasses import dataclass, field

from treadle.core.replies.fence_lines import Fence, opened_by
from treadle.core.replies.naming import read_info
from treadle.core.replies.reply_parts import Block


@dataclass
class OpenBlock:
    """`content` are its lines so far, `edits` counts those that were in it."""

    line: int
    fence: Fence
    above: str
    apart: bool
    content: list[str] = field(default_factory=list)
    edits: int = 0
    ends_with: str = ""
    """What ends the text that is given to a command in it."""
    inner: Fence | None = None
    """One that is open in a text in Markdown."""
    holds_fences: bool = False

    @property
    def last(self) -> str:
        """The last line so far that says something."""
        return next((line for line in reversed(self.content) if line.strip()), "")

    @property
    def may_hold_edits(self) -> bool:
        """Whether it has held nothing so far but, at most, the line that names the file to edit."""
        return sum(bool(line.strip()) for line in self.content) <= 1

    def is_within_inner(self, line: str) -> bool:
        """Whether the line is of a fence within a Markdown text that is as long as the one around the text. CommonMark
        would end the text where that fence ends, and hardly a model means that. One with the name of a file may be the
        next part of the reply."""
        own = self.fence.content_of(line)
        if self.inner is not None:
            if self.inner.is_closed_by(own):
                self.inner = None
            return True
        opened = opened_by(own)
        if opened and opened.mark.startswith(self.fence.mark) and opened.info and self._takes(opened):
            self.inner, self.holds_fences = opened, True
        return self.inner is not None

    def _takes(self, inner: Fence) -> bool:
        return read_info(self.fence.info).language == "markdown" and not read_info(inner.info).path

    def begin_edit(self) -> None:
        """What it held so far was about the edit."""
        self.edits += 1
        self.content.clear()

    def block(self, *, closed: bool) -> Block:
        """The block that it is."""
        fence = self.fence
        held = tuple(self.content)
        return Block(
            self.line, fence.info, fence.mark, self.above, held, closed, self.edits > 0, self.apart, self.holds_fences
        )
