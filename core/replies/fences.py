"""Reading the Markdown of a model's reply line by line: prose, fenced blocks, SEARCH/REPLACE edits, patches.

Fences follow CommonMark 0.31 (section 4.5) where models do: three or more backticks or tildes, closed by at least as
many of the same, the opening's indentation stripped from the content. They may stand in lists and block quotes. What a
reasoning model thinks aloud between tags such as `<think>` is left out, with whatever fences it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from treadle.core.replies.marked_edits import BEGIN_PATCH, SEARCH, Edit, Patch, PendingEdit, PendingPatch
from treadle.core.replies.tagged_files import OPENS, TaggedFile, tagged_file

# No blank can be taken in two ways: of a line with many `>` all of them would be tried, for hours.
_OPENING = re.compile(
    r"^(?P<quote>(?:[ ]{0,3}>(?:[ ]{0,4}>)*[ ]?)?)(?P<indent>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ ]+)?)"
    r"(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$"
)
_QUOTE = re.compile(r" {0,3}> ?")
_THINKING = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_THOUGHT_OPENS = re.compile(rf"\s*<{_THINKING}>", re.IGNORECASE)
_THOUGHT_CLOSES = re.compile(rf"</{_THINKING}>", re.IGNORECASE)
_THOUGHT_TAG = re.compile(rf"</?{_THINKING}>", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?\s*[\"']?(?P<end>\w+)[\"']?\s*$")


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


@dataclass
class _Open:
    line: int
    info: str
    fence: str
    quotes: int
    indent: int
    above: str
    content: list[str] = field(default_factory=list)
    edits: int = 0
    ends_with: str = ""
    """What ends the text that is given to a command in it."""


class UnclosedThought(ValueError):
    """The reply ends inside a thinking tag."""


def read_parts(reply: str) -> Iterator[Part]:
    """The parts of a reply, in order. Raises `UnclosedThought` when it ends while the model still thinks."""
    lines, thinking = _without_thoughts(reply.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    if thinking:
        raise UnclosedThought("the reply ends before the closing tag of its thoughts")
    return _parts(lines)


def said_and_thought(reply: str) -> tuple[str, str]:
    """What a reply says, and what its model has thought aloud before. A thought without an end is one to the end of the
    reply. Tags further on are of what it says, such as the text of a file."""
    thoughts: list[str] = []
    at = 0
    while opens := _THOUGHT_OPENS.match(reply, at):
        closes = _THOUGHT_CLOSES.search(reply, opens.end())
        thoughts.append(reply[opens.end() : closes.start() if closes else len(reply)].strip())
        at = closes.end() if closes else len(reply)
    if thoughts:
        return reply[at:].strip("\r\n"), "\n".join(thoughts)
    first = _THOUGHT_TAG.search(reply)
    if first is None or not first[0].startswith("</"):
        return reply, ""
    lines = reply.replace("\r\n", "\n").split("\n")
    kept = _after_bare_closing_tag(list(lines))
    said = "\n".join(line for line in kept if line is not None)
    thought = "\n".join(line for line, stays in zip(lines, kept, strict=True) if stays is None)
    return (said.strip("\n"), thought.strip()) if thought else (reply, "")


def _without_thoughts(lines: list[str]) -> tuple[list[str | None], bool]:
    """The lines, None for those that are thoughts (so that line numbers stay), and whether the last thought goes on."""
    kept: list[str | None] = []
    thinking = False
    fence: _Open | None = None
    for number, line in enumerate(lines, 1):
        rest: str | None = line
        while rest is not None:
            if thinking:
                closes = _THOUGHT_CLOSES.search(rest)
                thinking = closes is None
                rest = rest[closes.end() :] if closes else None
            elif fence is None and (opens := _THOUGHT_OPENS.match(rest)):
                thinking = True
                rest = rest[opens.end() :]
            else:
                break
        if rest is not None:
            fence = _opening(number, rest, "") if fence is None else None if _closes(fence, rest) else fence
            kept.append(rest if rest or not line else None)
        else:
            kept.append(None)
    return _after_bare_closing_tag(kept), thinking


def _after_bare_closing_tag(lines: list[str | None]) -> list[str | None]:
    """Some chat templates swallow the opening tag: what stands before a closing tag on a line of its own, outside of
    any fence, is then a thought too."""
    fence: _Open | None = None
    last = -1
    for index, line in enumerate(lines):
        if line is None:
            continue
        if fence is not None:
            fence = None if _closes(fence, line) else fence
        elif closes := _THOUGHT_CLOSES.match(line.strip()):
            lines[index] = line.strip()[closes.end() :]
            last = index
            fence = _opening(index + 1, lines[index] or "", "")
        else:
            fence = _opening(index + 1, line, "")
    return [None if index < last else line for index, line in enumerate(lines)]


def _opening(number: int, line: str, above: str) -> _Open | None:
    match = _OPENING.match(line)
    if match is None:
        return None
    return _Open(
        line=number,
        info=match["info"].strip(),
        fence=match["fence"],
        quotes=match["quote"].count(">"),
        indent=len(match["indent"].expandtabs(4)),
        above=above,
    )


def _closes(fence: _Open, line: str) -> bool:
    text = _content_line(fence, line).expandtabs(4)
    bare = text.strip(" ")
    indent = len(text) - len(text.lstrip(" "))
    return indent <= 3 and len(bare) >= len(fence.fence) and not bare.strip(fence.fence[0])


def _quotes_end(line: str, most: int) -> int:
    """Where the signs of quotes end with which the line begins."""
    at = 0
    for _ in range(most):
        sign = _QUOTE.match(line, at)
        if sign is None:
            break
        at = sign.end()
    return at


def _content_line(fence: _Open, line: str) -> str:
    line = line[_quotes_end(line, fence.quotes) :]
    stripped = 0
    while stripped < fence.indent and line[:1] in (" ", "\t"):
        width = 1 if line[0] == " " else 4 - stripped % 4
        stripped += width
        line = line[1:]
    return line


def _parts(lines: Sequence[str | None], *, within_tag: bool = False) -> Iterator[Part]:
    prose: list[str] = []
    prose_line = 1
    above = ""
    fence: _Open | None = None
    pending: PendingEdit | PendingPatch | _PendingTag | None = None
    for number, raw in enumerate(lines, 1):
        if raw is None:
            continue
        line = raw if fence is None else _content_line(fence, raw)
        if pending is not None:
            if not pending.take(line):
                yield from pending.done(closed=True)
                pending = None
            continue
        if SEARCH.match(line) and (fence is None or _only_a_name(fence.content)):
            hint = next((text for text in reversed(fence.content) if text.strip()), "") if fence else ""
            pending = PendingEdit(number, fence.info if fence else "", hint or (fence.above if fence else above))
            if fence is None:
                if prose:
                    yield Prose(prose_line, tuple(prose))
                prose, above = [], ""
            else:
                fence.edits += 1
                fence.content.clear()
            continue
        if BEGIN_PATCH.match(line) and (fence is None or _only_a_name(fence.content)):
            pending = PendingPatch(number)
            if fence is not None:
                heredoc = _HEREDOC.search(next((text for text in reversed(fence.content) if text.strip()), ""))
                fence.ends_with = heredoc["end"] if heredoc else ""
                fence.edits += 1
                fence.content.clear()
            elif prose:
                yield Prose(prose_line, tuple(prose))
                prose, above = [], ""
            continue
        if fence is None and not within_tag and (tag := OPENS.fullmatch(line)):
            if prose:
                yield Prose(prose_line, tuple(prose))
            prose, above = [], ""
            pending = _PendingTag(number, tag["tag"])
            if not pending.take(tag["rest"]):
                yield from pending.done(closed=True)
                pending = None
            continue
        if fence is None:
            fence = _opening(number, line, above)
            if fence is None:
                if not prose:
                    prose_line = number
                prose.append(line)
                above = line if line.strip() else above
            elif prose:
                yield Prose(prose_line, tuple(prose))
                prose = []
        elif _closes(fence, raw):
            if not fence.edits or any(text.strip() for text in fence.content):
                yield _block(fence, closed=True)
            fence, above = None, ""
        elif not (fence.ends_with and line.strip() == fence.ends_with):
            fence.content.append(line)
    if pending is not None:
        yield from pending.done(closed=False)
    if fence is not None:
        yield _block(fence, closed=False)
    elif prose:
        yield Prose(prose_line, tuple(prose))


def _only_a_name(content: list[str]) -> bool:
    """Whether a fence has held nothing so far but, at most, the line that names the file to edit."""
    return sum(bool(line.strip()) for line in content) <= 1


def _block(fence: _Open, closed: bool) -> Block:
    return Block(fence.line, fence.info, fence.fence, fence.above, tuple(fence.content), closed, fence.edits > 0)


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
        found = tagged_file(self._lines) if closed else None
        if not closed:
            yield Patch(self._line, (), closed=False, end=self._end)
        elif found is None:
            yield Prose(self._line, (f"<{self._tag}>", *self._lines, self._end))
        elif found.is_whole:
            longest = max((len(line) - len(line.lstrip("`")) for line in map(str.strip, found.lines)), default=0)
            yield Block(self._line, f'path="{found.path}"', "`" * max(3, longest + 1), "", found.lines, closed=True)
        else:
            yield from self._edits(found)

    def _edits(self, found: TaggedFile) -> Iterator[Part]:
        for part in _parts(found.lines, within_tag=True):
            if isinstance(part, Edit | Block):
                yield replace(part, line=self._line, above=found.path)
            elif isinstance(part, Prose) and any(map(str.strip, part.lines)):
                yield Block(self._line, "diff", "```", found.path, part.lines, closed=True)
