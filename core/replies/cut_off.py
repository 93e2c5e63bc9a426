"""Whether a reply was cut off, or one of its parts ends elsewhere than it seems to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from treadle.core.errors import ReplyError
from treadle.core.replies.blocks import is_diff, language_in
from treadle.core.replies.marked_edits import STRAY, Edit, Patch
from treadle.core.replies.naming import default_name, language_of, path_of, read_info
from treadle.core.replies.reply_parts import Block, Part, Prose
from treadle.core.replies.unified_diff import from_first_header, is_cut_off, looks_like_diff
from treadle.core.replies.wholeness import definitions
from treadle.core.replies.words_below import may_end_in_words


def closed_at_the_end(parts: list[Part]) -> list[Part]:
    """The parts of a reply that was not cut off, whose last fence is open to the end: it is closed where what it holds
    may be a whole file, and does not end in words, which may be about that file. Where others stand before it
    and it says nothing of itself, it was to close one of them."""
    last = parts[-1] if parts else None
    if not isinstance(last, Block) or last.closed:
        return parts
    text = last.text.strip()
    if last.mixed:
        return parts if text else parts[:-1]  # nothing but edits, each of which says itself whether it is whole
    if not text or (not last.info and any(isinstance(part, Block) for part in parts[:-1])):
        return parts
    found = path_of(read_info(last.info), last.above, last.content)
    language = (language_of(found[0]) if found else "") or language_in(last)
    if may_end_in_words(text, language):
        return parts
    end = max(at for at, line in enumerate(last.content, 1) if line.strip())
    return [*parts[:-1], replace(last, content=last.content[:end], closed=True)]


def without_cut_example(parts: list[Part]) -> list[Part]:
    """A nameless answer whose last block, an example that would not be taken anyway, was cut off, is whole enough."""
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) < 2 or blocks[-1].closed or len(blocks) != sum(not isinstance(part, Prose) for part in parts):
        return parts
    if any(path_of(read_info(b.info), b.above, b.content) for b in blocks):
        return parts
    answer = next((b for b in blocks[:-1] if default_name(read_info(b.info).language) == "main.py"), None)
    defined = definitions(answer.text) if answer else None
    anew = re.findall(r"^(?:async )?(?:def|class) (\w+)", blocks[-1].text, re.MULTILINE)
    if not defined or defined & set(anew):
        return parts
    return [part for part in parts if part is not blocks[-1]]


def refuse_cut_off(parts: Iterable[Part]) -> None:
    """Raise `ReplyError` where a part has no end, or may have another one."""
    for part in parts:
        if isinstance(part, Block) and not part.closed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply is never closed: the reply was cut off, "
                "or a fence inside it has the same length. Send the whole file again, with a longer fence around it "
                f"({part.fence}{part.fence[0]})"
            )
        if isinstance(part, Block) and part.mixed:
            raise ReplyError(
                f"the block that opens on line {part.line} of the reply mixes SEARCH/REPLACE edits with other lines: "
                "send only edits, or the whole file"
            )
        if isinstance(part, Edit) and not (part.closed and part.divided):
            raise ReplyError(
                f"the edit on line {part.line} of the reply needs the lines <<<<<<< SEARCH, ======= and "
                ">>>>>>> REPLACE, once each: send it again, or send the whole file"
            )
        if isinstance(part, Patch) and part.wrong:
            raise ReplyError(f"what begins on line {part.line} of the reply {part.wrong}")
        if isinstance(part, Prose) or (isinstance(part, Block) and not read_info(part.info).path and not is_diff(part)):
            _refuse_stray_ends(part)


def refuse_cut_diff(parts: Sequence[Part]) -> None:
    """Raise `ReplyError` for half of a diff. Where nothing but the reply ends it, only the numbers in its last header
    tell."""
    last = parts[-1] if parts else None
    if isinstance(last, Prose) and looks_like_diff(last.lines) and is_cut_off(from_first_header(last.lines)):
        raise ReplyError(
            "the reply ends with a diff whose last hunk has fewer lines than its header says, so it was cut off: send "
            "it again, in a fence"
        )


def _refuse_stray_ends(part: Block | Prose) -> None:
    """An end without a beginning was a line of what began above, which was read up to another such line only."""
    lines = part.lines if isinstance(part, Prose) else part.content
    if stray := next(filter(STRAY.fullmatch, lines), None):
        raise ReplyError(
            f"below line {part.line} of the reply {stray.strip()!r} ends nothing: what began above may have ended too "
            "soon. Send whole files, each in a fence that begins with its path"
        )
