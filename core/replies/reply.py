"""From a model's reply to whole files, or to a refusal that says what to send instead.

Half a file is never taken: of a reply that was cut off, or with a block that ends in the middle, nothing is, since
nobody knows what else of it is not what it seems. A file that an edit does not fit, or of which a block leaves out "the
rest", is refused on its own: what else the reply holds can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies.blocks import is_diff, language_in
from treadle.core.replies.cut_off import closed_at_the_end, refuse_cut_diff, refuse_cut_off, without_cut_example
from treadle.core.replies.held_files import Before
from treadle.core.replies.marked_edits import Edit, Patch
from treadle.core.replies.meant import AS_NAMED, Meant
from treadle.core.replies.mended_parts import NO_CODE, mended
from treadle.core.replies.nameless import take_mentioned, take_nameless, take_unfenced
from treadle.core.replies.naming import (
    Where,
    default_name,
    file_spoken_of,
    is_never_a_file,
    language_of,
    path_before_edit,
    path_of,
    path_with_blanks,
    read_info,
)
from treadle.core.replies.patch_envelope import read_patch
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_files import ReplyFiles
from treadle.core.replies.reply_parts import Block, Part, Prose
from treadle.core.replies.thoughts import UnclosedThought
from treadle.core.replies.unified_diff import from_first_header, looks_like_diff, read_diff, with_headers
from treadle.core.replies.wholeness import whole_text
from treadle.core.replies.words_below import PROSE

LARGEST_REPLY = 4_000_000
"""Characters. The longest answers of today's models have some 500,000."""


@dataclass(frozen=True)
class Read:
    """The files that a reply holds, whole, in the order of their first mention, and why others can't be taken. `unused`
    are the blocks of code that are in none of them, a phrase each: examples, commands, or what its author forgot to
    name."""

    files: tuple[FileChange, ...]
    refused: tuple[ReplyError, ...] = ()
    unused: tuple[str, ...] = ()


def files_of(
    reply: str, before: Before | None = None, meant: Meant = AS_NAMED, *, ended: bool = False
) -> tuple[FileChange, ...]:
    """All files of `read_files`. Raises `ReplyError` where one can't be taken, too."""
    read = read_files(reply, before, meant, ended=ended)
    if read.refused:
        raise read.refused[0]
    return read.files


def read_files(reply: str, before: Before | None = None, meant: Meant = AS_NAMED, *, ended: bool = False) -> Read:
    """The files that a reply holds; none when it holds none.

    `before` answers what a file held until now: edits are applied to it, and its line endings are kept. `meant` says
    what is taken for a name, or for none. `ended`: it is known that nothing of it was cut off, so that its last fence
    may have been left open. Raises `ReplyError` (what, where, what to do) when nothing of the reply can be taken.
    """
    if len(reply) > LARGEST_REPLY:
        raise ReplyError(
            f"the reply has {len(reply)} characters; at most {LARGEST_REPLY} are read: send fewer files at once"
        )
    try:
        parts = list(read_parts(reply))
    except UnclosedThought as error:
        raise ReplyError(f"{error}, so it was cut off: send the answer itself, shorter") from None
    files = ReplyFiles(before or {}, meant)
    if ended:
        parts = closed_at_the_end(parts)
    else:
        refuse_cut_diff(parts)
    parts = without_cut_example(mended(parts, meant, files.expected))
    refuse_cut_off(parts)
    blocks = [part for part in parts if isinstance(part, Block)]
    edited = _take_edits(files, parts, meant)
    named = [_named(block, meant) for block in blocks]
    _take_named_blocks(files, blocks, named)
    take_nameless(files, blocks, [found and found[0] for found in named], meant, beside_edits=edited)
    if not blocks and not files.touched:
        take_unfenced(files, parts, meant)
    changes = files.changes()
    return Read(changes, tuple(files.refused), tuple(_unused(blocks, files, changes)))


# ---------------------------------------------------------------- the steps of reading


def _unused(blocks: Iterable[Block], files: ReplyFiles, changes: Iterable[FileChange]) -> Iterator[str]:
    """The blocks of code of which no file was made, and that stand in none as they are."""
    held = "\0".join((change.content or b"").decode("utf-8", "replace").replace("\r\n", "\n") for change in changes)
    taken = {block.line for block in files.taken}
    for block in blocks:
        language = language_in(block)
        is_code = language == "sh" or default_name(language) is not None
        if is_code and block.line not in taken and not is_diff(block) and block.text.strip() not in held:
            yield f"the {language} block on line {block.line}"


def _take_edits(files: ReplyFiles, parts: Iterable[Part], meant: Meant) -> bool:
    path: str | None = None
    taken = False
    for part in parts:
        if isinstance(part, Edit):
            spoken_of = file_spoken_of(part.above)
            is_there = spoken_of is not None and files.expected(spoken_of) is not None
            named = read_info(part.info).path or path_before_edit(part.above) or (spoken_of if is_there else None)
            path = named or path or meant.holder(part.search)
            if path is None:
                raise ReplyError(
                    f"the edit on line {part.line} of the reply names no file: write its path on the line above"
                )
            with files.on_its_own():
                files.edit(path, part)
            taken = True
        elif isinstance(part, Patch):
            for diff in read_patch(part.lines):
                with files.on_its_own():
                    files.patch(diff)
            taken = True
        elif isinstance(part, Block) and is_diff(part):
            taken |= _take_diff(files, part.content, part, meant)
        elif isinstance(part, Prose) and looks_like_diff(part.lines):
            taken |= _take_diff(files, from_first_header(part.lines), None, meant)
    return taken


def _take_diff(files: ReplyFiles, lines: tuple[str, ...], block: Block | None, meant: Meant) -> bool:
    found = path_of(read_info(block.info), block.above, ()) if block else None
    hunks = with_headers(lines)
    named = found[0] if found else meant.holder([line[1:] for line in hunks if line.startswith((" ", "-"))])
    for diff in read_diff(hunks, named):
        with files.on_its_own():
            files.patch(diff)
    return True


def _named(block: Block, meant: Meant) -> tuple[str, Where] | None:
    """The path that a block has, and where it stands; None where it has none, or what only stands for one. One with
    blanks in it is that of a file that is meant."""
    with_blanks = path_with_blanks(block.info)
    if with_blanks and meant.is_planned(with_blanks):
        return with_blanks, "info"
    found = path_of(read_info(block.info), block.above, block.content)
    return None if found is None or meant.is_no_name(found[0]) else found


def _may_be_shown(language: str, path: str, where: Where) -> bool:
    """Whether a block of no programming language may only show what the file that is spoken of says, or does."""
    if language not in NO_CODE or where not in ("mention", "comment"):
        return False
    is_of_words = where == "mention" and language in PROSE and not language_of(path)
    return not is_of_words and (bool(language) or where == "mention")


def _take_named_blocks(files: ReplyFiles, blocks: list[Block], named: list[tuple[str, Where] | None]) -> None:
    """Take the blocks that say which file they are."""
    for index, (block, found) in enumerate(zip(blocks, named, strict=True)):
        info = read_info(block.info)
        if found is None or is_diff(block) or is_never_a_file(info.language):
            continue
        path, where = found
        if _may_be_shown(info.language, path, where):
            continue
        language = language_of(path) or info.language
        text = whole_text(blocks, index, language)
        if where == "mention":
            take_mentioned(files, path, block, text, is_alone=len(blocks) == 1)
            continue
        with files.on_its_own():
            files.write(path, text, block)
