"""The parts of a reply without what models put around them: a fence about all of it, several files in one fence, the
name of a file as its first line, slips of the pen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treadle.core.replies.blocks import is_diff, language_in
from treadle.core.replies.marked_edits import Edit, Patch
from treadle.core.replies.meant import Meant
from treadle.core.replies.naming import language_of, path_line, path_of, read_info
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block, Part
from treadle.core.replies.sections import OldText, in_sections
from treadle.core.replies.slips import without_slips
from treadle.core.replies.thoughts import UnclosedThought

NO_CODE = frozenset({"sh", "text", "txt", "plaintext", "plain", "log", "none", "", "diff", "markdown"})
"""Languages of blocks that are files only where they are named."""


def mended(parts: list[Part], meant: Meant, old_text: OldText) -> list[Part]:
    """The parts as they are meant. `old_text` as of `in_sections`."""
    return [_without_slips(_name_taken_out(part)) for part in _apart(_unwrapped(parts, meant), old_text)]


def _unwrapped(parts: list[Part], meant: Meant) -> list[Part]:
    """Some replies are one nameless Markdown block around the real answer; what is inside it is then read, unless a
    file of Markdown is meant."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) != 1 or not blocks[0].closed or any(isinstance(part, Edit | Patch) for part in parts):
        return parts
    info = read_info(blocks[0].info)
    named = path_of(info, blocks[0].above, ())
    if info.language != "markdown" or (named is not None and named[1] in ("info", "above")):
        return parts
    if meant.nameless(blocks[0].text, info.language):
        return parts
    try:
        inner = list(read_parts(blocks[0].text))
    except UnclosedThought:
        return parts
    return inner if any(isinstance(part, Block | Edit | Patch) for part in inner) else parts


def _apart(parts: Iterable[Part], old_text: OldText) -> list[Part]:
    """The parts, with each file of a block that holds several in a block of its own."""
    return [each for part in parts for each in (in_sections(part, old_text) if isinstance(part, Block) else [part])]


def _name_taken_out(part: Part) -> Part:
    """A block whose first line within is the name of its file, and no code: some models take that for the first line of
    the fence. In a shell it is a command."""
    if not isinstance(part, Block) or not any(line.strip() for line in part.content[1:]):
        return part
    info, first = read_info(part.info), part.content[0].strip()
    path = path_line(first)
    if info.path or info.language in NO_CODE or path is None or language_of(path) != info.language:
        return part
    is_labelled = info.language == "python" and first.endswith(path) and not first.startswith("#")
    if first != path and not is_labelled:
        return part
    return replace(part, info=f"{info.language} {path}", content=part.content[1:])


def _without_slips(part: Part) -> Part:
    if not isinstance(part, Block) or is_diff(part):
        return part
    named = path_of(read_info(part.info), part.above, part.content)
    if "python" not in (language_in(part), language_of(named[0]) if named else ""):
        return part
    text = "\n".join(part.content)
    return part if (made := without_slips(text)) == text else replace(part, content=tuple(made.split("\n")))
