"""The blocks of code in a reply that name no file: each goes to the file that is meant, into its place there.

Small models show what was there before, send the function that they have changed in one block and the import that it
needs in another, and show below how it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treadle.core.errors import ReplyError
from treadle.core.replies.blocks import is_diff, language_in
from treadle.core.replies.meant import Meant
from treadle.core.replies.naming import default_name, is_of_files, language_of
from treadle.core.replies.parts import Sent
from treadle.core.replies.reply_files import ReplyFiles
from treadle.core.replies.reply_parts import Block, Part
from treadle.core.replies.unfenced import unfenced_program
from treadle.core.replies.wholeness import whole_text, writes_anew

_MOST_NAMED = 5
_NAME_IT = "write the file's path in the first line of its fence"


@dataclass(frozen=True)
class _Nameless:
    """A text, its block, None where it is in none, and what says that its file is a guess."""

    text: str
    block: Block | None = None
    is_of: str = "names no file"

    @property
    def where(self) -> str:
        return self.block.where if self.block else "the reply"

    @property
    def above(self) -> str:
        return self.block.above if self.block else ""


def take_nameless(
    files: ReplyFiles, blocks: Sequence[Block], named: Sequence[str | None], meant: Meant, *, beside_edits: bool
) -> None:
    """Take the blocks of each language that has a default name, and those in others for the one such file that is
    meant; `named` says which path each block has. Where there is Python, other languages are examples. What can't be
    told where it belongs is refused, and no file with it; `beside_edits` nothing is: there most blocks show something.
    """
    nameless = [
        (index, language_in(block)) for index, block in enumerate(blocks) if named[index] is None and not is_diff(block)
    ]
    languages = list(
        dict.fromkeys(language for _, language in nameless if default_name(language) or is_of_files(language))
    )
    if "python" in languages or any(named):
        languages = [language for language in languages if language == "python"]
    for language in languages:
        by_file: dict[str, list[_Nameless]] = {}
        for index in (index for index, spoken in nameless if spoken == language):
            block = blocks[index]
            sent = _Nameless(block.text, block)
            path = meant.nameless(sent.text, language)
            if not path and not default_name(language):
                continue
            # Only the first must be whole: what stands below may be an example, and is a part at most.
            if (path not in by_file or files.text(path) is not None) and not beside_edits:
                whole_text(blocks, index, language)
            by_file.setdefault(path, []).append(sent)
        for path, group in by_file.items():
            if beside_edits:
                _take_beside_edits(files, path, group)
            elif files.text(path) is not None or not any(language_of(each) == "python" for each in named if each):
                _take(files, path, group, is_alone=len(nameless) == 1 and not any(named))


def take_unfenced(files: ReplyFiles, parts: Iterable[Part], meant: Meant) -> None:
    """Take a program that stands in no block."""
    name, text = unfenced_program(parts)
    if name and text:
        files.write(name, text)
    elif text:
        _take(files, meant.nameless(text, "python"), [_Nameless(text)], is_alone=True)


def take_mentioned(files: ReplyFiles, path: str, block: Block, text: str, *, is_alone: bool) -> None:
    """Take a block below a sentence that speaks of a file."""
    sent = _Nameless(text, block, f"stands below a sentence about {path}")
    if files.is_edited(path):
        _take_beside_edits(files, path, [sent])
    else:
        _take(files, path, [sent], is_alone=is_alone)


def _take(files: ReplyFiles, path: str, group: Sequence[_Nameless], *, is_alone: bool) -> None:
    """Into a file that there is, each in turn. One beside others may only show something."""
    if path and files.text(path) is None and not files.is_refused(path):
        _take_new(files, path, group)
        return
    for sent in group:
        if path and files.is_refused(path):
            return
        with files.on_its_own():
            _take_one(files, path, sent, is_alone=is_alone)


def _take_one(files: ReplyFiles, path: str, sent: _Nameless, *, is_alone: bool) -> None:
    as_part = files.sent(path, sent.text, sent.above)
    lost = as_part.lost if as_part else []
    if (lost or not path) and not is_alone and files.shows(sent.text, path):
        return
    if as_part is None:
        files.refused.append(ReplyError(f"{sent.where} names no file: {_NAME_IT}"))
    elif lost and as_part.in_its_place is None:
        if not is_alone and files.holds_lines(sent.text, path):
            return
        why = as_part.why_no_place or (
            f"it is not all of {path}: {', '.join(lost[:_MOST_NAMED])} would be gone. Send the whole file with its "
            "path in the first line of its fence, or an edit"
        )
        files.refused.append(ReplyError(f"{sent.where} {sent.is_of}, and {why}"))
    else:
        files.write(path, sent.text, sent.block)


def _take_beside_edits(files: ReplyFiles, path: str, group: Sequence[_Nameless]) -> None:
    """What has its place in another file than those that are edited, and what edits use and their file lacks. Others
    show what is edited, before or after, or how it is used."""
    for sent in group:
        with files.on_its_own():
            as_part = files.sent(path, sent.text, sent.above)
            if as_part is None:
                if path and files.is_planned(path):
                    files.write(path, sent.text, sent.block)
            elif not files.shows(sent.text, path) and _belongs_there(files, path, as_part):
                files.write(path, sent.text, sent.block)


def _belongs_there(files: ReplyFiles, path: str, sent: Sent) -> bool:
    if files.is_changed(path):
        return sent.in_its_place is not None and files.lacks_what_is_in(path, sent.text)
    return not sent.lost or sent.in_its_place is not None


def _take_new(files: ReplyFiles, path: str, group: Sequence[_Nameless]) -> None:
    """Of a file that is to be made the first block, unless a later one writes it anew: others are examples."""
    chosen = group[0]
    for later in group[1:]:
        if writes_anew(chosen.text, later.text):
            chosen = later
    with files.on_its_own():
        files.write(path, chosen.text, chosen.block)
