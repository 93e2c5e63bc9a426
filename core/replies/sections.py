"""Several files in one fenced block, each below a line that is its path and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from treadle.core.replies.naming import is_never_a_file, language_of, path_comment, path_line, path_of, read_info
from treadle.core.replies.reply_parts import Block
from treadle.core.replies.wholeness import definitions

_COMMENT = re.compile(r"#|//|--|;|%|/\*|<!--")
_LONGEST_HEADING = 500
_AS_LINES = frozenset({"sh", "text", "txt", "plaintext", "plain", "log", "none", "diff", "markdown"})
"""Languages in which such a line is a command, a heading, or one of a list."""

OldText = Callable[[str], str | None]
"""What a file holds now that can be meant: "" for one that is to be made, None for any other."""


@dataclass(frozen=True)
class _Section:
    """A file's part of a block: the heading's index in it, or -1, and the lines below."""

    path: str
    heading: int
    content: tuple[str, ...]
    old: str | None

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.content)


def in_sections(block: Block, old_text: OldText) -> list[Block]:
    """The block as one for each file that it holds; the block itself where it does not plainly hold several.

    A file may speak of others in its comments, such as those that it tests. So there are several only where the first
    line, or the block's name, is the path of one, where two of them can be meant, and where each part may be its file.
    """
    language = read_info(block.info).language
    if block.mixed or language in _AS_LINES or is_never_a_file(language):
        return [block]
    sections = _sections(block, old_text)
    known = [section for section in sections if section.old is not None]
    if len({section.path for section in known}) < 2 or sections[0].old is None:
        return [block]
    own = sections[0].old.split("\n")
    if any(block.content[section.heading] in own for section in sections[1:]):
        return [block]
    strictly = sections[0].heading < 0
    if strictly and len({language_of(section.path) for section in sections}) > 1:
        return [block]
    if not all(_may_be(section, strictly) for section in sections):
        return [block]
    if definitions(block.text) is not None and any(definitions(each.text) is None for each in _python(sections)):
        return [block]
    return [
        replace(
            block,
            line=block.line + section.heading + 1,
            info=f'{language_of(section.path) or language} path="{section.path}"',
            content=section.content,
        )
        for section in sections
    ]


def _sections(block: Block, old_text: OldText) -> list[_Section]:
    """The parts of a block below their headings; none where there is something above the first."""
    lines = block.content
    start = 1 if lines and lines[0].startswith("#!") else 0
    headings = list(_headings(lines, start))
    if not headings or headings[0][0] > start:
        named = path_of(read_info(block.info), block.above, ())
        if named is None or named[1] not in ("info", "above"):
            return []
        headings.insert(0, (-1, named[0]))
        start = 0
    found: list[_Section] = []
    for (at, path), (end, _) in pairwise((*headings, (len(lines), ""))):
        content = _stripped((*lines[:start], *lines[at + 1 : end]) if not found else lines[at + 1 : end])
        found.append(_Section(path, at, content, old_text(path)))
    return found


def _headings(lines: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    for at, line in enumerate(lines):
        if at != start and (at < start or lines[at - 1].strip()):
            continue
        sign = _COMMENT.match(line[:_LONGEST_HEADING])
        # It may be set off: `# ---- src/a.py ----`.
        said = f"{sign[0]} {line[sign.end() :].strip(' -=*#~/')}" if sign else line.rstrip()
        path = path_comment([said]) if sign else said if path_line(said) == said else None
        if path and len(line) <= _LONGEST_HEADING:
            yield at, path


def _stripped(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without the blank ones at both ends."""
    said = [at for at, line in enumerate(lines) if line.strip()]
    return tuple(lines[said[0] : said[-1] + 1]) if said else ()


def _python(sections: Sequence[_Section]) -> list[_Section]:
    return [section for section in sections if language_of(section.path) == "python"]


def _may_be(section: _Section, strictly: bool) -> bool:
    """Whether the part may be that file: in Python by what it defines, of which `strictly` some is there already. Tests
    below the name of a file that has none are about it."""
    new = definitions(section.text) if language_of(section.path) == "python" else None
    if not section.content or new is None:
        return bool(section.content)
    if section.old is None:
        return bool(new)
    old = definitions(section.old)
    if not old or old & new:
        return True
    return not strictly and (any(map(_is_of_a_test, old)) or not all(map(_is_of_a_test, new)))


def _is_of_a_test(name: str) -> bool:
    return name.lower().startswith("test")
