"""Reading a model's reply line by line: prose, fenced blocks, SEARCH/REPLACE edits, patches, files between tags.

What a reasoning model thinks aloud between tags such as `<think>` is left out, with whatever fences it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treadle.core.replies.fence_lines import opened_by
from treadle.core.replies.marked_edits import BEGIN_PATCH, SEARCH, Edit, Patch, PendingEdit, PendingPatch
from treadle.core.replies.open_block import OpenBlock
from treadle.core.replies.reply_parts import Block, Part, Prose
from treadle.core.replies.tagged_files import OPENS, TaggedFile, UnclearTag, tagged_file
from treadle.core.replies.thoughts import Thoughts, UnclosedThought, behind_bare_tag

_HEREDOC = re.compile(r"<<-?\s*[\"']?(?P<end>\w+)[\"']?\s*$")


def read_parts(reply: str) -> Iterator[Part]:
    """The parts of a reply, in order. Raises `UnclosedThought` when it ends while the model still thinks."""
    reader = _Reader()
    parts = reader.read(reply.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    if reader.thinks:
        raise UnclosedThought("the reply ends before the closing tag of its thoughts")
    return iter(parts)


def said_from(lines: Sequence[str]) -> tuple[int, str]:
    """The index of the line with which a reply begins, apart from a thought whose opening tag is lacking, and what is
    of that line."""
    reader = _Reader()
    reader.read(lines)
    return reader.said_from


class _Reader:
    """Reads the parts of a reply, or of what is `within_tag`, where thoughts and further tags are text."""

    def __init__(self, *, within_tag: bool = False) -> None:
        self._within_tag = within_tag
        self._parts: list[Part] = []
        self._prose: list[str] = []
        self._prose_line = 1
        self._above = ""
        self._open: OpenBlock | None = None
        self._pending: PendingEdit | PendingPatch | _PendingTag | None = None
        self._in_hunk = False
        """Whether the lines are those of a diff that is in no fence."""
        self._thoughts = Thoughts()
        self.said_from = (0, "")

    @property
    def thinks(self) -> bool:
        """Whether a thought has no end."""
        return self._thoughts.go_on

    def read(self, lines: Sequence[str]) -> list[Part]:
        """All parts of these lines."""
        self.said_from = (0, lines[0])
        for number, line in enumerate(lines, 1):
            if self._pending is not None:
                self._go_on(line if self._open is None else self._open.fence.content_of(line))
            elif self._open is not None:
                self._take_fenced(self._open, number, line)
            elif self._is_of_hunk(line):
                self._say(number, line)
            elif (said := line if self._within_tag else self._said(number, line)) is not None:
                self._take(number, said)
        if self._pending is not None:
            self._parts += self._pending.done(closed=False)
        if self._open is not None:
            self._parts.append(self._open.block(closed=False))
        self._end_prose()
        return self._parts

    def _said(self, number: int, line: str) -> str | None:
        """What a line says that stands in nothing else; None where it is a thought."""
        said = self._thoughts.said_in(line)
        if said is None or (behind := behind_bare_tag(said)) is None:
            return said
        self._parts, self._prose, self._above = [], [], ""
        self.said_from = (number - 1, behind)
        return behind

    def _is_of_hunk(self, line: str) -> bool:
        """Whether it goes on with a hunk: what is a mark elsewhere is a line of the file there."""
        self._in_hunk = not self._thoughts.go_on and (
            line.startswith("@@") or (self._in_hunk and line[:1] in ("+", "-", " ", "\\", ""))
        )
        return self._in_hunk

    def _take(self, number: int, line: str) -> None:
        """Take a line that stands in nothing else."""
        if SEARCH.match(line):
            self._pending = PendingEdit(number, "", self._above)
        elif BEGIN_PATCH.match(line):
            self._pending = PendingPatch(number)
        elif not self._within_tag and (tag := OPENS.fullmatch(line)):
            self._end_prose()
            self._pending = _PendingTag(number, tag["tag"])
            self._go_on(tag["rest"])
        elif fence := opened_by(line):
            is_apart = bool(self._prose) and not self._prose[0].strip()
            self._open = OpenBlock(number, fence, self._above, is_apart)
        else:
            self._say(number, line)
            return
        self._end_prose()

    def _take_fenced(self, block: OpenBlock, number: int, line: str) -> None:
        """Take a line within a fence, or at its end."""
        own = block.fence.content_of(line)
        if SEARCH.match(own) and block.may_hold_edits:
            self._pending = PendingEdit(number, block.fence.info, block.last or block.above)
            block.begin_edit()
        elif BEGIN_PATCH.match(own) and block.may_hold_edits:
            self._pending = PendingPatch(number)
            heredoc = _HEREDOC.search(block.last)
            block.ends_with = heredoc["end"] if heredoc else ""
            block.begin_edit()
        elif not block.is_within_inner(line) and block.fence.is_closed_by(line):
            if not block.edits or any(map(str.strip, block.content)):
                self._parts.append(block.block(closed=True))
            self._open, self._above = None, ""
        elif not (block.ends_with and own.strip() == block.ends_with):
            block.content.append(own)

    def _go_on(self, line: str) -> None:
        """Take a line of what was begun."""
        if self._pending is not None and not self._pending.take(line):
            self._parts += self._pending.done(closed=True)
            self._pending = None

    def _say(self, number: int, line: str) -> None:
        """Take a line of prose."""
        if not self._prose:
            self._prose_line = number
        self._prose.append(line)
        self._above = line if line.strip() else self._above

    def _end_prose(self) -> None:
        if self._prose:
            self._parts.append(Prose(self._prose_line, tuple(self._prose)))
        if self._open is None:
            self._above = ""
        self._prose = []


class _PendingTag:
    """A file between tags while its lines come in."""

    def __init__(self, line: int, tag: str) -> None:
        self._line, self._tag = line, tag
        self._end = f"</{tag}>"
        self._lines: list[str] = []

    def take(self, line: str) -> bool:
        """Add a line; False when the tag was closed at its end."""
        self._lines.append(line.rstrip().removesuffix(self._end))
        return not line.rstrip().endswith(self._end)

    def done(self, closed: bool) -> Iterator[Part]:
        """The file as a block, or the edits to it."""
        if not closed:
            yield Patch(self._line, (), wrong=f"was cut off, since {self._end} is missing: send it again, shorter")
            return
        try:
            found = tagged_file(self._tag, self._lines)
        except UnclearTag as error:
            yield Patch(self._line, (), wrong=str(error))
            return
        if found is None:
            yield Prose(self._line, (f"<{self._tag}>", *self._lines))
        elif found.is_whole:
            longest = max((len(line) - len(line.lstrip("`")) for line in map(str.strip, found.lines)), default=0)
            yield Block(self._line, f'path="{found.path}"', "`" * max(3, longest + 1), "", found.lines, closed=True)
        else:
            yield from self._edits(found)

    def _edits(self, found: TaggedFile) -> Iterator[Part]:
        for part in _Reader(within_tag=True).read(found.lines):
            if isinstance(part, Edit | Block):
                yield replace(part, line=self._line, above=found.path)
            elif isinstance(part, Patch):
                yield replace(part, line=self._line)
            elif any(map(str.strip, part.lines)):
                yield Block(self._line, "diff", "```", found.path, part.lines, closed=True)
